/*
 * perf prints names such as:
 *
 * 	cycles    cycles:ppp    cpu-clock:pppH    cpu_core/cycles/P cpu/cycles,name=foo/u
 * 	sched:sched_switch    probe_libc:malloc    uncore_imc_0/cas_count_read/
 *
 * perf-list(1) describes the modifiers.
 */
#include "reader/event_name.h"

struct str event_name_without_modifiers(struct str name)
{
	size_t at = str_rfind(name, ':');

	if (at == name.n || !at || at + 1 == name.n)
		return name;
	for (size_t i = at + 1; i < name.n; i++)
		if (!strchr("ukhIGHpPSDWebR", name.p[i]))
			return name;
	return str_head(name, at);
}

/*
 * Returns the value of the term "name=": "foo" for "cycles,name=foo".  If there is no such term,
 * returns all terms.
 */
static struct str given_name(struct str terms)
{
	struct str rest = terms;

	while (rest.n) {
		struct str term = str_cut(&rest, ',');

		if (str_starts(term, STR("name=")) && term.n > 5)
			return str_from(term, 5);
	}
	return terms;
}

struct str event_name_base(struct str name)
{
	struct str rest = name, pmu = str_cut(&rest, '/'), terms = str_cut(&rest, '/');

	if (!terms.n || str_find(name, '/') == name.n)
		return event_name_without_modifiers(name);
	if (str_starts(pmu, STR("cpu")) || str_starts(pmu, STR("armv")))
		return given_name(terms);
	return name;
}

#include "symbol/report/runtime.h"

#include "symbol/profile_private.h"

enum { DOTNET }; /* index of .NET in the table of runtimes */

static const uint32_t NO_RUNTIME = UINT32_MAX;

/*
 * Returns the row + 1 of the runtime that has a file with that path, or NO_RUNTIME.  Caches the
 * result, because thousands of processes map the same files.
 */
static uint32_t learn_path(struct runtimes *r, str_id path, struct arena *a)
{
	uint32_t *row = table_at(&r->of_path, a, path, 0);

	if (!*row) {
		const struct known_runtime *found =
		        known_runtime_find(intern_str(&r->p->session.names, path));

		*row = found ? (uint32_t)(found - known_runtime_get(0)) + 1 : NO_RUNTIME;
	}
	return *row;
}

void runtime_learn(struct runtimes *r, const struct profile *p, struct arena *a)
{
	const struct mapping *const *maps;
	size_t n = process_mappings(p->session.ps, &maps);

	*r = (struct runtimes){ .p = p };
	for (size_t i = 0; i < n; i++) {
		uint32_t *at, row = learn_path(r, maps[i]->path, a);

		if (row == NO_RUNTIME)
			continue;
		r->dotnet |= row == DOTNET + 1;
		at = table_at(&r->of_pid, a, (uint32_t)maps[i]->pid, 0);
		if (!*at || row < *at)
			*at = row;
	}
}

/*
 * Returns the row + 1 of the runtime of a process, or NO_RUNTIME.  Call it for a process without
 * mappings of its own.  Uses the mappings that the process has inherited and still has at the end
 * of the profile.
 */
static uint32_t inherited(const struct runtimes *r, int32_t pid)
{
	const struct processes *ps = r->p->session.ps;
	const struct mapping *m = process_find_from(ps, pid, 0);
	uint32_t best = NO_RUNTIME;

	for (; m; m = process_find_from(ps, pid, m->end)) {
		uint32_t row = table_get(&r->of_path, m->path, 0);

		if (row && row < best)
			best = row;
	}
	return best;
}

const struct known_runtime *runtime_of(const struct runtimes *r, int32_t pid)
{
	uint32_t row = table_get(&r->of_pid, (uint32_t)pid, 0);

	if (!row && pid >= 0)
		row = inherited(r, pid);
	return row && row != NO_RUNTIME ? known_runtime_get(row - 1) : NULL;
}

bool runtime_has_dotnet(const struct runtimes *r)
{
	return r->dotnet;
}

uint64_t runtime_dotnet_major(const struct profile *p)
{
	static const struct str framework = STR("/Microsoft.NETCore.App/");
	const struct mapping *const *maps;
	size_t n = process_mappings(p->session.ps, &maps);
	uint64_t major;

	for (size_t i = 0; i < n; i++) {
		struct str path = intern_str(&p->session.names, maps[i]->path);
		struct str rest = str_from(path, str_search(path, framework));

		rest = str_from(rest, framework.n);
		if (rest.n && str_take_dec(&rest, &major))
			return major;
	}
	return 0;
}

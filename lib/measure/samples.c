#include "measure/samples.h"

#include "label/compat.h"
#include "measure/measure.h"
#include "reader/event_name.h"
#include "stack/spots.h"

struct samples {
	struct measure_run *run;
	struct field_weight field;
	bool periods; /* a sample of the current input has a weight other than 1 */
	bool counted; /* the current input has events of a runtime */
};

static bool set_count(struct measure_opts *opts, const char *arg)
{
	opts->count = strcmp(arg, "samples") == 0;
	return opts->count || strcmp(arg, "period") == 0;
}

static bool set_field(struct measure_opts *opts, const char *arg)
{
	return field_weight_parse(&opts->field, arg);
}

static const struct measure_option options[] = {
	{ "count", set_count, "expected period or samples" },
	{ "weight", set_field, "expected FIELD or FIELD:UNIT" },
	{ 0 },
};

static bool fits(const struct measure_opts *opts, const struct reader *r)
{
	(void)opts;
	(void)r;
	return true;
}

static void init(void *state, struct measure_run *run)
{
	struct samples *m = state;

	m->run = run;
	if (!run->opts->field.field.n)
		return;
	field_weight_init(&m->field, &run->opts->field, run->arena);
	run->lacking = &m->field.lacking;
}

/* Returns for each attr of the profile whether its samples are left out. */
static const bool *list_left(const struct samples *m, struct profile *p)
{
	const struct attr *const *attrs;
	size_t n = reader_attrs(profile_reader(p), &attrs);
	bool *left = arena_new(m->run->arena, bool, n + 1);

	for (size_t i = 0; i < n; i++)
		left[i] = !events_wants(&m->run->events, attrs[i]->name);
	return left;
}

/*
 * If no event was requested, selects the first event of a nettrace, or of a profile such as OTLP
 * whose samples have several values.  In a nettrace, the first event samples running threads.
 */
static void begin(void *state, struct profile *p)
{
	struct samples *m = state;
	struct events *events = &m->run->events;
	const struct attr *const *attrs;
	const bool *left = NULL;

	m->periods = m->counted = false;
	if (!events->want &&
	    (profile_traits(p)->is_runtime || profile_traits(p)->has_locations) &&
	    reader_attrs(profile_reader(p), &attrs))
		events->want = arena_str(m->run->arena, attrs[0]->name).p;
	if (m->run->spots || m->run->marks)
		return;
	if (profile_traits(p)->has_locations && !m->run->opts->field.field.n)
		left = list_left(m, p);
	profile_delay(p, left);
	if (left && !m->run->fold->slices)
		profile_join(p);
}

/*
 * Returns the name of an event.  Removes the provider from the name of a runtime event if --event
 * omits the provider.
 */
static struct str event_of(struct samples *m, const struct attr *attr)
{
	struct str name = attr ? attr->name : STR("");

	if (!attr || !attr->runtime)
		return name;
	m->counted = true;
	m->run->noun = "event";
	return str_eq(name, str_of(m->run->events.want))
	               ? name
	               : str_from(name, str_find(name, '/') + 1);
}

/*
 * Sets the weight to the requested field.  Returns false if the sample lacks the field, or if the
 * value is negative.
 */
static bool take_field(struct samples *m, const struct profile *p, const struct event *ev,
                       uint64_t *weight)
{
	int64_t v;

	if (!field_weight_read(&m->field, profile_reader(p), ev, &v) ||
	    !events_take(&m->run->events, event_of(m, ev->attr)))
		return false;
	m->run->counts.negative += v < 0;
	*weight = (uint64_t)v;
	return v >= 0;
}

static void take_sample(struct samples *m, const struct profile *p,
                        const struct sample *s)
{
	const struct measure_opts *opts = m->run->opts;
	struct measure_counts *counts = &m->run->counts;
	const struct attr *attr = s->ev->attr;
	struct fold *fold = m->run->fold;
	uint64_t times = 1 + (uint64_t)s->ev->repeats;
	uint64_t weight = opts->count ? times : s->ev->weight;
	stack_id stack;

	if (opts->compat) {
		weight = compat_weight(opts->compat, weight);
		fold_set_java(fold, compat_is_java(s->comm));
	}
	if (opts->field.field.n
	            ? !take_field(m, p, s->ev, &weight)
	            : !events_take_times(&m->run->events, event_of(m, attr), times))
		return;
	if (!weight) {
		counts->weightless += times;
		return;
	}
	/* No weight is 0, so all are 1 if their sum is the number of samples. */
	m->periods |= weight != times;
	if (m->run->spots) {
		spots_take(m->run->spots, p, s, weight);
		counts->samples++;
	} else if (fold->slices && slices_want_time(fold->slices) && !s->ev->has_time) {
		counts->untimed++;
	} else if (!fold_sample(fold, p, s, &stack)) {
		counts->dropped += times;
	} else {
		fold_add(fold, stack, weight, s->ev->time_ns);
		counts->bare += measure_is_bare(attr);
		counts->samples += times;
	}
}

static void take_line(struct samples *m, const struct event *ev)
{
	struct measure_counts *counts = &m->run->counts;
	struct fold *fold = m->run->fold;
	stack_id stack;

	if (!ev->weight && !ev->fraction) {
		counts->weightless++;
	} else if (fold->slices) {
		counts->untimed++;
	} else if (!fold_line(fold, ev->raw, &stack)) {
		counts->dropped++;
	} else {
		stack_add(&fold->stacks, stack, ev->weight, ev->fraction);
		counts->samples++;
	}
}

/*
 * Handles a line that is neither a stack nor a sample: the header, a blank line, a comment, or an
 * unknown line.
 */
static void take_text(struct samples *m, const struct profile *p, struct str line)
{
	struct arena *a = m->run->arena;
	struct head head;

	if (profile_traits(p)->is_folded && head_parse(line, &head)) {
		m->run->fold->rooted = true;
		head.event = arena_str(a, head.event);
		head.unit = arena_str(a, head.unit);
		m->run->input.stated = head;
		return;
	}
	if (profile_traits(p)->is_folded)
		fold_add_origin(m->run->fold, line);
	line = str_trim(line);
	m->run->counts.ignored += line.n && line.p[0] != '#';
}

static bool take(void *state, struct profile *p, const struct sample *s)
{
	struct samples *m = state;

	if (s->ev->kind == EV_SAMPLE)
		take_sample(m, p, s);
	else if (s->ev->kind == EV_FOLDED && !m->run->opts->field.field.n)
		take_line(m, s->ev);
	else if (s->ev->kind == EV_TEXT)
		take_text(m, p, s->ev->raw);
	else
		return false;
	return true;
}

bool *samples_periods(void *state)
{
	return &((struct samples *)state)->periods;
}

static void end(void *state)
{
	(void)state;
}

/* Returns the event that would be folded if there were samples. */
static struct str recorded_event(const struct samples *m, struct arena *a)
{
	const struct attr *const *attrs;

	if (m->run->events.want)
		return str_of(m->run->events.want);
	if (!reader_attrs(profile_reader(m->run->input.p), &attrs))
		return STR("");
	return arena_str(a, event_name_base(attrs[0]->name));
}

/* Returns the unit that the profile states for an event, or an empty string. */
static struct str stated_unit(const struct samples *m, struct str event)
{
	const struct attr *const *attrs;
	size_t n = reader_attrs(profile_reader(m->run->input.p), &attrs);

	for (size_t i = 0; i < n; i++) {
		struct str unit = attrs[i]->unit;

		if (!unit.n || !str_eq(event_name_base(attrs[i]->name), event))
			continue;
		if (str_eq(unit, STR("nanoseconds")))
			return STR("ns");
		if (str_eq(unit, STR("count")))
			return str_eq(event, STR("samples")) ? event : STR("events");
		return arena_str(m->run->arena, unit);
	}
	return STR("");
}

/*
 * Returns the unit of an event's weights.  Tracepoints and runtime events are counted in
 * "events".  For other events, the unit is "samples" if all weights are 1.
 */
static struct str unit_of(const struct samples *m, struct str event, bool periods)
{
	struct str stated = stated_unit(m, event);

	if (m->run->opts->field.field.n)
		return field_weight_unit(&m->field, event);
	if (stated.n)
		return stated;
	if (!periods && !m->counted && str_find(event, ':') == event.n)
		return STR("samples");
	return head_unit(event);
}

static struct head head(const void *state, struct arena *a)
{
	const struct samples *m = state;
	struct head h = { .event = events_list_taken(&m->run->events, a) };
	bool periods = m->periods;
	struct str rest;

	if (!measure_samples(m->run)) {
		h.event = recorded_event(m, a);
		periods = h.event.n;
	}
	rest = h.event;
	while (rest.n) {
		struct str unit = unit_of(m, str_cut(&rest, ','), periods);

		h.unit = !h.unit.n || str_eq(h.unit, unit) ? unit : STR("mixed");
	}
	if (!h.unit.n)
		h.unit = periods ? STR("events") : STR("samples");
	if (m->run->opts->count)
		h.unit = STR("samples");
	return h;
}

static bool nothing(const void *state, struct diag *diag, const char *input)
{
	const struct samples *m = state;
	const struct measure_run *r = m->run;
	const char *want = r->events.want;
	struct str other = events_list_left_out(&r->events, r->arena);

	if (m->field.there.n)
		diag_fatal(diag,
		           "%s: no sample%s%s has a numeric field " PRSTR
		           "; there are: " PRSTR "%s" PRSTR,
		           input, want ? " of event " : "", want ? want : "",
		           STRARG(m->field.opts.field), STRARG(m->field.there),
		           other.n ? "; other events have it: " : "", STRARG(other));
	return m->field.there.n;
}

const struct measure samples_measure = {
	.name = "samples",
	.size = sizeof(struct samples),
	.kinds = (uint64_t)1 << EV_LOST_SAMPLES | (uint64_t)1 << EV_LOST,
	.options = options,
	.fits = fits,
	.init = init,
	.begin = begin,
	.take = take,
	.end = end,
	.head = head,
	.nothing = nothing,
};

#include "measure/measure.h"

#include "label/compat.h"
#include "measure/offcpu_measure.h"
#include "measure/runtime.h"
#include "measure/samples.h"

static const struct measure *const rows[MEASURES] = {
	&offcpu_measure,
	&elapsed_measure,
	&runtime_measure,
	&samples_measure,
};

int measure_set(struct measure_opts *opts, struct diag *diag, const char *option,
                const char *arg)
{
	for (size_t i = 0; i < MEASURES; i++)
		for (const struct measure_option *o = rows[i]->options; o && o->name; o++)
			if (strcmp(o->name, option) == 0 && !o->set(opts, arg))
				return diag_fatal(diag, "--%s %s: %s", option, arg,
				                  o->syntax);
	return 0;
}

/*
 * Stores in opts->event_list the names of the events to read from a nettrace, and returns their
 * number.  For "all", only the samples of a nettrace are read.
 */
static size_t list_asked(struct measure_opts *opts)
{
	struct str *list = opts->event_list;

	if (opts->elapsed.begin.n) {
		list[0] = opts->elapsed.begin;
		list[1] = opts->elapsed.end;
		return 2;
	}
	if (!opts->event || strcmp(opts->event, "all") == 0)
		return 0;
	/* With --weight, each event is weighted by one of its fields, so no view is used. */
	opts->view = opts->field.field.n ? NULL : clr_find(str_of(opts->event));
	list[0] = str_of(opts->event);
	return opts->view ? clr_events(opts->view, list) : 1;
}

int measure_settle(struct measure_opts *opts, struct diag *diag)
{
	struct offcpu_opts *off = &opts->off;
	const char *kinds[] = {
		off->wall      ? "--wall"
		: off->classes ? "--off-cpu"
		               : NULL,
		opts->field.field.n ? "--weight" : NULL,
		opts->elapsed.begin.n ? "--weight-of" : NULL,
		opts->count ? "--count=samples" : NULL,
	};
	const char *one = NULL;

	opts->asked = list_asked(opts);
	opts->events = (struct event_names){ opts->event_list, opts->asked, false };
	if (opts->marks)
		opts->events.n += marks_events(opts->event_list + opts->asked);
	if (off->wall && !off->classes)
		offcpu_classes(off, "all");
	if (off->wall && off->classes & OFF_RUNNING)
		return diag_fatal(diag, "--wall takes the time on the CPU from samples; "
		                        "it cannot be combined with --off-cpu=running");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (kinds[i] && one)
			return diag_fatal(diag, "%s and %s cannot be combined", one,
			                  kinds[i]);
		one = kinds[i] ? kinds[i] : one;
	}
	return 0;
}

uint64_t measure_kinds(const struct measure_opts *opts)
{
	uint64_t kinds = 0;

	for (size_t i = 0; i < MEASURES; i++)
		if (rows[i]->fits(opts, NULL))
			kinds |= rows[i]->kinds;
	return kinds;
}

void measure_init(struct measure_run *r, const struct measure_opts *opts,
                  struct fold *fold, struct arena *arena)
{
	*r = (struct measure_run){
		.opts = opts, .arena = arena, .fold = fold, .noun = "sample"
	};
	events_init(&r->events, arena, opts->event);
	if (opts->compat)
		r->events.base = compat_event(opts->compat);
	if (!opts->marks)
		return;
	r->marks = arena_new(arena, struct marks, 1);
	marks_init(r->marks, arena);
	r->marks->folded = opts->event_list;
	r->marks->nfolded = opts->asked;
}

void measure_open(struct measure_run *r, struct profile *p, const struct select *select)
{
	const struct reader *reader = profile_reader(p);
	size_t i = 0;

	while (!rows[i]->fits(r->opts, reader))
		i++;
	if (!r->states[i]) {
		r->states[i] = arena_alloc(r->arena, 1, rows[i]->size);
		rows[i]->init(r->states[i], r);
	}
	r->input.p = p;
	r->input.by = rows[i];
	r->input.state = r->states[i];
	r->input.before = r->counts.samples;
	r->input.stated = (struct head){ 0 };
	r->input.extent = (struct extent){ 0 };
	r->selects |= select != NULL;
	r->events_alone |= reader_has_events(reader);
	/*
	 * A measure of pairs applies `select` itself, to the first event of each pair.  It needs
	 * all second events, so the profile must deliver all samples.
	 */
	if (select && !rows[i]->select_at)
		profile_select(p, select);
}

void measure_begin(struct measure_run *r, const struct select *select)
{
	const struct measure *by = r->input.by;

	fold_begin(r->fold, r->input.p);
	events_begin(&r->events);
	if (by->select_at)
		memcpy((char *)r->input.state + by->select_at, &select, sizeof(select));
	if (by->begin)
		by->begin(r->input.state, r->input.p);
}

/*
 * Returns true if samples of the event have a frame.  The address of a tracepoint without a call
 * chain is not printed as a frame.
 */
static bool has_stack(const struct attr *attr)
{
	return !attr || !attr->sample_type || attr->has_callchain ||
	       !select_is_tracepoint(attr);
}

void measure_take(struct measure_run *r, struct sample *s)
{
	const struct event *ev = s->ev;
	uint64_t before = r->counts.samples;
	bool taken;

	if (ev->kind == EV_SAMPLE && !has_stack(ev->attr))
		s->nframes = 0;
	if (r->marks && marks_take(r->marks, r->input.p, s))
		return;
	taken = r->input.by->take(r->input.state, r->input.p, s);
	if (ev->kind == EV_SAMPLE && r->counts.samples > before)
		extent_add(&r->input.extent, ev);
	if (taken)
		return;
	if (ev->kind == EV_LOST)
		r->counts.lost += ev->weight;
	else if (ev->kind == EV_LOST_SAMPLES)
		r->counts.lost_samples += ev->weight;
}

void measure_end(struct measure_run *r)
{
	r->input.by->end(r->input.state);
	if (r->marks)
		marks_end(r->marks);
}

bool measure_head(struct measure_run *r, struct head_sum *sum, struct diag *diag,
                  const char *input)
{
	const struct traits *format = profile_traits(r->input.p);
	struct head head = r->input.stated;
	struct str before = sum->head.unit;
	bool alike;

	if (!format->states_weights) {
		if (!measure_samples(r) && profile_met_sample(r->input.p))
			return true;
		head = r->input.by->head(r->input.state, r->arena);
		head.samples = measure_samples(r);
		extent_state(&r->input.extent, &head);
	}
	alike = head_add(sum, head.unit.n ? &head : NULL);
	if (r->opts->mix ||
	    (alike && (format->is_folded || !str_eq(head.unit, STR("mixed")))))
		return true;
	if (alike)
		diag_fatal(diag,
		           "%s: the weights of " PRSTR
		           " have different units; --mix adds them up",
		           input, STRARG(head.event));
	else
		diag_fatal(diag,
		           "%s: weights in " PRSTR ", earlier weights are in " PRSTR
		           "; --mix adds them up",
		           input, STRARG(head.unit), STRARG(before));
	return false;
}

void measure_report_events(const struct measure_run *r, struct diag *diag,
                           struct arena *a)
{
	struct str left_out = events_list_left_out(&r->events, a), lacking = STR("");

	if (r->lacking)
		lacking = events_list_left_out(r->lacking, a);
	if (left_out.n)
		diag_note(diag, "other events left out (--event): " PRSTR,
		          STRARG(left_out));
	if (lacking.n)
		diag_note(diag, "without the field " PRSTR ", left out: " PRSTR,
		          STRARG(r->opts->field.field), STRARG(lacking));
}

void measure_report(const struct measure_run *r, struct diag *diag, struct arena *a)
{
	for (size_t i = 0; i < MEASURES; i++)
		if (r->states[i] && rows[i]->report)
			rows[i]->report(r->states[i], diag, a);
}

void measure_report_nothing(const struct measure_run *r, struct diag *diag,
                            const char *input, struct arena *a)
{
	const struct measure_counts *n = &r->counts;
	struct str other = events_list_left_out(&r->events, a);
	const char *want = r->events.want;

	for (size_t i = 0; i < MEASURES; i++)
		if (r->states[i] && rows[i]->nothing(r->states[i], diag, input))
			return;
	if (other.n && want)
		diag_fatal(diag, "%s: no samples of event %s; there are: " PRSTR, input,
		           want, STRARG(other));
	else if (want && r->opts->events.n)
		diag_fatal(diag,
		           "%s: no samples of event %s; --list-events lists the events",
		           input, want);
	else if (r->events_alone)
		diag_fatal(diag,
		           "%s: no samples, only events of a runtime; --list-events "
		           "lists them, --event folds one",
		           input);
	else
		diag_fatal(diag, "%s: no samples%s", input,
		           n->dropped                     ? " that the rules keep"
		           : n->untimed                   ? " with a time"
		           : n->weightless || n->negative ? " with a weight above 0"
		           : r->selects                   ? " that the options select"
		                                          : "");
}

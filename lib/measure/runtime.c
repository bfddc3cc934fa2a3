#include "measure/runtime.h"

#include "measure/counted.h"
#include "measure/measure.h"

struct runtime {
	struct measure_run *run;
	struct clr clr;
};

static bool fits(const struct measure_opts *opts, const struct reader *r)
{
	return opts->view && (!r || reader_has_events(r));
}

static void init(void *state, struct measure_run *run)
{
	struct runtime *m = state;

	m->run = run;
	clr_init(&m->clr, run->fold);
	m->clr.view = run->opts->view;
}

static void add(struct measure_run *r, const struct clr_weight *w,
                const struct attr *attr)
{
	if (!w->weight) {
		r->counts.weightless++;
		return;
	}
	if (w->span)
		fold_add_span(r->fold, w->stack, w->from_ns, w->from_ns + w->weight);
	else
		fold_add(r->fold, w->stack, w->weight, w->from_ns);
	r->counts.bare += measure_is_bare(attr);
	r->counts.samples++;
}

static bool take(void *state, struct profile *p, const struct sample *s)
{
	struct runtime *m = state;
	const struct attr *attr = s->ev->attr;
	struct clr_weight w;

	if (clr_take(&m->clr, p, s, &w)) {
		m->run->noun = "event";
		if (w.stack)
			add(m->run, &w, attr);
		return true;
	}
	if (s->ev->kind == EV_SAMPLE)
		events_leave(&m->run->events, attr ? attr->name : STR(""));
	return s->ev->kind == EV_SAMPLE;
}

static void end(void *state)
{
	struct runtime *m = state;

	clr_end(&m->clr);
	m->run->counts.dropped += m->clr.counts.dropped;
	m->clr.counts.dropped = 0;
}

static struct head head(const void *state, struct arena *a)
{
	const struct runtime *m = state;

	(void)a;
	return (struct head){ .event = clr_name(m->clr.view),
		              .unit = clr_unit(m->clr.view) };
}

static void report(const void *state, struct diag *diag, struct arena *a)
{
	const struct clr_counts *n = &((const struct runtime *)state)->clr.counts;
	const struct counted left_out[] = {
		{ n->open, "that had not ended", NULL },
		{ n->stray, "that began before the trace", NULL },
		{ n->lost, "in which events were lost", NULL },
		{ n->cut, "with a truncated payload", NULL },
	};

	counted_report(diag, a, left_out, 4);
}

static bool nothing(const void *state, struct diag *diag, const char *input)
{
	const struct runtime *m = state;

	(void)input;
	report(state, diag, m->run->arena);
	return false;
}

const struct measure runtime_measure = {
	.name = "runtime events",
	.size = sizeof(struct runtime),
	.kinds = (uint64_t)1 << EV_LOST,
	.select_at = offsetof(struct runtime, clr.select),
	.fits = fits,
	.init = init,
	.take = take,
	.end = end,
	.head = head,
	.report = report,
	.nothing = nothing,
};

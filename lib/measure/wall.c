#include "measure/wall.h"

#include "reader/event_name.h"
#include "stack/head.h"

void wall_init(struct wall *w, struct offcpu *off, struct fold *fold,
               struct events *events)
{
	*w = (struct wall){ .off = off, .fold = fold, .events = events };
	graft_init(&w->on, fold, STR("on-cpu"));
	graft_init(&off->below, fold, STR("off-cpu"));
}

/* Sets *ns to the time that a sample represents.  Returns false if it is unknown. */
static bool time_of(struct wall *w, const struct sample *s, bool clock, uint64_t *ns)
{
	bool known = offcpu_ran(w->off, s, ns);

	if (!clock || s->ev->weight <= 1)
		return known;
	*ns = s->ev->weight;
	return true;
}

void wall_take(struct wall *w, struct profile *p, const struct sample *s)
{
	struct str name = s->ev->attr ? s->ev->attr->name : STR(""), unit;
	stack_id stack;
	uint64_t ns;

	if (offcpu_take(w->off, p, s) || s->ev->kind != EV_SAMPLE)
		return;
	unit = head_unit(event_name_base(name));
	if (!str_eq(unit, STR("ns")) && !str_eq(unit, STR("cycles"))) {
		events_leave(w->events, name);
		return;
	}
	if (!events_take(w->events, name))
		return;
	w->counts.seen++;
	/* tid 0 is the idle thread.  Its time is not folded. */
	if (s->tid <= 0 || !offcpu_wants(w->off, s))
		return;
	if (!time_of(w, s, str_eq(unit, STR("ns")), &ns)) {
		w->counts.unknown++;
	} else if (!fold_sample(w->fold, p, s, &stack)) {
		w->counts.dropped++;
	} else {
		fold_add(w->fold, graft_stack(&w->on, stack), ns, s->ev->time_ns);
		w->counts.samples++;
	}
}

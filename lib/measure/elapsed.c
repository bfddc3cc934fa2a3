#include "measure/elapsed.h"

#include "measure/counted.h"
#include "measure/measure.h"
#include "reader/event_name.h"

enum role { ROLE_OTHER = 1, ROLE_BEGIN, ROLE_END };

struct elapsed_thread {
	stack_id stack; /* stack of the open begin event (no end event yet), or 0 */
	uint64_t begin_ns;
	uint64_t losses; /* number of losses before the open begin event */
	bool left_out;   /* the open begin event was not selected, or rules drop it */
};

bool elapsed_parse(struct elapsed_opts *opts, const char *arg)
{
	struct str s = str_of(arg);
	size_t at = str_search(s, STR(".."));

	opts->begin = str_head(s, at);
	opts->end = str_from(s, at + 2);
	return opts->begin.n && opts->end.n && !str_eq(opts->begin, opts->end);
}

void elapsed_init(struct elapsed *l, const struct elapsed_opts *opts, struct fold *fold,
                  struct arena *run)
{
	*l = (struct elapsed){ .opts = *opts, .fold = fold };
	events_init(&l->other, run, NULL);
}

static bool is_called(struct str name, struct str want)
{
	return str_eq(name, want) || str_eq(event_name_base(name), want);
}

/*
 * Returns the role of an event.  Caches the role by the address of attr, because a profile has
 * one struct attr for each event.
 */
static enum role role_of(struct elapsed *l, const struct attr *attr)
{
	uint32_t *role;

	if (!attr)
		return ROLE_OTHER;
	role = table_at(&l->roles, &l->arena, (uintptr_t)attr, 0);
	if (!*role)
		*role = is_called(attr->name, l->opts.begin) ? ROLE_BEGIN
		        : is_called(attr->name, l->opts.end) ? ROLE_END
		                                             : ROLE_OTHER;
	return (enum role) * role;
}

/*
 * Returns the state of a sample's thread.  tid 0 is the idle thread.  Each CPU has its own idle
 * thread, so the CPU identifies this thread.
 */
static struct elapsed_thread *thread_of(struct elapsed *l, const struct sample *s)
{
	uint32_t *at = table_at(&l->by_tid, &l->arena, (uint32_t)s->tid,
	                        s->tid ? 0 : (uint32_t)s->ev->cpu);

	return table_item(at, &l->arena, l->thread, l->n, l->cap,
	                  (struct elapsed_thread){ 0 });
}

/* Counts and removes the last begin event of a thread, because its end event is missing. */
static void give_up(struct elapsed *l, struct elapsed_thread *t)
{
	if (!t->stack && !t->left_out)
		return;
	if (t->stack && t->losses != l->losses)
		l->counts.lost++;
	else
		l->counts.unended += t->stack != 0;
	t->stack = 0;
	t->left_out = false;
}

static void begin(struct elapsed *l, const struct profile *p, const struct sample *s)
{
	struct elapsed_thread *t = thread_of(l, s);
	enum select_by lacking;

	give_up(l, t);
	l->counts.begins++;
	t->left_out = l->select && !select_wants(l->select, s, &lacking);
	if (t->left_out)
		return;
	if (!fold_sample(l->fold, p, s, &t->stack)) {
		t->stack = 0;
		t->left_out = true;
		l->counts.dropped++;
	}
	t->begin_ns = s->ev->time_ns;
	t->losses = l->losses;
}

static void end(struct elapsed *l, const struct sample *s)
{
	struct elapsed_thread *t = thread_of(l, s);
	uint64_t now = s->ev->time_ns;

	l->counts.ends++;
	if (t->stack && t->losses == l->losses && now >= t->begin_ns) {
		fold_add_span(l->fold, t->stack, t->begin_ns, now);
		l->counts.taken++;
		t->stack = 0;
		return;
	}
	l->counts.unbegun += !t->stack && !t->left_out;
	give_up(l, t);
}

void elapsed_take(struct elapsed *l, struct profile *p, const struct sample *s)
{
	const struct event *ev = s->ev;
	enum role role;

	l->losses += ev->kind == EV_LOST || profile_damages(p) != l->damages;
	l->damages = profile_damages(p);
	if (ev->kind != EV_SAMPLE)
		return;
	role = role_of(l, ev->attr);
	if (role == ROLE_OTHER)
		events_leave(&l->other, ev->attr ? ev->attr->name : STR(""));
	else if (!ev->has_time || s->tid < 0)
		l->counts.untimed++;
	else if (role == ROLE_BEGIN)
		begin(l, p, s);
	else
		end(l, s);
}

void elapsed_end(struct elapsed *l)
{
	for (size_t i = 0; i < l->n; i++)
		give_up(l, &l->thread[i]);
	arena_release(&l->arena);
	l->by_tid = l->roles = (struct table){ 0 };
	l->thread = NULL;
	l->n = l->cap = 0;
	l->losses = l->damages = 0;
}

struct state {
	struct measure_run *run;
	struct elapsed pairs;
};

static bool set_events(struct measure_opts *opts, const char *arg)
{
	return elapsed_parse(&opts->elapsed, arg);
}

static const struct measure_option options[] = {
	{ "weight-of", set_events, "expected two events, A..B" },
	{ 0 },
};

static bool fits(const struct measure_opts *opts, const struct reader *r)
{
	(void)r;
	return opts->elapsed.begin.n;
}

static void init(void *state, struct measure_run *run)
{
	struct state *m = state;

	m->run = run;
	run->noun = "interval";
	elapsed_init(&m->pairs, &run->opts->elapsed, run->fold, run->arena);
}

static bool take(void *state, struct profile *p, const struct sample *s)
{
	elapsed_take(&((struct state *)state)->pairs, p, s);
	return true;
}

static void end_input(void *state)
{
	struct state *m = state;

	elapsed_end(&m->pairs);
	m->run->counts.samples = m->pairs.counts.taken;
	m->run->counts.dropped = m->pairs.counts.dropped;
}

static struct head head(const void *state, struct arena *a)
{
	const struct elapsed_opts *opts = &((const struct state *)state)->pairs.opts;

	return (struct head){
		.event = arena_fmt(a, PRSTR ".." PRSTR, STRARG(opts->begin),
		                   STRARG(opts->end)),
		.unit = STR("ns"),
	};
}

static void report(const void *state, struct diag *diag, struct arena *a)
{
	const struct elapsed *l = &((const struct state *)state)->pairs;
	struct str other = events_list_left_out(&l->other, a);
	const struct counted left_out[] = {
		{ l->counts.unended, "begin without an end", "begins without an end" },
		{ l->counts.unbegun, "end without a begin", "ends without a begin" },
		{ l->counts.lost, "pair in which records were lost",
		  "pairs in which records were lost" },
		{ l->counts.untimed, "event without time or thread",
		  "events without time or thread" },
	};

	if (other.n)
		diag_note(diag, "other events left out: " PRSTR, STRARG(other));
	counted_report(diag, a, left_out, 4);
}

static bool nothing(const void *state, struct diag *diag, const char *input)
{
	const struct state *m = state;
	const struct elapsed *l = &m->pairs;
	struct str other = events_list_left_out(&l->other, m->run->arena);

	if (l->counts.untimed)
		diag_fatal(diag,
		           "%s: the events have no times or threads; print them with "
		           "perf script -F +time,+tid",
		           input);
	else
		diag_fatal(diag,
		           "%s: no pair of events: %llu of event " PRSTR
		           ", %llu of event " PRSTR "%s" PRSTR,
		           input, (unsigned long long)l->counts.begins,
		           STRARG(l->opts.begin), (unsigned long long)l->counts.ends,
		           STRARG(l->opts.end), other.n ? "; there are: " : "",
		           STRARG(other));
	return true;
}

const struct measure elapsed_measure = {
	.name = "elapsed",
	.options = options,
	.size = sizeof(struct state),
	.kinds = (uint64_t)1 << EV_LOST,
	.select_at = offsetof(struct state, pairs.select),
	.fits = fits,
	.init = init,
	.take = take,
	.end = end_input,
	.head = head,
	.report = report,
	.nothing = nothing,
};

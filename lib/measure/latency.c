#include "measure/latency.h"

#include "reader/event_name.h"

enum role { ROLE_OTHER = 1, ROLE_BEGIN, ROLE_END };

struct latency_thread {
	stack_id stack; /* of the begin that has no end yet; 0: there is none */
	uint64_t begin_ns;
	uint64_t losses; /* of records, before the begin */
	bool left_out;   /* the begin was not selected, or rules drop it */
};

bool latency_parse(struct latency_opts *opts, const char *arg)
{
	struct str s = str_of(arg);
	size_t at = str_search(s, STR(".."));

	opts->begin = str_head(s, at);
	opts->end = str_from(s, at + 2);
	return opts->begin.n && opts->end.n && !str_eq(opts->begin, opts->end);
}

void latency_init(struct latency *l, const struct latency_opts *opts, struct fold *fold,
                  struct arena *run)
{
	*l = (struct latency){ .opts = *opts, .fold = fold };
	events_init(&l->other, run, NULL);
}

static bool is_called(struct str name, struct str want)
{
	return str_eq(name, want) || str_eq(event_name_base(name), want);
}

/* An event of a profile is described by one struct attr. */
static enum role role_of(struct latency *l, const struct attr *attr)
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

/* Each CPU has an idle task of its own, and all of them have tid 0. */
static struct latency_thread *thread_of(struct latency *l, const struct sample *s)
{
	uint32_t *at = table_at(&l->by_tid, &l->arena, (uint32_t)s->tid,
	                        s->tid ? 0 : (uint32_t)s->ev->cpu);

	if (!*at) {
		l->thread = arena_grow(&l->arena, l->thread, &l->cap, l->n + 1,
		                       sizeof(*l->thread));
		l->thread[l->n++] = (struct latency_thread){ 0 };
		*at = (uint32_t)l->n;
	}
	return &l->thread[*at - 1];
}

/* Ends an open begin that has found no end. */
static void give_up(struct latency *l, struct latency_thread *t)
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

static void begin(struct latency *l, const struct profile *p, const struct sample *s)
{
	struct latency_thread *t = thread_of(l, s);
	enum select_by lacking;

	give_up(l, t);
	l->counts.begins++;
	t->left_out = l->opts.select && !select_wants(l->opts.select, s, &lacking);
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

static void end(struct latency *l, const struct sample *s)
{
	struct latency_thread *t = thread_of(l, s);
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

void latency_take(struct latency *l, struct profile *p, const struct sample *s)
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

void latency_end(struct latency *l)
{
	for (size_t i = 0; i < l->n; i++)
		give_up(l, &l->thread[i]);
	arena_release(&l->arena);
	l->by_tid = l->roles = (struct table){ 0 };
	l->thread = NULL;
	l->n = l->cap = 0;
	l->losses = l->damages = 0;
}

#include "symbol/located.h"

#include "bind/shared_code.h"
#include "symbol/inlines.h"

/* Bits in an element of located_frames.stack. */
#define NOTED ((uint64_t)1 << 63) /* the frames were passed to the binder */
#define FIXED ((uint64_t)1 << 62) /* samples with this stack always have the same names */
#define USES  (FIXED - 1)

static const struct mapping *mapping_of(const struct profile *p,
                                        const struct location *at)
{
	return process_listed(p->session.ps, at->mapping);
}

/*
 * Returns the index of a frame in arrays that have two elements for each location: as leaf and as
 * caller.
 */
static size_t place_of(const struct frame *f)
{
	return 2 * (size_t)f->known + f->caller;
}

static struct location location_of(const struct profile *p, const struct frame *f)
{
	const struct location none = { .addr = f->ip };

	return f->known ? reader_location(p->inputs.reader, f->known) : none;
}

/* Returns the length of arrays that are indexed by results of place_of. */
static size_t count_places(const struct profile *p)
{
	return 2 * (reader_locations(p->inputs.reader) + 1);
}

static uint64_t *stack_at(struct profile *p, uint32_t stack)
{
	struct located_frames *t = &p->located;

	return &arena_fit(&p->session.run, t->stack, stack + 1u, t->stacks_cap)[stack];
}

void located_note(struct profile *p, struct event *ev)
{
	struct located_frames *t = &p->located;
	uint64_t *stack = stack_at(p, ev->stack);

	if (*stack & NOTED)
		return;
	*stack |= ev->stack ? NOTED : 0;
	reader_frames(p->inputs.reader, ev);
	if (!t->noted)
		t->noted = arena_new(&p->session.run, bool, count_places(p));
	for (const struct frame *f = ev->frames; f < ev->frames + ev->nframes; f++) {
		size_t place = place_of(f);
		struct location at;

		if (t->noted[place])
			continue;
		t->noted[place] = true;
		at = location_of(p, f);
		if (!at.nlines)
			bind_note(p->session.binder, mapping_of(p, &at), ev->pid, at.addr,
			          f->caller, false);
	}
}

/* Sets the source line of a name, and the line at which its function begins. */
static void take_line(struct frames *t, struct named *to,
                      const struct location_line *line)
{
	to->srcline = t->s->opts.lines ? inlines_line(t, line->file, line->line) : 0;
	to->decl = inlines_line(t, line->file, line->begins);
}

/*
 * Makes a frame with the names that the profile contains for a location.  The last line has the
 * outermost function.
 */
static struct placed take_names(struct frames *t, const struct bind_query *q,
                                const struct location *at)
{
	const struct location_line *last = &at->lines[at->nlines - 1];
	struct interner *names = &t->s->names;
	struct named *own;
	struct placed out;

	resolve_begin_at(t, q);
	out.addr = t->made.addr;
	t->made.how = VERIFIED_EVENT;
	own = resolve_own(t);
	own->func = intern(names, last->func);
	if (last->func.n)
		own->flags &= ~(unsigned)NAMED_UNKNOWN;
	take_line(t, own, last);
	for (const struct location_line *line = at->lines;
	     line < last && !t->s->opts.no_inline; line++)
		if (line->func.n)
			take_line(t, inlines_push(t, intern(names, line->func)), line);
	resolve_share(t, q->m);
	out.id = resolve_end(t);
	return out;
}

bool located_is_fixed(const struct profile *p)
{
	return !p->frames.recorded.n && shared_code_has_no_maps(p->session.binder);
}

static struct located_frame resolve_location(struct profile *p, const struct event *ev,
                                             int32_t pid, const struct frame *f,
                                             bool *fixed)
{
	struct frames *t = &p->frames;
	struct location at = location_of(p, f);
	struct bind_query q = { .m = mapping_of(p, &at),
		                .pid = pid,
		                .ip = at.addr,
		                .time_ns = event_moment(ev),
		                .inlined = !t->s->opts.no_inline };
	struct shared_code_form form;
	struct placed out;

	if (q.m && q.m->kind == MAPPED_IMAGE && t->s->can_name) {
		form = shared_code_form(t->s->binder, q.m);
		q.ip -= form.less;
		q.caller = f->caller && form.returns;
	}
	*fixed = at.nlines || (q.m && !mapping_is_jit(q.m)) || located_is_fixed(p);
	out = at.nlines ? take_names(t, &q, &at) : resolve_query(t, &q, fixed);
	return (struct located_frame){ out.id + 1, at.mapping, out.addr };
}

/*
 * Resolves each frame.  Returns true if the names of all frames are fixed, unlike names of JIT
 * code.
 */
static bool resolve_frames(struct profile *p, const struct event *ev, int32_t pid,
                           struct placed *sample)
{
	struct located_frames *t = &p->located;
	bool all_fixed = true;

	if (!t->known)
		t->known =
		        arena_new(&p->session.run, struct located_frame, count_places(p));
	for (size_t i = 0; i < ev->nframes; i++) {
		const struct frame *f = &ev->frames[i];
		struct located_frame *known = &t->known[place_of(f)], made = *known;
		bool fixed = true;

		if (!made.id) {
			made = resolve_location(p, ev, pid, f, &fixed);
			all_fixed &= fixed;
			if (fixed && f->known)
				*known = made;
		}
		sample[i] = (struct placed){ made.id - 1, made.addr };
	}
	return all_fixed;
}

void located_resolve(struct profile *p, struct event *ev, int32_t pid)
{
	struct placed *sample = resolve_room(&p->frames, ev->nframes);

	if (!resolve_frames(p, ev, pid, sample))
		ev->stack = 0;
	*stack_at(p, ev->stack) |= ev->stack ? FIXED : 0;
}

bool located_delay(struct profile *p, const struct event *ev)
{
	uint64_t *stack;

	if (!p->located.delays)
		return false;
	stack = stack_at(p, ev->stack);
	if (!(*stack & FIXED))
		return false;
	*stack += 1 + (uint64_t)ev->repeats;
	return true;
}

bool located_delayed(struct profile *p, uint32_t *stack, uint64_t *uses)
{
	struct located_frames *t = &p->located;

	while (t->delays && *stack < t->stacks_cap && !(t->stack[*stack] & USES))
		++*stack;
	if (!t->delays || *stack >= t->stacks_cap)
		return false;
	*uses = t->stack[*stack] & USES;
	t->stack[*stack] &= ~USES;
	return true;
}

const struct mapping *located_mapping(const struct profile *p, const struct frame *f)
{
	const struct located_frames *t = &p->located;
	struct location at;

	if (t->known && t->known[place_of(f)].id)
		return process_listed(p->session.ps, t->known[place_of(f)].mapping);
	at = location_of(p, f);
	return mapping_of(p, &at);
}

bool located_is_return(const struct profile *p, const struct frame *f)
{
	const struct mapping *m = located_mapping(p, f);

	return m && m->kind == MAPPED_IMAGE && p->session.can_name &&
	       shared_code_form(p->session.binder, m).returns;
}

/* If a location occurs both as a leaf and as a caller, it is named as a caller. */
frame_id located_name(struct profile *p, uint32_t number)
{
	const struct located_frames *t = &p->located;
	struct frame f = { .known = number, .caller = true };
	const struct event ev = { .pid = -1 };
	size_t place = place_of(&f);
	bool fixed;

	f.caller = t->noted && t->noted[place];
	return resolve_location(p, &ev, ev.pid, &f, &fixed).id - 1;
}

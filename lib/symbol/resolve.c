#include "symbol/resolve.h"

#include <stdio.h>

enum { MAX_INLINED = 256 }; /* functions at one address */

static str_id srcline(struct frames *t, const struct dwarf_place *at)
{
	uint64_t file = (uintptr_t)at->file.p;
	char text[512];
	uint32_t *id;
	int n;

	if (!t->s->opts.lines || !at->file.n || !at->line ||
	    at->file.n > sizeof(text) - 16)
		return 0;
	id = table_at(&t->srcline_of, &t->s->run, file, at->line);
	if (*id)
		return *id;
	n = snprintf(text, sizeof(text), PRSTR ":%u", STRARG(at->file), at->line);
	/* A line end in it would end the frame's line. */
	for (int i = 0; i < n; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			text[i] = ' ';
	return *id = intern(&t->s->names, (struct str){ text, (size_t)n });
}

/*
 * perf 6.1 asks addr2line, and takes the function whose name is the symbol's for the one
 * that is not inlined.
 */
static void call_as_perf(struct dwarf_place *place, size_t n, struct str symbol)
{
	for (size_t i = 0; i < n; i++)
		if (place[i].by_symbol || (!place[i].func.n && (!i || i == n - 1)))
			place[i].func = symbol;
}

static void take_places(struct frames *t, const struct dwarf_place *place, size_t n,
                        struct found *f)
{
	str_id symbol = f->func;

	t->inlined = arena_grow(&t->s->run, t->inlined, &t->inlined_cap, n,
	                        sizeof(*t->inlined));
	f->inlined = t->inlined;
	for (size_t i = 0; i < n - 1; i++) {
		str_id func = intern(&t->s->names, place[i].func);

		/* Names may be in a supplementary file (dwz) that is missing. */
		if (!place[i].func.n)
			continue;
		t->inlined[f->ninlined++] = (struct inlined_name){
			.func = func,
			.off = f->off,
			.has_off = true,
			.srcline = srcline(t, &place[i]),
			.there = t->s->opts.compat && func == symbol,
		};
	}
	if (t->s->opts.compat) {
		f->func = intern(&t->s->names, place[n - 1].func);
		f->as_inlined = f->func != symbol;
	}
}

/* Can the file add source lines or inlined functions?  A jitdump has lines only. */
static bool may_add(const struct frames *t, const struct bind_query *q,
                    const struct bound_name *name)
{
	return t->s->opts.lines ? name->native || name->dump : name->native && q->inlined;
}

/* Adds to f, which is name, source lines and the functions compiled into it. */
static void add_places(struct frames *t, const struct bind_query *q,
                       const struct bound_name *name, struct found *f)
{
	struct dwarf_place place[MAX_INLINED];
	size_t n;

	if (!may_add(t, q, name))
		return;
	n = bind_places(t->s->binder, q, name, place, MAX_INLINED);
	if (!n)
		return;
	f->srcline = srcline(t, &place[q->inlined ? n - 1 : 0]);
	if (!q->inlined)
		return;
	if (t->s->opts.compat)
		call_as_perf(place, n, intern_str(&t->s->names, f->func));
	take_places(t, place, n, f);
}

struct found resolve_recorded(const struct frames *t, const struct recorded_name *n)
{
	if (!n)
		return (struct found){ 0 };
	return (struct found){ .func = n->func,
		               .off = n->off,
		               .has_off = n->has_off,
		               .ok = true,
		               .how = VERIFIED_RECORDED,
		               .inlined = t->recorded.inlined + n->inlined,
		               .ninlined = t->s->opts.no_inline ? 0 : n->ninlined };
}

static struct found from_maps(struct frames *t, const struct bind_query *q)
{
	struct bound_name name;
	struct found f;

	if (!bind_find(t->s->binder, q, &name))
		return (struct found){ 0 };
	f = (struct found){ .func = intern(&t->s->names, name.func),
		            .off = name.off,
		            .has_off = true,
		            .ok = true,
		            .guessed = name.guessed,
		            .by = name.by,
		            .how = name.how };
	add_places(t, q, &name, &f);
	return f;
}

/*
 * A recorded text seldom has inlined functions, and no source lines.  A file adds them if
 * its build-id is that of what ran, or if it names the address as the text does.
 */
static void complete(struct frames *t, const struct bind_query *q, struct found *f)
{
	struct bound_name name;

	if (f->ninlined || (!q->inlined && !t->s->opts.lines) ||
	    !bind_has_places(t->s->binder, q->m) || !bind_find(t->s->binder, q, &name) ||
	    !name.native)
		return;
	if (name.how == VERIFIED_ID ||
	    (f->has_off && f->off == name.off &&
	     str_eq(intern_str(&t->s->names, f->func), name.func)))
		add_places(t, q, &name, f);
}

/*
 * Names one address.  Recorded names come first, except in JIT code, where the perf map at
 * hand may be newer than the one perf read.
 */
static struct found name_there(struct frames *t, const struct bind_query *q)
{
	const struct mapping *m = q->m;
	struct found f = { 0 };

	if (!t->s->can_name)
		return f;
	if (!m || mapping_is_jit(m))
		f = from_maps(t, q);
	if (f.ok)
		return f;
	f = resolve_recorded(t, recorded_find(&t->recorded, m, q->pid, q->ip));
	if (m && (m->kind == MAPPED_IMAGE || m->kind == MAPPED_KERNEL)) {
		if (f.ok)
			complete(t, q, &f);
		else
			f = from_maps(t, q);
	}
	return f;
}

/*
 * V8 maps the part of the program that holds its builtins twice, and its perf map names
 * them in the first mapping only.  So an unnamed address is looked up in the other mapping
 * of the same byte as well.
 */
struct found resolve_name(struct frames *t, const struct bind_query *q)
{
	struct found f = name_there(t, q);
	struct bind_query other = *q;
	uint64_t file_off;

	if (f.ok || !t->s->can_name || t->s->opts.compat || !q->m ||
	    q->m->kind != MAPPED_IMAGE || q->m->assumed)
		return f;
	file_off = q->ip - q->m->bias;
	other.m = process_other_offset(t->s->ps, q->pid, q->m->module, file_off, q->m);
	if (!other.m)
		return f;
	other.ip = file_off + other.m->bias;
	return name_there(t, &other);
}

void resolve_init(struct frames *t, struct session *s)
{
	*t = (struct frames){ .s = s };
	chain_init(&t->chains, &s->run);
	recorded_init(&t->recorded, &s->run, &s->names);
}

frame_id resolve_new_frame(struct frames *t)
{
	t->frame = arena_grow(&t->s->run, t->frame, &t->cap, t->n + 1, sizeof(*t->frame));
	t->uses =
	        arena_grow(&t->s->run, t->uses, &t->uses_cap, t->n + 1, sizeof(*t->uses));
	return (frame_id)t->n++;
}

static bool is_alike(const struct resolved *a, const struct resolved *b)
{
	if (a->n != b->n || a->m != b->m || a->by != b->by || a->how != b->how ||
	    a->improved != b->improved)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->names[i].func != b->names[i].func ||
		    a->names[i].module != b->names[i].module ||
		    a->names[i].flags != b->names[i].flags ||
		    a->names[i].srcline != b->names[i].srcline)
			return false;
	return true;
}

static uint64_t hash_alike(const struct resolved *r)
{
	uint64_t hash = hash_mix((uintptr_t)r->m, (uintptr_t)r->by);

	for (size_t i = 0; i < r->n; i++) {
		const struct named *n = &r->names[i];

		hash = hash_mix(hash ^ n->func, (uint64_t)n->module << 32 | n->flags);
		hash = hash_mix(hash, n->srcline);
	}
	return hash;
}

/* Adds r, whose names are kept for it unless a frame is alike. */
static frame_id add_frame(struct frames *t, const struct resolved *r)
{
	uint64_t hash = hash_alike(r);
	uint32_t known = t->s->opts.addresses ? 0 : table_get(&t->alike, hash, r->n);
	struct named *names;
	frame_id id;

	if (known && is_alike(&t->frame[known - 1], r))
		return known - 1;
	names = arena_new(&t->s->run, struct named, r->n);
	memcpy(names, r->names, r->n * sizeof(*names));
	id = resolve_new_frame(t);
	t->frame[id] = *r;
	t->frame[id].names = names;
	if (!t->s->opts.addresses)
		*table_at(&t->alike, &t->s->run, hash, r->n) = id + 1;
	return id;
}

frame_id resolve_frame(struct frames *t, const struct printed *at, const struct found *f,
                       unsigned flags)
{
	struct named *named;

	t->named = named = arena_grow(&t->s->run, t->named, &t->named_cap,
	                              f->ninlined + 1, sizeof(*named));
	for (size_t i = 0; i < f->ninlined; i++)
		named[i] = (struct named){
			.func = f->inlined[i].func,
			.module = at->module,
			.addr = at->addr,
			.has_off = f->inlined[i].has_off,
			.off = f->inlined[i].off,
			.in_module = at->in_module,
			.flags = flags | (f->inlined[i].there ? 0u : NAMED_INLINED),
			.srcline = f->inlined[i].srcline
		};
	named[f->ninlined] =
	        (struct named){ .func = f->func,
		                .module = at->module,
		                .addr = at->addr,
		                .has_off = f->has_off,
		                .off = f->off,
		                .in_module = at->in_module,
		                .flags = flags | (f->ok ? 0u : NAMED_UNKNOWN) |
		                         (f->guessed ? NAMED_GUESSED : 0u) |
		                         (f->as_inlined ? NAMED_INLINED : 0u),
		                .srcline = f->srcline };
	if (f->guessed && !t->guessed_by)
		t->guessed_by = f->by;
	return add_frame(t, &(struct resolved){ .names = named,
	                                        .n = f->ninlined + 1,
	                                        .prefix = at->prefix,
	                                        .bare = at->bare,
	                                        .improved = at->improved,
	                                        .how = (uint8_t)f->how,
	                                        .m = f->m,
	                                        .by = f->by });
}

unsigned resolve_flags(const struct mapping *m)
{
	if (!m)
		return 0;
	if (m->kind == MAPPED_KERNEL)
		return NAMED_KERNEL;
	return m->kind == MAPPED_IMAGE ? 0 : NAMED_JIT;
}

uint32_t *resolve_slot(struct frames *t, uint32_t *at, const struct bind_query *q)
{
	if (!*at && bind_varies(t->s->binder, q))
		*at = FRAME_VARIES | t->nvarying++;
	if (!(*at & FRAME_VARIES))
		return at;
	return table_at(&t->by_generation, &t->s->run, *at,
	                bind_generation(t->s->binder, q));
}

/* The module as it is printed in the parentheses. */
static str_id printed_module(const struct frames *t, const struct mapping *m)
{
	return t->s->opts.kernel_paths && m->file ? m->file : m->module;
}

/* Offset in the file; kernel modules included. */
static uint64_t place_in_file(const struct bind_query *q)
{
	return q->m->file ? q->ip - q->m->bias : mapping_printed(q->m, q->ip);
}

/* resolve_ip for an address that may be new. */
static frame_id resolve_new_ip(struct frames *t, uint64_t who, const struct bind_query *q,
                               bool *fixed)
{
	uint32_t *at = table_at(&t->by_ip, &t->s->run, who, q->ip);
	struct printed as = { 0 };
	struct found f;

	if (!*at || *at & FRAME_VARIES) {
		uint32_t *there = resolve_slot(t, at, q);

		*fixed &= there == at;
		at = there;
	}
	if (*at)
		return *at - 1;
	f = resolve_name(t, q);
	f.m = q->m;
	as.addr = as.in_module = q->ip;
	if (q->m) {
		as.in_module = place_in_file(q);
		as.addr = t->s->opts.absolute ? q->ip : mapping_printed(q->m, q->ip);
		as.module = printed_module(t, q->m);
	}
	as.improved = f.ok;
	return (*at = 1 + resolve_frame(t, &as, &f, resolve_flags(q->m))) - 1;
}

/* Clears *fixed when the address may be another frame at another time. */
static frame_id resolve_ip(struct frames *t, const struct bind_query *q, bool *fixed)
{
	/* All bits of ip count: a broken chain has any. */
	uint64_t who = q->m ? (uint64_t)q->m->id << 1 : (uint64_t)(uint32_t)q->pid << 32;
	bool other = q->caller || (t->s->opts.compat && q->inlined);
	uint32_t known = table_get(&t->by_ip, who | other, q->ip);

	if (known && !(known & FRAME_VARIES))
		return known - 1;
	return resolve_new_ip(t, who | other, q, fixed);
}

/*
 * Like perf: data that kernel code reads may be a user's, and the reverse; then the upper
 * half of the address tells.
 */
frame_id resolve_address(struct frames *t, const struct event *ev, int32_t pid,
                         uint64_t ip, enum cpumode mode)
{
	enum cpumode other = ip >> KERNEL_BIT ? MODE_KERNEL : MODE_USER;
	struct bind_query q = { .pid = pid, .ip = ip, .time_ns = event_moment(ev) };
	bool fixed = true;

	q.m = process_find(t->s->ps, pid, ip, mode);
	if (!q.m && mode != other && (mode == MODE_KERNEL || mode == MODE_USER))
		q.m = process_find(t->s->ps, pid, ip, other);
	return resolve_ip(t, &q, &fixed);
}

/* Resolves frames from..to of ev.  False: at another time they may be others. */
static bool resolve_some(struct frames *t, const struct event *ev, int32_t pid,
                         size_t from, size_t to)
{
	struct bind_query q = { .pid = pid, .time_ns = event_moment(ev) };
	bool fixed = true;

	for (size_t i = from; i < to; i++) {
		const struct frame *f = &ev->frames[i];

		q.m = process_find(t->s->ps, pid, f->ip, f->cpumode);
		if (!q.m && f->cpumode == MODE_KERNEL)
			q.m = bind_beyond_kernel(t->s->binder, process_kernel(t->s->ps),
			                         f->ip);
		q.ip = f->ip;
		q.caller = f->caller && !t->s->opts.compat;
		/* perf shows them in chains that it unwound itself. */
		q.inlined = !t->s->opts.no_inline && (!t->s->opts.compat || f->unwound);
		t->ids[i] = resolve_ip(t, &q, &fixed);
	}
	return fixed;
}

/* Resolves callers that were not met as a whole before, in a process of that state. */
static uint32_t resolve_new_chain(struct frames *t, const struct event *ev, int32_t pid,
                                  uint64_t state)
{
	struct chains *cs = &t->chains;
	size_t n = ev->nframes, same = chain_shared(cs, ev, state);
	const struct chain *last;

	if (same) {
		last = &cs->chain[cs->n];
		memcpy(t->ids + n - same, last->ids + last->n - same,
		       same * sizeof(*t->ids));
	}
	if (resolve_some(t, ev, pid, 1, n - same))
		return chain_add(cs, t->ids + 1, n - 1);
	cs->nlast = 0;
	return 0;
}

uint32_t resolve_sample(struct frames *t, const struct event *ev, int32_t pid)
{
	size_t n = ev->nframes;
	uint64_t state;
	uint32_t chain;

	resolve_room(t, n);
	if (n < 2 || !ev->callers.n || !chain_pay(&t->chains)) {
		resolve_some(t, ev, pid, 0, n);
		return 0;
	}
	resolve_some(t, ev, pid, 0, 1);
	state = process_state(t->s->ps, pid);
	chain = chain_find_callers(&t->chains, ev, state);
	if (!chain)
		return resolve_new_chain(t, ev, pid, state);
	if (t->chains.chain[chain].n != n - 1) {
		resolve_some(t, ev, pid, 1, n);
		return 0;
	}
	memcpy(t->ids + 1, t->chains.chain[chain].ids, (n - 1) * sizeof(*t->ids));
	return chain;
}

frame_id *resolve_room(struct frames *t, size_t n)
{
	return t->ids = arena_grow(&t->s->run, t->ids, &t->ids_cap, n + 1,
	                           sizeof(*t->ids));
}

bool resolve_guessed(const struct frames *t, size_t n)
{
	bool guessed = false;

	for (size_t i = 0; t->guessed_by && i < n && !guessed; i++) {
		const struct resolved *r = &t->frame[t->ids[i]];

		guessed = r->n && r->names[r->n - 1].flags & NAMED_GUESSED;
	}
	return guessed;
}

void resolve_count(struct frames *t, size_t n, uint32_t chain)
{
	if (chain)
		t->chains.chain[chain].uses++;
	for (size_t i = 0; i < (chain ? 1 : n); i++)
		t->uses[t->ids[i]]++;
}

void resolve_settle_uses(struct frames *t)
{
	for (size_t c = 1; c <= t->chains.n; c++) {
		struct chain *chain = &t->chains.chain[c];

		for (size_t i = 0; i < chain->n && chain->uses; i++)
			t->uses[chain->ids[i]] += chain->uses;
		chain->uses = 0;
	}
}

/*
 * From addresses to names: once for each distinct one.
 */
#include "symbol/resolve.h"

#include "symbol/text/textline.h"

#include <stdio.h>

enum { MAX_INLINED = 256 }; /* functions at one address */

static str_id srcline(struct profile *p, const struct dwarf_place *at)
{
	uint64_t file = (uintptr_t)at->file.p;
	char text[512];
	uint32_t *id;
	int n;

	if (!p->opts.lines || !at->file.n || !at->line || at->file.n > sizeof(text) - 16)
		return 0;
	id = table_at(&p->line_of, &p->run, file, at->line);
	if (*id)
		return *id;
	n = snprintf(text, sizeof(text), PRSTR ":%u", STRARG(at->file), at->line);
	/* A line end in it would end the frame's line. */
	for (int i = 0; i < n; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			text[i] = ' ';
	return *id = intern(&p->names, (struct str){ text, (size_t)n });
}

/* perf 6.1 asks addr2line, and takes for the function that is there what is called so. */
static void call_as_perf(struct dwarf_place *place, size_t n, struct str symbol)
{
	for (size_t i = 0; i < n; i++)
		if (place[i].by_symbol || (!place[i].func.n && (!i || i == n - 1)))
			place[i].func = symbol;
}

static void take_places(struct profile *p, const struct dwarf_place *place, size_t n,
                        struct found *f)
{
	str_id symbol = f->func;

	p->inlined =
	        arena_grow(&p->run, p->inlined, &p->inlined_cap, n, sizeof(*p->inlined));
	f->inlined = p->inlined;
	for (size_t i = 0; i < n - 1; i++) {
		str_id func = intern(&p->names, place[i].func);

		/* Their names may be in a file that is not there. */
		if (!place[i].func.n)
			continue;
		p->inlined[f->ninlined++] = (struct inlined_name){
			.func = func,
			.off = f->off,
			.has_off = true,
			.srcline = srcline(p, &place[i]),
			.there = p->opts.compat && func == symbol,
		};
	}
	if (p->opts.compat) {
		f->func = intern(&p->names, place[n - 1].func);
		f->as_inlined = f->func != symbol;
	}
}

/* A dump of JIT code knows lines alone, and is not asked for nothing. */
static bool may_add(const struct profile *p, const struct bind_query *q,
                    const struct bound_name *name)
{
	return p->opts.lines ? name->native || name->dump : name->native && q->inlined;
}

/* Adds to f, which is name, source lines and the functions compiled into it. */
static void add_places(struct profile *p, const struct bind_query *q,
                       const struct bound_name *name, struct found *f)
{
	struct dwarf_place place[MAX_INLINED];
	size_t n;

	if (!may_add(p, q, name))
		return;
	n = bind_places(p->binder, q, name, place, MAX_INLINED);
	if (!n)
		return;
	f->srcline = srcline(p, &place[q->inlined ? n - 1 : 0]);
	if (!q->inlined)
		return;
	if (p->opts.compat)
		call_as_perf(place, n, intern_str(&p->names, f->func));
	take_places(p, place, n, f);
}

struct found profile_from_recorded(const struct profile *p, const struct recorded_name *n)
{
	if (!n)
		return (struct found){ 0 };
	return (struct found){ .func = n->func,
		               .off = n->off,
		               .has_off = n->has_off,
		               .ok = true,
		               .how = VERIFIED_RECORDED,
		               .inlined = p->recorded.inlined + n->inlined,
		               .ninlined = p->opts.no_inline ? 0 : n->ninlined };
}

static struct found from_maps(struct profile *p, const struct bind_query *q)
{
	struct bound_name name;
	struct found f;

	if (!bind_find(p->binder, q, &name))
		return (struct found){ 0 };
	f = (struct found){ .func = intern(&p->names, name.func),
		            .off = name.off,
		            .has_off = true,
		            .ok = true,
		            .by = name.by,
		            .how = name.how };
	add_places(p, q, &name, &f);
	return f;
}

/*
 * A text that was made where the files were, as perf makes it, has no inlined functions
 * and no lines.  A file adds them if it is what ran, or calls the place as the text does.
 */
static void complete(struct profile *p, const struct bind_query *q, struct found *f)
{
	struct bound_name name;

	if (f->ninlined || (!q->inlined && !p->opts.lines) ||
	    !bind_has_places(p->binder, q->m) || !bind_find(p->binder, q, &name) ||
	    !name.native)
		return;
	if (name.how == VERIFIED_ID ||
	    (f->has_off && f->off == name.off &&
	     str_eq(intern_str(&p->names, f->func), name.func)))
		add_places(p, q, &name, f);
}

/* Recorded names first, but in JIT code: a perf map knows more than perf did. */
static struct found look_up_there(struct profile *p, const struct bind_query *q)
{
	const struct mapping *m = q->m;
	struct found f = { 0 };

	if (!p->can_name)
		return f;
	if (!m || mapping_is_jit(m))
		f = from_maps(p, q);
	if (f.ok)
		return f;
	f = profile_from_recorded(p, recorded_find(&p->recorded, m, q->pid, q->ip));
	if (m && (m->kind == MAPPED_IMAGE || m->kind == MAPPED_KERNEL)) {
		if (f.ok)
			complete(p, q, &f);
		else
			f = from_maps(p, q);
	}
	return f;
}

/*
 * V8 maps the part of the program that has its builtins a second time, and its map has
 * them in the first: one place in a file is the same code in either.
 */
struct found profile_look_up(struct profile *p, const struct bind_query *q)
{
	struct found f = look_up_there(p, q);
	struct bind_query other = *q;
	uint64_t file_off;

	if (f.ok || !p->can_name || p->opts.compat || !q->m ||
	    q->m->kind != MAPPED_IMAGE || q->m->assumed)
		return f;
	file_off = q->ip - q->m->bias;
	other.m = process_other_offset(p->ps, q->pid, q->m->module, file_off, q->m);
	if (!other.m)
		return f;
	other.ip = file_off + other.m->bias;
	return look_up_there(p, &other);
}

frame_id profile_new_frame(struct profile *p)
{
	p->frame = arena_grow(&p->run, p->frame, &p->frames_cap, p->nframes + 1,
	                      sizeof(*p->frame));
	p->uses = arena_grow(&p->run, p->uses, &p->uses_cap, p->nframes + 1,
	                     sizeof(*p->uses));
	return (frame_id)p->nframes++;
}

frame_id profile_make_frame(struct profile *p, const struct printed *at,
                            const struct found *f, unsigned flags)
{
	struct named *named = arena_new(&p->run, struct named, f->ninlined + 1);
	frame_id id = profile_new_frame(p);

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
		                         (f->as_inlined ? NAMED_INLINED : 0u),
		                .srcline = f->srcline };
	p->frame[id] = (struct resolved){ .names = named,
		                          .n = f->ninlined + 1,
		                          .prefix = at->prefix,
		                          .bare = at->bare,
		                          .improved = f->ok,
		                          .how = (uint8_t)f->how,
		                          .m = f->m,
		                          .by = f->by };
	return id;
}

unsigned profile_flags_of(const struct mapping *m)
{
	if (!m)
		return 0;
	if (m->kind == MAPPED_KERNEL)
		return NAMED_KERNEL;
	return m->kind == MAPPED_IMAGE ? 0 : NAMED_JIT;
}

uint32_t *profile_slot_in_time(struct profile *p, uint32_t *at,
                               const struct bind_query *q)
{
	if (!*at && bind_varies(p->binder, q))
		*at = FRAME_VARIES | p->nvarying++;
	if (!(*at & FRAME_VARIES))
		return at;
	return table_at(&p->by_generation, &p->run, *at, bind_generation(p->binder, q));
}

/* What stands in the parentheses. */
static str_id shown_module(const struct profile *p, const struct mapping *m)
{
	return p->opts.kernel_paths && m->file ? m->file : m->module;
}

/* Of a kernel module as of other files. */
static uint64_t place_in_file(const struct bind_query *q)
{
	return q->m->file ? q->ip - q->m->bias : mapping_printed(q->m, q->ip);
}

/* As resolve_ip, of an address that may be new. */
static frame_id resolve_new(struct profile *p, uint64_t who, const struct bind_query *q,
                            bool *fixed)
{
	uint32_t *at = table_at(&p->by_ip, &p->run, who, q->ip);
	struct printed as = { 0 };
	struct found f;

	if (!*at || *at & FRAME_VARIES) {
		uint32_t *there = profile_slot_in_time(p, at, q);

		*fixed &= there == at;
		at = there;
	}
	if (*at)
		return *at - 1;
	f = profile_look_up(p, q);
	f.m = q->m;
	as.addr = as.in_module = q->ip;
	if (q->m) {
		as.in_module = place_in_file(q);
		as.addr = p->opts.absolute ? q->ip : mapping_printed(q->m, q->ip);
		as.module = shown_module(p, q->m);
	}
	return (*at = 1 + profile_make_frame(p, &as, &f, profile_flags_of(q->m))) - 1;
}

/* Clears *fixed when it may be another frame at another time. */
static frame_id resolve_ip(struct profile *p, const struct bind_query *q, bool *fixed)
{
	/* All bits of ip count: a broken chain has any. */
	uint64_t who = q->m ? (uint64_t)q->m->id << 1 : (uint64_t)(uint32_t)q->pid << 32;
	bool other = q->caller || (p->opts.compat && q->inlined);
	uint32_t known = table_get(&p->by_ip, who | other, q->ip);

	if (known && !(known & FRAME_VARIES))
		return known - 1;
	return resolve_new(p, who | other, q, fixed);
}

/* perf looks for user data of kernel code, and the reverse, by the upper half. */
frame_id profile_lookup(struct profile *p, int32_t pid, uint64_t ip, enum cpumode mode)
{
	enum cpumode other = ip >> KERNEL_BIT ? MODE_KERNEL : MODE_USER;
	struct bind_query q = { .pid = pid,
		                .ip = ip,
		                .time_ns = event_moment(&p->event) };
	bool fixed = true;

	q.m = process_find(p->ps, pid, ip, mode);
	if (!q.m && mode != other && (mode == MODE_KERNEL || mode == MODE_USER))
		q.m = process_find(p->ps, pid, ip, other);
	return resolve_ip(p, &q, &fixed);
}

/* The frames from..to of ev; false: at another time they may be others. */
static bool resolve_some(struct profile *p, const struct event *ev, int32_t pid,
                         size_t from, size_t to)
{
	struct bind_query q = { .pid = pid, .time_ns = event_moment(ev) };
	bool fixed = true;

	for (size_t i = from; i < to; i++) {
		const struct frame *f = &ev->frames[i];

		q.m = process_find(p->ps, pid, f->ip, f->cpumode);
		if (!q.m && f->cpumode == MODE_KERNEL)
			q.m = bind_beyond_kernel(p->binder, process_kernel(p->ps), f->ip);
		q.ip = f->ip;
		q.caller = f->caller && !p->opts.compat;
		/* perf shows them in chains that it unwound itself. */
		q.inlined = !p->opts.no_inline && (!p->opts.compat || f->unwound);
		p->ids[i] = resolve_ip(p, &q, &fixed);
	}
	return fixed;
}

/* Callers that were not met so, in a process of that state. */
static uint32_t resolve_chain(struct profile *p, const struct event *ev, int32_t pid,
                              uint64_t state)
{
	struct chains *cs = &p->chains;
	size_t n = ev->nframes, same = chain_shared(cs, ev, state);
	const struct chain *last;

	if (same) {
		last = &cs->chain[cs->n];
		memcpy(p->ids + n - same, last->ids + last->n - same,
		       same * sizeof(*p->ids));
	}
	if (resolve_some(p, ev, pid, 1, n - same))
		return chain_add(cs, p->ids + 1, n - 1);
	cs->nlast = 0;
	return 0;
}

static uint32_t resolve_ips(struct profile *p, const struct event *ev, int32_t pid)
{
	size_t n = ev->nframes;
	uint64_t state;
	uint32_t chain;

	if (n < 2 || !ev->callers.n || !chain_pay(&p->chains)) {
		resolve_some(p, ev, pid, 0, n);
		return 0;
	}
	resolve_some(p, ev, pid, 0, 1);
	state = process_state(p->ps, pid);
	chain = chain_find_callers(&p->chains, ev, state);
	if (!chain)
		return resolve_chain(p, ev, pid, state);
	if (p->chains.chain[chain].n != n - 1) {
		resolve_some(p, ev, pid, 1, n);
		return 0;
	}
	memcpy(p->ids + 1, p->chains.chain[chain].ids, (n - 1) * sizeof(*p->ids));
	return chain;
}

uint32_t profile_resolve(struct profile *p, const struct event *ev, int32_t pid)
{
	uint32_t chain = 0;

	p->ids = arena_grow(&p->run, p->ids, &p->ids_cap, ev->nframes + 1,
	                    sizeof(*p->ids));
	if (reader_has_ips(reader_format(p->reader)))
		chain = resolve_ips(p, ev, pid);
	else
		chain = profile_resolve_lines(p, ev, pid);
	if (chain)
		p->chains.chain[chain].uses++;
	for (size_t i = 0; i < (chain ? 1 : ev->nframes); i++)
		p->uses[p->ids[i]]++;
	return chain;
}

/*
 * From addresses and lines to names: once for each distinct one.
 */
#include "base/hash.h"
#include "base/out.h"
#include "symbol/session.h"
#include "symbol/textkernel.h"
#include "symbol/textplace.h"

#include <stdio.h>

/* A name found for a frame. */
struct found {
	str_id func;
	uint64_t off;
	bool has_off, ok;
	const struct mapping *m; /* where it lies; NULL when that is not known */
	const struct item *by;   /* the file that names it, or NULL */
	enum verified how;
	const struct inlined_name *inlined;
	size_t ninlined;
	str_id srcline;  /* of the function that is there */
	bool as_inlined; /* that one is printed as inlined */
};

enum { MAX_INLINED = 256 }; /* functions at one address */

static struct found from_recorded(const struct profile *p, const struct recorded_name *n)
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

static str_id srcline(struct profile *p, const struct dwarf_place *at)
{
	uint64_t file = (uintptr_t)at->file.p;
	char text[512];
	uint32_t *id;

	if (!p->opts.lines || !at->file.n || !at->line || at->file.n > sizeof(text) - 16)
		return 0;
	id = table_at(&p->line_of, &p->run, file, at->line);
	if (!*id)
		*id = intern(&p->names,
		             (struct str){ text, (size_t)snprintf(
		                                         text, sizeof(text), PRSTR ":%u",
		                                         STRARG(at->file), at->line) });
	return *id;
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

/* What DWARF adds to the symbol's name: lines, and functions compiled into it. */
static void add_places(struct profile *p, const struct bind_query *q, struct found *f)
{
	struct dwarf_place place[MAX_INLINED];
	size_t n;

	if (!q->inlined && !p->opts.lines)
		return;
	n = bind_places(p->binder, q, place, MAX_INLINED);
	if (!n)
		return;
	f->srcline = srcline(p, &place[q->inlined ? n - 1 : 0]);
	if (!q->inlined)
		return;
	if (p->opts.compat)
		call_as_perf(place, n, intern_str(&p->names, f->func));
	take_places(p, place, n, f);
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
	if (name.native)
		add_places(p, q, &f);
	return f;
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
	if (!f.ok)
		f = from_recorded(p, recorded_find(&p->recorded, m, q->pid, q->ip));
	if (!f.ok && m && (m->kind == MAPPED_IMAGE || m->kind == MAPPED_KERNEL))
		f = from_maps(p, q);
	return f;
}

/*
 * V8 maps the part of the program that has its builtins a second time, and its map has
 * them in the first: one place in a file is the same code in either.
 */
static struct found look_up(struct profile *p, const struct bind_query *q)
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

static frame_id new_frame(struct profile *p)
{
	p->frame = arena_grow(&p->run, p->frame, &p->frames_cap, p->nframes + 1,
	                      sizeof(*p->frame));
	p->uses = arena_grow(&p->run, p->uses, &p->uses_cap, p->nframes + 1,
	                     sizeof(*p->uses));
	return (frame_id)p->nframes++;
}

/* What is printed of a frame beside its name. */
struct printed {
	uint64_t addr, in_module; /* both as struct named has them */
	str_id module;
	struct str prefix; /* in front of the name; empty: "\t%16lx ", as perf has it */
	bool bare;         /* no module in parentheses where none is known */
};

static size_t put(char *to, struct str s)
{
	memcpy(to, s.p, s.n);
	return s.n;
}

/* "\t%16lx FUNC+0xOFF (MODULE)\n", as perf prints it. */
static size_t put_line(char *to, struct str prefix, struct str func, bool has_off,
                       uint64_t off, struct str module)
{
	char number[32];
	size_t n = put(to, prefix), len;

	n += put(to + n, func);
	if (has_off) {
		len = (size_t)snprintf(number, sizeof(number), "+0x%llx",
		                       (unsigned long long)off);
		memcpy(to + n, number, len);
		n += len;
	}
	if (module.n) {
		n += put(to + n, STR(" ("));
		n += put(to + n, module);
		n += put(to + n, STR(")"));
	}
	return n + put(to + n, STR("\n"));
}

enum { LINE_EXTRA = 64 }; /* address, offset and punctuation */

static struct str write_lines(struct profile *p, const struct printed *at,
                              const struct found *f)
{
	struct str inlined = STR("inlined");
	struct str dso = at->bare ? (struct str){ 0 } : STR("[unknown]");
	struct str func = f->ok ? intern_str(&p->names, f->func) : STR("[unknown]");
	struct str prefix = at->prefix;
	size_t room, n = 0;
	char number[32], *text;

	if (at->module)
		dso = intern_str(&p->names, at->module);
	if (!prefix.n)
		prefix = (struct str){
			number, (size_t)snprintf(number, sizeof(number), "\t%16llx ",
			                         (unsigned long long)at->addr)
		};
	room = prefix.n + func.n + dso.n + LINE_EXTRA;
	for (size_t i = 0; i < f->ninlined; i++)
		room += prefix.n + intern_str(&p->names, f->inlined[i].func).n + dso.n +
		        LINE_EXTRA;
	text = arena_alloc(&p->run, room, 1);
	for (size_t i = 0; i < f->ninlined; i++)
		n += put_line(text + n, prefix, intern_str(&p->names, f->inlined[i].func),
		              f->inlined[i].has_off, f->inlined[i].off,
		              f->inlined[i].there ? dso : inlined);
	n += put_line(text + n, prefix, func, f->ok && f->has_off, f->off,
	              f->as_inlined ? inlined : dso);
	return (struct str){ text, n };
}

static frame_id make_frame(struct profile *p, const struct printed *at,
                           const struct found *f, unsigned flags)
{
	struct named *named = arena_new(&p->run, struct named, f->ninlined + 1);
	frame_id id = new_frame(p);

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
		                          .text = write_lines(p, at, f),
		                          .improved = f->ok,
		                          .how = (uint8_t)f->how,
		                          .m = f->m,
		                          .by = f->by };
	return id;
}

static unsigned flags_of(const struct mapping *m)
{
	if (!m)
		return 0;
	if (m->kind == MAPPED_KERNEL)
		return NAMED_KERNEL;
	return m->kind == MAPPED_IMAGE ? 0 : NAMED_JIT;
}

/* Marks what stands in the place of a frame's number where that depends on the time. */
static const uint32_t varies = 1u << 31;

/* Where the number of q's frame stands, given what is known of its address. */
static uint32_t *slot_in_time(struct profile *p, uint32_t *at, const struct bind_query *q)
{
	if (!*at && bind_varies(p->binder, q))
		*at = varies | p->nvarying++;
	if (!(*at & varies))
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

static frame_id resolve_ip(struct profile *p, const struct bind_query *q)
{
	/* All bits of ip count: a broken chain has any. */
	uint64_t who = q->m ? (uint64_t)q->m->id << 1 : (uint64_t)(uint32_t)q->pid << 32;
	bool other = q->caller || (p->opts.compat && q->inlined);
	uint32_t *at = table_at(&p->by_ip, &p->run, who | other, q->ip);
	struct printed as = { 0 };
	struct found f;

	if (!*at || *at & varies)
		at = slot_in_time(p, at, q);
	if (*at)
		return *at - 1;
	f = look_up(p, q);
	f.m = q->m;
	as.addr = as.in_module = q->ip;
	if (q->m) {
		as.in_module = place_in_file(q);
		as.addr = p->opts.absolute ? q->ip : mapping_printed(q->m, q->ip);
		as.module = shown_module(p, q->m);
	}
	return (*at = 1 + make_frame(p, &as, &f, flags_of(q->m))) - 1;
}

static uint64_t time_of(const struct event *ev)
{
	return ev->has_time ? ev->time_ns : UINT64_MAX;
}

/* perf looks for user data of kernel code, and the reverse, by the upper half. */
frame_id profile_lookup(struct profile *p, int32_t pid, uint64_t ip, enum cpumode mode)
{
	enum cpumode other = ip >> KERNEL_BIT ? MODE_KERNEL : MODE_USER;
	struct bind_query q = { .pid = pid, .ip = ip, .time_ns = time_of(&p->event) };

	q.m = process_find(p->ps, pid, ip, mode);
	if (!q.m && mode != other && (mode == MODE_KERNEL || mode == MODE_USER))
		q.m = process_find(p->ps, pid, ip, other);
	return resolve_ip(p, &q);
}

static void resolve_ips(struct profile *p, const struct event *ev, int32_t pid)
{
	struct bind_query q = { .pid = pid, .time_ns = time_of(ev) };

	for (size_t i = 0; i < ev->nframes; i++) {
		const struct frame *f = &ev->frames[i];

		q.m = process_find(p->ps, pid, f->ip, f->cpumode);
		if (!q.m && f->cpumode == MODE_KERNEL)
			q.m = bind_beyond_kernel(p->binder, process_kernel(p->ps), f->ip);
		q.ip = f->ip;
		q.caller = f->caller && !p->opts.compat;
		/* perf shows them in chains that it unwound itself. */
		q.inlined = !p->opts.no_inline && (!p->opts.compat || f->unwound);
		p->ids[i] = resolve_ip(p, &q);
	}
}

/* In front of a name that will stand behind it: line id begins with ft's prefix. */
static struct str prefix_of(struct profile *p, str_id id, const struct frame_text *ft)
{
	struct str prefix = str_head(intern_str(&p->lines, id), ft->prefix.n);

	if (!prefix.n || prefix.p[prefix.n - 1] == ' ')
		return prefix;
	return arena_fmt(&p->run, PRSTR " ", STRARG(prefix));
}

/* How the line of a fact is written anew; m is the mapping it lies in, or NULL. */
static struct printed printed_as(const struct line_fact *fact, const struct mapping *m)
{
	struct printed as = { .addr = fact->addr,
		              .in_module = fact->addr,
		              .module = fact->module,
		              .prefix = fact->prefix,
		              .bare = !fact->module };

	if (!fact->module && m && fact->kind == TEXT_LINE_BPF)
		as.module = m->module;
	return as;
}

static struct line_fact *learn_line(struct profile *p, str_id id,
                                    const struct frame *frame)
{
	struct line_fact *fact;
	struct frame_text ft;
	struct found f = { 0 };
	struct printed as;

	p->line = arena_grow(&p->run, p->line, &p->lines_cap, id + 1u, sizeof(*p->line));
	fact = &p->line[id];
	if (fact->parsed)
		return fact;
	fact->parsed = true;
	if (!reader_frame_text(frame, &ft)) {
		fact->fixed = true;
		fact->frame = new_frame(p);
		return fact;
	}
	fact->is_frame = true;
	fact->addr = ft.addr;
	fact->kind = profile_line_kind(frame);
	fact->module = ft.inlined ? 0 : intern(&p->names, ft.module);
	fact->prefix = prefix_of(p, id, &ft);
	if (ft.func.n || !p->can_name || (fact->kind == TEXT_LINE_BPF && !ft.addr)) {
		f = (struct found){ .func = intern(&p->names, ft.func),
			            .off = ft.func_off,
			            .has_off = ft.has_off,
			            .ok = ft.func.n != 0,
			            .how = VERIFIED_GIVEN };
		fact->fixed = true;
		as = printed_as(fact, NULL);
		fact->frame = make_frame(p, &as, &f, ft.inlined ? NAMED_INLINED : 0);
		p->frame[fact->frame].improved = false;
	}
	return fact;
}

/* Of the kernel in a text of which no mapping tells. */
static struct found from_heard(struct profile *p, const struct bind_query *q,
                               struct str module)
{
	struct bound_name name;

	if (q->m || !(q->ip >> KERNEL_BIT) ||
	    !bind_find_heard(p->binder, q->ip, module, q->caller, &name))
		return (struct found){ 0 };
	return (struct found){ .func = intern(&p->names, name.func),
		               .off = name.off,
		               .has_off = true,
		               .ok = true,
		               .by = name.by,
		               .how = name.how };
}

/* A line that says [unknown]: what it is depends on who and when. */
static frame_id resolve_unnamed(struct profile *p, str_id id, int32_t pid, bool caller,
                                uint64_t time_ns)
{
	const struct line_fact fact = p->line[id];
	struct str module = intern_str(&p->names, fact.module);
	int32_t owner = pid >= 0 ? pid : perfmap_pid(module);
	str_id where = fact.kind == TEXT_LINE_BPF ? 0 : fact.module;
	struct place at = profile_place(p, owner, where, fact.addr, fact.kind);
	struct bind_query q = { .m = at.m,
		                .pid = owner,
		                .ip = at.ip,
		                .caller = caller && !p->opts.compat,
		                .inlined = !p->opts.no_inline && !p->opts.compat,
		                .time_ns = time_ns };
	uint64_t who = at.m ? at.m->id : (uint64_t)(uint32_t)owner << 32;
	uint32_t *slot = table_at(&p->by_line, &p->run, (uint64_t)id << 1 | caller, who);
	struct printed as = printed_as(&fact, at.m);
	struct found f = { 0 };
	unsigned flags = flags_of(at.m);

	if (at.has_ip && (!*slot || *slot & varies))
		slot = slot_in_time(p, slot, &q);
	if (*slot)
		return *slot - 1;
	if (at.has_ip)
		f = look_up(p, &q);
	if (!f.ok)
		f = from_recorded(
		        p, recorded_find_printed(&p->recorded, fact.module, fact.addr));
	if (!f.ok && (f = from_heard(p, &q, module)).ok)
		flags |= NAMED_KERNEL;
	f.m = at.m;
	if (profile_is_jit(module))
		flags |= NAMED_JIT;
	*slot = 1 + make_frame(p, &as, &f, flags);
	/* Where it lies is worth printing, too. */
	if (as.module != fact.module)
		p->frame[*slot - 1].improved = true;
	return *slot - 1;
}

/* True: the line says the same of every process at any time. */
static bool resolve_line(struct profile *p, const struct event *ev, int32_t pid,
                         uint64_t *before, size_t i)
{
	const struct frame *frame = &ev->frames[i];
	str_id id = intern_hashed(&p->lines, frame->line, hash_str(frame->line));
	const struct line_fact *fact = id < p->lines_cap ? &p->line[id] : NULL;
	bool fixed;

	if (!fact || !fact->parsed)
		fact = learn_line(p, id, frame);
	fixed = fact->fixed;
	if (fixed)
		p->ids[i] = fact->frame;
	else
		p->ids[i] = resolve_unnamed(p, id, pid,
		                            profile_is_caller(fact->addr, *before, i),
		                            time_of(ev));
	if (p->line[id].is_frame)
		*before = p->line[id].addr;
	return fixed;
}

/* The callers of a sample, all its lines but the first: mostly they were seen before. */
static uint32_t resolve_lines(struct profile *p, const struct event *ev, int32_t pid)
{
	size_t n = ev->nframes;
	const struct str *last = n ? &ev->frames[n - 1].line : NULL;
	uint64_t before = 0;
	uint32_t chain = 0;
	bool fixed = true;

	if (n)
		resolve_line(p, ev, pid, &before, 0);
	if (n < 2)
		return 0;
	chain = chain_find(&p->chains, str_span(ev->frames[1].line.p, last->p + last->n));
	if (chain && p->chains.chain[chain].n == n - 1) {
		memcpy(p->ids + 1, p->chains.chain[chain].ids, (n - 1) * sizeof(*p->ids));
		return chain;
	}
	for (size_t i = 1; i < n; i++)
		fixed &= resolve_line(p, ev, pid, &before, i);
	return fixed && !chain ? chain_add(&p->chains, p->ids + 1, n - 1) : 0;
}

uint32_t profile_resolve(struct profile *p, const struct event *ev, int32_t pid)
{
	uint32_t chain = 0;

	p->ids = arena_grow(&p->run, p->ids, &p->ids_cap, ev->nframes + 1,
	                    sizeof(*p->ids));
	if (reader_has_ips(reader_format(p->reader)))
		resolve_ips(p, ev, pid);
	else
		chain = resolve_lines(p, ev, pid);
	for (size_t i = 0; i < ev->nframes; i++)
		p->uses[p->ids[i]]++;
	return chain;
}

/* n lines from the first on; a chain may also be one line. */
static void count_lines(struct profile *p, const struct event *ev, size_t first, size_t n)
{
	struct str last = ev->frames[first + n - 1].line;
	struct str lines = str_span(ev->frames[first].line.p, last.p + last.n);
	uint32_t chain = chain_find(&p->chains, lines);
	uint64_t before = 0;

	if (!chain || p->chains.chain[chain].n != n) {
		for (size_t i = first; i < first + n; i++)
			resolve_line(p, ev, -1, &before, i);
		for (size_t i = first; chain && i < first + n; i++)
			p->uses[p->ids[i]]++;
		if (chain)
			return;
		chain = chain_add(&p->chains, p->ids + first, n);
	}
	p->chains.chain[chain].uses++;
}

void profile_count(struct profile *p, const struct event *ev)
{
	p->ids = arena_grow(&p->run, p->ids, &p->ids_cap, ev->nframes + 1,
	                    sizeof(*p->ids));
	if (ev->nframes)
		count_lines(p, ev, 0, 1);
	if (ev->nframes > 1)
		count_lines(p, ev, 1, ev->nframes - 1);
}

void profile_settle_counts(struct profile *p)
{
	for (size_t c = 1; c <= p->chains.n; c++) {
		struct chain *chain = &p->chains.chain[c];

		for (size_t i = 0; i < chain->n && chain->uses; i++)
			p->uses[chain->ids[i]] += chain->uses;
		chain->uses = 0;
	}
}

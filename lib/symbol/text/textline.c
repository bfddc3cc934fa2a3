/*
 * From the lines of a text to names: once for each distinct one and, where it says
 * [unknown], for each mapping that it may lie in.
 */
#include "symbol/text/textline.h"

#include "base/hash.h"
#include "reader/perftext/frameline.h"
#include "symbol/resolve.h"
#include "bind/native/text_kernel.h"
#include "symbol/text/textplace.h"

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

/* "  file.c:17 (inlined)" below a frame: "file.c:17". */
static str_id source_of(struct profile *p, const struct frame *frame)
{
	struct str s = str_trim(str_from(frame_whole(frame), frame->line.n));
	struct str inlined = STR(" (inlined)"), number;
	uint64_t line;

	if (str_ends(s, inlined))
		s.n -= inlined.n;
	number = str_from(s, str_rfind(s, ':') + 1);
	return p->opts.lines && str_is_dec(number, &line) ? intern(&p->names, s) : 0;
}

static void learn_line(struct profile *p, str_id id, const struct frame *frame)
{
	struct line_fact *fact;
	struct frame_text ft;
	struct found f = { 0 };
	struct printed as;

	p->line = arena_grow(&p->run, p->line, &p->lines_cap, id + 1u, sizeof(*p->line));
	fact = &p->line[id];
	fact->parsed = true;
	if (!frameline_read(frame, &ft)) {
		fact->fixed = true;
		fact->frame = profile_new_frame(p);
		return;
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
			            .how = VERIFIED_GIVEN,
			            .srcline = source_of(p, frame) };
		fact->fixed = true;
		as = printed_as(fact, NULL);
		fact->frame =
		        profile_make_frame(p, &as, &f, ft.inlined ? NAMED_INLINED : 0);
		p->frame[fact->frame].improved = false;
	}
}

/* Of the kernel in a text of which no mapping tells. */
static struct found from_heard(struct profile *p, const struct bind_query *q,
                               struct str module)
{
	struct bound_name name;

	if (q->m || !(q->ip >> KERNEL_BIT) ||
	    !text_kernel_find(p->binder, q->ip, module, q->caller, &name))
		return (struct found){ 0 };
	return (struct found){ .func = intern(&p->names, name.func),
		               .off = name.off,
		               .has_off = true,
		               .ok = true,
		               .by = name.by,
		               .how = name.how };
}

/* What was resolved last is it again. */
static bool is_last(const struct profile *p, const struct line_last *l, int32_t pid,
                    bool caller)
{
	return l->ps == p->ps && l->changes == process_changes(p->ps) && l->pid == pid &&
	       l->caller == caller;
}

static struct line_last last_of(const struct profile *p, int32_t pid, bool caller)
{
	return (struct line_last){ .ps = p->ps,
		                   .changes = process_changes(p->ps),
		                   .pid = pid,
		                   .caller = caller };
}

/* Where a line that says [unknown] lies, if it is one of pid's. */
static struct place place_of(struct profile *p, const struct line_fact *fact, int32_t pid,
                             int32_t *owner)
{
	str_id where = fact->kind == TEXT_LINE_BPF ? 0 : fact->module;

	*owner = pid >= 0 ? pid : perfmap_pid(intern_str(&p->names, fact->module));
	return profile_place(p, *owner, where, fact->addr, fact->kind);
}

static struct found find_name(struct profile *p, const struct line_fact *fact,
                              const struct place *at, const struct bind_query *q,
                              unsigned *flags)
{
	struct found f = { 0 };

	if (at->has_ip)
		f = profile_look_up(p, q);
	if (!f.ok)
		f = profile_from_recorded(
		        p, recorded_find_printed(&p->recorded, fact->module, fact->addr));
	if (!f.ok && (f = from_heard(p, q, intern_str(&p->names, fact->module))).ok)
		*flags |= NAMED_KERNEL;
	f.m = at->m;
	return f;
}

/* A line that says [unknown]: what it is depends on who and when. */
static frame_id resolve_unnamed(struct profile *p, str_id id, int32_t pid, bool caller,
                                uint64_t time_ns)
{
	const struct line_fact fact = p->line[id];
	struct bind_query q = { .caller = caller && !p->opts.compat,
		                .inlined = !p->opts.no_inline && !p->opts.compat,
		                .time_ns = time_ns };
	struct place at = place_of(p, &fact, pid, &q.pid);
	uint64_t who = at.m ? at.m->id : (uint64_t)(uint32_t)q.pid << 32;
	uint32_t *known = table_at(&p->by_line, &p->run, (uint64_t)id << 1 | caller, who);
	uint32_t *slot = known;
	struct printed as = printed_as(&fact, at.m);
	unsigned flags = profile_flags_of(at.m);
	struct found f;

	q.m = at.m;
	q.ip = at.ip;
	if (at.has_ip && (!*slot || *slot & FRAME_VARIES))
		slot = profile_slot_in_time(p, known, &q);
	if (!*slot) {
		f = find_name(p, &fact, &at, &q, &flags);
		if (profile_is_jit(intern_str(&p->names, fact.module)))
			flags |= NAMED_JIT;
		*slot = 1 + profile_make_frame(p, &as, &f, flags);
		/* Where it lies is worth printing, too. */
		if (as.module != fact.module)
			p->frame[*slot - 1].improved = true;
	}
	if (slot == known) {
		p->line[id].last = last_of(p, pid, caller);
		p->line[id].last.frame = *slot - 1;
	}
	return *slot - 1;
}

/* What counts of a frame. */
static struct str line_of(const struct profile *p, const struct frame *frame)
{
	return p->opts.lines ? frame_whole(frame) : frame->line;
}

/* The number of a frame's line, and what it says. */
static str_id know_line(struct profile *p, const struct frame *frame)
{
	struct str line = line_of(p, frame);
	str_id id = intern_hashed(&p->lines, line, hash_str(line));

	if (id >= p->lines_cap || !p->line[id].parsed)
		learn_line(p, id, frame);
	return id;
}

/* True: the line says the same of every process at any time. */
static bool resolve_line(struct profile *p, const struct event *ev, int32_t pid,
                         uint64_t *before, size_t i)
{
	str_id id = know_line(p, &ev->frames[i]);
	const struct line_fact *fact = &p->line[id];
	bool caller = profile_is_caller(fact->addr, *before, i);

	if (fact->is_frame)
		*before = fact->addr;
	if (fact->fixed)
		p->ids[i] = fact->frame;
	else if (is_last(p, &fact->last, pid, caller))
		p->ids[i] = fact->last.frame;
	else
		p->ids[i] = resolve_unnamed(p, id, pid, caller, event_moment(ev));
	return p->line[id].fixed;
}

static bool is_path(const struct profile *p, const struct line_fact *fact)
{
	return str_starts(intern_str(&p->names, fact->module), STR("/"));
}

/* False: nothing says where it lies. */
static bool note_line(struct profile *p, const struct line_fact *fact, int32_t pid,
                      bool caller)
{
	bool jit = profile_is_jit(intern_str(&p->names, fact->module)), made = jit;
	int32_t owner;
	struct place at = place_of(p, fact, pid, &owner);

	if (fact->kind == TEXT_LINE_BPF)
		jit |= !(fact->addr >> KERNEL_BIT);
	if (at.has_ip) {
		bind_note(p->binder, at.m, owner, at.ip, caller && !p->opts.compat, jit);
	} else if (made) {
		p->unplaced++;
		p->unowned += pid < 0;
	} else {
		p->unmapped += !(fact->addr >> KERNEL_BIT) && is_path(p, fact);
	}
	return at.has_ip;
}

void profile_note_lines(struct profile *p, const struct event *ev)
{
	int32_t pid = profile_text_pid(p, ev);
	uint64_t before = 0;

	for (size_t i = 0; i < ev->nframes; i++) {
		str_id id = know_line(p, &ev->frames[i]);
		struct line_fact *fact = &p->line[id];
		bool caller = profile_is_caller(fact->addr, before, i);

		if (!fact->fixed && !is_last(p, &fact->last, pid, caller) &&
		    note_line(p, fact, pid, caller))
			fact->last = last_of(p, pid, caller);
		if (fact->is_frame)
			before = fact->addr;
	}
}

/* The callers of a sample, all its lines but the first: mostly they were seen before. */
uint32_t profile_resolve_lines(struct profile *p, const struct event *ev, int32_t pid)
{
	size_t n = ev->nframes;
	uint64_t before = 0;
	uint32_t chain = 0;
	bool fixed = true;
	struct str last;

	if (n)
		resolve_line(p, ev, pid, &before, 0);
	if (n < 2)
		return 0;
	last = line_of(p, &ev->frames[n - 1]);
	chain = chain_find(&p->chains, str_span(ev->frames[1].line.p, last.p + last.n),
	                   0, ev->stays);
	if (chain && p->chains.chain[chain].n == n - 1) {
		memcpy(p->ids + 1, p->chains.chain[chain].ids, (n - 1) * sizeof(*p->ids));
		return chain;
	}
	for (size_t i = 1; i < n; i++)
		fixed &= resolve_line(p, ev, pid, &before, i);
	return fixed && !chain ? chain_add(&p->chains, p->ids + 1, n - 1) : 0;
}

/* n lines from the first on; a chain may also be one line. */
static void count_lines(struct profile *p, const struct event *ev, size_t first, size_t n)
{
	struct str last = ev->frames[first + n - 1].line;
	struct str lines = str_span(ev->frames[first].line.p, last.p + last.n);
	uint32_t chain = chain_find(&p->chains, lines, 0, ev->stays);
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

#include "symbol/text/textline.h"

#include "base/hash.h"
#include "bind/native/text_kernel.h"
#include "reader/perftext/frameline.h"

/*
 * The process that a line was looked up for last.  For the same process it means the same until
 * something is mapped.
 */
struct line_last {
	const struct processes *ps; /* NULL: for nobody yet */
	uint64_t changes;           /* process_changes then */
	int32_t pid;
	bool caller;
	frame_id frame; /* what it was, if it was resolved and not only noted */
};

/* A distinct line of a text. */
struct text_line {
	bool parsed, is_frame;
	bool fixed;     /* frame is what it is, in every process at any time */
	frame_id frame; /* when fixed */
	uint64_t addr;  /* when not: what it says */
	str_id module;  /* 0: none stands there */
	enum text_line_kind kind;
	struct str prefix; /* TEXT_LINE_BPF: what stands in front of the name */
	struct line_last last;
};

void textline_init(struct textlines *t, struct session *s, struct frames *frames)
{
	*t = (struct textlines){ .s = s, .frames = frames };
	textplace_init(&t->place, s);
	intern_init(&t->lines, &s->run);
}

/* The text in front of the name in line id, ending in a blank. */
static struct str prefix_of(struct textlines *t, str_id id, const struct frame_text *ft)
{
	struct str prefix = str_head(intern_str(&t->lines, id), ft->prefix.n);

	if (!prefix.n || prefix.p[prefix.n - 1] == ' ')
		return prefix;
	return arena_fmt(&t->s->run, PRSTR " ", STRARG(prefix));
}

/* How a line is printed when it is named; m is the mapping it lies in, or NULL. */
static struct printed printed_as(const struct text_line *line, const struct mapping *m)
{
	struct printed as = { .addr = line->addr,
		              .in_module = line->addr,
		              .module = line->module,
		              .prefix = line->prefix,
		              .bare = !line->module };

	if (!line->module && m && line->kind == TEXT_LINE_BPF)
		as.module = m->module;
	return as;
}

/* "  file.c:17 (inlined)" below a frame: "file.c:17". */
static str_id source_of(struct textlines *t, const struct frame *frame)
{
	struct str s = str_trim(str_from(frame_whole(frame), frame->line.n));
	struct str inlined = STR(" (inlined)"), number;
	uint64_t line;

	if (str_ends(s, inlined))
		s.n -= inlined.n;
	number = str_from(s, str_rfind(s, ':') + 1);
	return t->s->opts.lines && str_is_dec(number, &line) ? intern(&t->s->names, s)
	                                                     : 0;
}

static void learn_line(struct textlines *t, str_id id, const struct frame *frame)
{
	struct text_line *line;
	struct frame_text ft;
	struct found f = { 0 };
	struct printed as;

	t->line =
	        arena_grow(&t->s->run, t->line, &t->lines_cap, id + 1u, sizeof(*t->line));
	line = &t->line[id];
	line->parsed = true;
	if (!frameline_read(frame, &ft)) {
		line->fixed = true;
		line->frame = resolve_new_frame(t->frames);
		return;
	}
	line->is_frame = true;
	line->addr = ft.addr;
	line->kind = textplace_kind(frame);
	line->module = ft.inlined ? 0 : intern(&t->s->names, ft.module);
	line->prefix = prefix_of(t, id, &ft);
	if (ft.func.n || !t->s->can_name || (line->kind == TEXT_LINE_BPF && !ft.addr)) {
		f = (struct found){ .func = intern(&t->s->names, ft.func),
			            .off = ft.func_off,
			            .has_off = ft.has_off,
			            .ok = ft.func.n != 0,
			            .how = VERIFIED_GIVEN,
			            .srcline = source_of(t, frame) };
		line->fixed = true;
		as = printed_as(line, NULL);
		line->frame =
		        resolve_frame(t->frames, &as, &f, ft.inlined ? NAMED_INLINED : 0);
		t->frames->frame[line->frame].improved = false;
	}
}

/* Names a kernel frame where no mapping tells of the kernel. */
static struct found name_kernel(struct textlines *t, const struct bind_query *q,
                                struct str module)
{
	struct bound_name name;

	if (q->m || !(q->ip >> KERNEL_BIT) ||
	    !text_kernel_find(t->s->binder, q->ip, module, q->caller, &name))
		return (struct found){ 0 };
	return (struct found){ .func = intern(&t->s->names, name.func),
		               .off = name.off,
		               .has_off = true,
		               .ok = true,
		               .by = name.by,
		               .how = name.how };
}

/* Would the line be what it was last? */
static bool is_last(const struct textlines *t, const struct line_last *l, int32_t pid,
                    bool caller)
{
	return l->ps == t->s->ps && l->changes == process_changes(t->s->ps) &&
	       l->pid == pid && l->caller == caller;
}

static struct line_last last_of(const struct textlines *t, int32_t pid, bool caller)
{
	return (struct line_last){ .ps = t->s->ps,
		                   .changes = process_changes(t->s->ps),
		                   .pid = pid,
		                   .caller = caller };
}

/* Where a line that says [unknown] lies in pid, or in the process its module says. */
static struct place place_of(struct textlines *t, const struct text_line *line,
                             int32_t pid, int32_t *owner)
{
	str_id where = line->kind == TEXT_LINE_BPF ? 0 : line->module;

	*owner = pid >= 0 ? pid : perfmap_pid(intern_str(&t->s->names, line->module));
	return textplace_find(&t->place, *owner, where, line->addr, line->kind);
}

static struct found find_name(struct textlines *t, const struct text_line *line,
                              const struct place *at, const struct bind_query *q,
                              unsigned *flags)
{
	struct found f = { 0 };

	if (at->has_ip)
		f = resolve_name(t->frames, q);
	if (!f.ok)
		f = resolve_recorded(t->frames,
		                     recorded_find_printed(&t->frames->recorded,
		                                           line->module, line->addr));
	if (!f.ok && (f = name_kernel(t, q, intern_str(&t->s->names, line->module))).ok)
		*flags |= NAMED_KERNEL;
	f.m = at->m;
	return f;
}

/* Resolves a line that says [unknown]: the frame depends on process and time. */
static frame_id resolve_unnamed(struct textlines *t, str_id id, int32_t pid, bool caller,
                                uint64_t time_ns)
{
	const struct text_line line = t->line[id];
	struct bind_query q = { .caller = caller && !t->s->opts.compat,
		                .inlined = !t->s->opts.no_inline && !t->s->opts.compat,
		                .time_ns = time_ns };
	struct place at = place_of(t, &line, pid, &q.pid);
	uint64_t who = at.m ? at.m->id : (uint64_t)(uint32_t)q.pid << 32;
	uint32_t *known =
	        table_at(&t->by_line, &t->s->run, (uint64_t)id << 1 | caller, who);
	uint32_t *slot = known;
	struct printed as = printed_as(&line, at.m);
	unsigned flags = resolve_flags(at.m);
	struct found f;

	q.m = at.m;
	q.ip = at.ip;
	if (at.has_ip && (!*slot || *slot & FRAME_VARIES))
		slot = resolve_slot(t->frames, known, &q);
	if (!*slot) {
		f = find_name(t, &line, &at, &q, &flags);
		if (textplace_is_jit(intern_str(&t->s->names, line.module)))
			flags |= NAMED_JIT;
		*slot = 1 + resolve_frame(t->frames, &as, &f, flags);
		/* A module that the text does not have is printed as well. */
		if (as.module != line.module)
			t->frames->frame[*slot - 1].improved = true;
	}
	if (slot == known) {
		t->line[id].last = last_of(t, pid, caller);
		t->line[id].last.frame = *slot - 1;
	}
	return *slot - 1;
}

/* The bytes that tell frames apart: with source lines wanted, the line below too. */
static struct str line_of(const struct textlines *t, const struct frame *frame)
{
	return t->s->opts.lines ? frame_whole(frame) : frame->line;
}

/* The number of a frame's line, parsed when it is met first. */
static str_id know_line(struct textlines *t, const struct frame *frame)
{
	struct str line = line_of(t, frame);
	str_id id = intern_hashed(&t->lines, line, hash_str(line));

	if (id >= t->lines_cap || !t->line[id].parsed)
		learn_line(t, id, frame);
	return id;
}

/* Resolves frame i.  True: it is the same in every process at any time. */
static bool resolve_line(struct textlines *t, const struct event *ev, int32_t pid,
                         uint64_t *before, size_t i)
{
	str_id id = know_line(t, &ev->frames[i]);
	const struct text_line *line = &t->line[id];
	bool caller = textplace_is_caller(line->addr, *before, i);

	if (line->is_frame)
		*before = line->addr;
	if (line->fixed)
		t->frames->ids[i] = line->frame;
	else if (is_last(t, &line->last, pid, caller))
		t->frames->ids[i] = line->last.frame;
	else
		t->frames->ids[i] = resolve_unnamed(t, id, pid, caller, event_moment(ev));
	return t->line[id].fixed;
}

static bool is_path(const struct textlines *t, const struct text_line *line)
{
	return str_starts(intern_str(&t->s->names, line->module), STR("/"));
}

/* Tells the binder of one unnamed frame.  False: nothing says where it lies. */
static bool note_line(struct textlines *t, const struct text_line *line, int32_t pid,
                      bool caller)
{
	bool jit = textplace_is_jit(intern_str(&t->s->names, line->module)), made = jit;
	int32_t owner;
	struct place at = place_of(t, line, pid, &owner);

	if (line->kind == TEXT_LINE_BPF)
		jit |= !(line->addr >> KERNEL_BIT);
	if (at.has_ip) {
		bind_note(t->s->binder, at.m, owner, at.ip, caller && !t->s->opts.compat,
		          jit);
	} else if (made) {
		t->unplaced++;
		t->unowned += pid < 0;
	} else {
		t->unmapped += !(line->addr >> KERNEL_BIT) && is_path(t, line);
	}
	return at.has_ip;
}

void textline_note(struct textlines *t, const struct event *ev)
{
	int32_t pid = textplace_pid(&t->place, ev);
	uint64_t before = 0;

	for (size_t i = 0; i < ev->nframes; i++) {
		str_id id = know_line(t, &ev->frames[i]);
		struct text_line *line = &t->line[id];
		bool caller = textplace_is_caller(line->addr, before, i);

		if (!line->fixed && !is_last(t, &line->last, pid, caller) &&
		    note_line(t, line, pid, caller))
			line->last = last_of(t, pid, caller);
		if (line->is_frame)
			before = line->addr;
	}
}

uint32_t textline_resolve(struct textlines *t, const struct event *ev, int32_t pid)
{
	size_t n = ev->nframes;
	uint64_t before = 0;
	uint32_t chain = 0;
	bool fixed = true;
	struct chains *chains = &t->frames->chains;
	frame_id *ids = resolve_room(t->frames, n);
	struct str last;

	if (n)
		resolve_line(t, ev, pid, &before, 0);
	if (n < 2)
		return 0;
	last = line_of(t, &ev->frames[n - 1]);
	chain = chain_find(chains, str_span(ev->frames[1].line.p, last.p + last.n), 0,
	                   ev->stays);
	if (chain && chains->chain[chain].n == n - 1) {
		memcpy(ids + 1, chains->chain[chain].ids, (n - 1) * sizeof(*ids));
		return chain;
	}
	for (size_t i = 1; i < n; i++)
		fixed &= resolve_line(t, ev, pid, &before, i);
	return fixed && !chain ? chain_add(chains, ids + 1, n - 1) : 0;
}

/* Counts n lines from `first` on as one chain, which may be a single line. */
static void count_lines(struct textlines *t, const struct event *ev, size_t first,
                        size_t n)
{
	struct str last = ev->frames[first + n - 1].line;
	struct str lines = str_span(ev->frames[first].line.p, last.p + last.n);
	struct frames *f = t->frames;
	uint32_t chain = chain_find(&f->chains, lines, 0, ev->stays);
	uint64_t before = 0;

	if (!chain || f->chains.chain[chain].n != n) {
		for (size_t i = first; i < first + n; i++)
			resolve_line(t, ev, -1, &before, i);
		for (size_t i = first; chain && i < first + n; i++)
			f->uses[f->ids[i]]++;
		if (chain)
			return;
		chain = chain_add(&f->chains, f->ids + first, n);
	}
	f->chains.chain[chain].uses++;
}

void textline_count(struct textlines *t, const struct event *ev)
{
	resolve_room(t->frames, ev->nframes);
	if (ev->nframes)
		count_lines(t, ev, 0, 1);
	if (ev->nframes > 1)
		count_lines(t, ev, 1, ev->nframes - 1);
}

/* Is any mapping recorded, the kernel's apart? */
static bool has_mappings(const struct textlines *t)
{
	const struct mapping *const *maps;

	for (size_t n = process_mappings(t->s->ps, &maps); n-- > 0;)
		if (!maps[n]->assumed && maps[n]->kind != MAPPED_KERNEL)
			return true;
	return false;
}

void textline_say_unplaced(const struct textlines *t)
{
	if (t->unmapped && t->place.form == FORM_ABSOLUTE && !has_mappings(t))
		diag_note(t->s->diag,
		          "%llu frames are addresses in files, and nothing says where "
		          "those were mapped: add -m perf.data or -m maps-PID.txt, or "
		          "print the text with --show-mmap-events",
		          (unsigned long long)t->unmapped);
	if (t->unowned && has_mappings(t))
		diag_note(t->s->diag,
		          "%llu frames are offsets in /memfd:doublemapper, of threads of "
		          "which nothing says whose they are: add -m perf.data, or print "
		          "the text with -F +pid",
		          (unsigned long long)t->unowned);
	else if (t->unplaced)
		diag_note(t->s->diag,
		          "%llu frames are offsets in /memfd:doublemapper, and nothing "
		          "says where that was mapped: add -m perf.data or -m "
		          "maps-PID.txt (a saved /proc/PID/maps), or print the text with "
		          "--show-mmap-events",
		          (unsigned long long)t->unplaced);
}

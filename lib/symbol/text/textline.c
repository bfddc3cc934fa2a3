#include "symbol/text/textline.h"

#include "base/block.h"
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

/* The part of a line behind the address, without the offset in the function. */
struct line_name {
	const char *text; /* func, then module */
	uint32_t func_n, module_n;
	str_id module;
	str_id source;     /* of the source line below it */
	bool inlined;   /* it says so */
	bool fixed;     /* no address can tell more of it */
	frame_id frame; /* of a line of which its address tells no more */
};

/* A distinct line without a function, which its address may name. */
struct unnamed_line {
	uint64_t addr;
	str_id module;
	str_id prefix; /* TEXT_LINE_BPF: what stands in front of the name */
	enum text_line_kind kind;
	struct line_last last;
};

/* A line as it is read: with no unnamed_line, it is the same everywhere at any time. */
struct line_read {
	uint64_t addr;
	bool is_frame;
	const struct line_name *name; /* when it is a frame */
	struct unnamed_line *unnamed;
};

void textline_init(struct textlines *t, struct session *s, struct frames *frames)
{
	*t = (struct textlines){ .s = s, .frames = frames, .seed = hash_seed() };
	textplace_init(&t->place, s);
	intern_init(&t->prefixes, &s->run);
}

/* The text in front of the name of a line, ending in a blank. */
static str_id prefix_of(struct textlines *t, struct str prefix)
{
	struct arena scratch = { 0 };
	str_id id;

	if (!prefix.n || prefix.p[prefix.n - 1] == ' ')
		return intern(&t->prefixes, prefix);
	id = intern(&t->prefixes, arena_fmt(&scratch, PRSTR " ", STRARG(prefix)));
	arena_release(&scratch);
	return id;
}

/* How an unnamed line is printed when it is named; m is the mapping it lies in, or NULL. */
static struct printed printed_as(const struct textlines *t,
                                 const struct unnamed_line *line, const struct mapping *m)
{
	struct printed as = { .addr = line->addr,
		              .in_module = line->addr,
		              .module = line->module,
		              .prefix = intern_str(&t->prefixes, line->prefix),
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
	return str_is_dec(number, &line) ? intern(&t->s->names, s) : 0;
}

/* The frame of a line as it stands there; addr: where frames without name are told apart. */
static frame_id frame_as_given(struct textlines *t, const struct frame_text *ft,
                               str_id module, str_id source, uint64_t addr)
{
	struct printed as = { .addr = addr,
		              .in_module = addr,
		              .module = module,
		              .bare = !module };
	struct found f = { .func = intern(&t->s->names, ft->func),
		           .ok = ft->func.n != 0,
		           .how = VERIFIED_GIVEN,
		           .srcline = source };

	return resolve_frame(t->frames, &as, &f, ft->inlined ? NAMED_INLINED : 0);
}

static uint32_t learn_name(struct textlines *t, const struct frame_text *ft, str_id source)
{
	char *text = arena_alloc(&t->s->run, ft->func.n + ft->module.n, 1);
	str_id module = ft->inlined ? 0 : intern(&t->s->names, ft->module);
	bool by_place = t->s->opts.addresses && !t->s->opts.copies;

	if (ft->func.n)
		memcpy(text, ft->func.p, ft->func.n);
	if (ft->module.n)
		memcpy(text + ft->func.n, ft->module.p, ft->module.n);
	t->name = arena_grow(&t->s->run, t->name, &t->names_cap, t->nnames + 1,
	                     sizeof(*t->name));
	t->name[t->nnames++] =
	        (struct line_name){ .text = text,
		                    .func_n = (uint32_t)ft->func.n,
		                    .module_n = (uint32_t)ft->module.n,
		                    .module = module,
		                    .source = source,
		                    .inlined = ft->inlined,
		                    .fixed = ft->func.n || (!t->s->can_name && !by_place),
		                    .frame = frame_as_given(t, ft, module, source, 0) };
	return (uint32_t)t->nnames;
}

static bool is_name(const struct line_name *n, const struct frame_text *ft, str_id source)
{
	return str_eq((struct str){ n->text, n->func_n }, ft->func) &&
	       str_eq((struct str){ n->text + n->func_n, n->module_n }, ft->module) &&
	       n->inlined == ft->inlined && n->source == source;
}

/* The number of a name, from 1. */
static uint32_t know_name(struct textlines *t, const struct frame *frame,
                          const struct frame_text *ft)
{
	str_id source = t->s->opts.lines && frame->whole ? source_of(t, frame) : 0;
	uint64_t hash = hash_more(hash_more(t->seed, ft->func), ft->module);
	uint64_t rest = (uint64_t)source << 1 | ft->inlined;
	uint32_t number = table_get(&t->by_name, hash, rest);

	if (!number || !is_name(&t->name[number - 1], ft, source)) {
		number = learn_name(t, ft, source);
		*table_at(&t->by_name, &t->s->run, hash, rest) = number;
	}
	return number;
}

enum { QUICK_BITS = 12 };

/* Where the name of a line that is split stands if it was met last of those so like it. */
static uint32_t *quick_place(struct textlines *t, const struct frame *f)
{
	uint64_t begin = block_word(f->line.p + FRAMELINE_BODY);
	uint64_t middle = block_word(f->line.p + FRAMELINE_BODY + f->func_n / 2);
	uint64_t end = block_word(f->line.p + f->line.n - 8);

	begin += (middle << 7 | middle >> 57) ^ (end << 23 | end >> 41) ^ f->func_n;
	return &t->quick[begin * 0x9e3779b97f4a7c15u >> (64 - QUICK_BITS)];
}

/* Its name is all that it says. */
static bool is_split(const struct frame *f)
{
	return f->module_at && !f->whole && !f->inlined;
}

static bool is_quick(const struct line_name *n, const struct frame *f)
{
	struct str func = frameline_func(f), module = frameline_module(f);

	return n->func_n == func.n && n->module_n == module.n &&
	       block_same(n->text, func.p, func.n) &&
	       block_same(n->text + n->func_n, module.p, module.n);
}

/* The number of the name of such a line. */
static uint32_t know_split(struct textlines *t, const struct frame *frame)
{
	struct frame_text ft = { .func = frameline_func(frame),
		                 .module = frameline_module(frame) };
	uint32_t *at;

	if (!t->quick)
		t->quick = arena_new(&t->s->run, uint32_t, 1 << QUICK_BITS);
	at = quick_place(t, frame);
	if (!*at || !is_quick(&t->name[*at - 1], frame)) {
		ft.inlined = str_eq(ft.module, STR("inlined"));
		*at = know_name(t, frame, &ft);
	}
	return *at;
}

/* The same; the note of a line that the reader knows is that number. */
static inline uint32_t know_noted(struct textlines *t, const struct event *ev,
                                  const struct frame *frame)
{
	uint32_t *note = frame->known ? &ev->notes[frame->known - 1] : NULL;
	uint32_t number = note ? *note : 0;

	if (!number)
		number = know_split(t, frame);
	if (note)
		*note = number;
	return number;
}

static struct unnamed_line *know_unnamed(struct textlines *t, const struct frame *frame,
                                         uint64_t addr, str_id module)
{
	enum text_line_kind kind = textplace_kind(frame);
	struct frame_text ft;
	str_id prefix = 0;
	uint32_t *at;

	if (kind == TEXT_LINE_BPF && frameline_read(frame, &ft))
		prefix = prefix_of(t, ft.prefix);
	at = table_at(&t->by_address, &t->s->run, addr,
	              (uint64_t)module << 32 | prefix << 2 | kind);
	if (!*at) {
		t->unnamed = arena_grow(&t->s->run, t->unnamed, &t->unnamed_cap,
		                        t->nunnamed + 1, sizeof(*t->unnamed));
		t->unnamed[t->nunnamed++] = (struct unnamed_line){
			.addr = addr, .module = module, .prefix = prefix, .kind = kind
		};
		*at = (uint32_t)t->nunnamed;
	}
	return &t->unnamed[*at - 1];
}

static struct line_read read_line(struct textlines *t, const struct event *ev,
                                  const struct frame *frame)
{
	struct line_read line = { 0 };
	struct frame_text ft;
	uint32_t number;

	if (is_split(frame)) {
		line.addr = frame->ip;
		number = know_noted(t, ev, frame);
	} else {
		if (!frameline_read(frame, &ft))
			return line;
		line.addr = ft.addr;
		number = know_name(t, frame, &ft);
	}
	line.is_frame = true;
	line.name = &t->name[number - 1];
	if (!line.name->fixed && t->s->can_name &&
	    (frame->form != LINE_BPF || line.addr))
		line.unnamed = know_unnamed(t, frame, line.addr, line.name->module);
	return line;
}

/* The frame of a line that is no frame: it has no names. */
static frame_id no_frame(struct textlines *t)
{
	if (!t->none)
		t->none = 1 + resolve_new_frame(t->frames);
	return t->none - 1;
}

/* The frame of a line that its address cannot tell more of. */
static frame_id given_frame(struct textlines *t, const struct line_read *line)
{
	const struct line_name *name = line->name;
	struct frame_text ft = { 0 };
	uint32_t *at;

	if (name->fixed || t->s->can_name)
		return name->frame;
	at = table_at(&t->by_line, &t->s->run, line->addr, (size_t)(name - t->name));
	if (!*at) {
		ft.inlined = name->inlined;
		*at = 1 + frame_as_given(t, &ft, name->module, name->source, line->addr);
	}
	return *at - 1;
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
static struct place place_of(struct textlines *t, const struct unnamed_line *line,
                             int32_t pid, int32_t *owner)
{
	str_id where = line->kind == TEXT_LINE_BPF ? 0 : line->module;

	*owner = pid >= 0 ? pid : perfmap_pid(intern_str(&t->s->names, line->module));
	return textplace_find(&t->place, *owner, where, line->addr, line->kind);
}

static struct found find_name(struct textlines *t, const struct unnamed_line *line,
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
static frame_id resolve_unnamed(struct textlines *t, struct unnamed_line *line,
                                int32_t pid, bool caller, uint64_t time_ns)
{
	struct bind_query q = { .caller = caller && !t->s->opts.compat,
		                .inlined = !t->s->opts.no_inline && !t->s->opts.compat,
		                .time_ns = time_ns };
	struct place at = place_of(t, line, pid, &q.pid);
	uint64_t who = at.m ? at.m->id : (uint64_t)(uint32_t)q.pid << 32;
	uint64_t number = (uint64_t)(line - t->unnamed);
	uint32_t *known = table_at(&t->by_line, &t->s->run, number << 1 | caller, who);
	uint32_t *slot = known;
	struct printed as = printed_as(t, line, at.m);
	unsigned flags = resolve_flags(at.m);
	struct found f;

	q.m = at.m;
	q.ip = at.ip;
	if (at.has_ip && (!*slot || *slot & FRAME_VARIES))
		slot = resolve_slot(t->frames, known, &q);
	if (!*slot) {
		f = find_name(t, line, &at, &q, &flags);
		if (textplace_is_jit(intern_str(&t->s->names, line->module)))
			flags |= NAMED_JIT;
		/* A module that the text does not have is printed as well. */
		as.improved = f.ok || as.module != line->module;
		*slot = 1 + resolve_frame(t->frames, &as, &f, flags);
	}
	if (slot == known) {
		line->last = last_of(t, pid, caller);
		line->last.frame = *slot - 1;
	}
	return *slot - 1;
}

static frame_id resolve_line(struct textlines *t, const struct event *ev, int32_t pid,
                             uint64_t *before, size_t i)
{
	struct line_read line = read_line(t, ev, &ev->frames[i]);
	bool caller = textplace_is_caller(line.addr, *before, i);

	if (!line.is_frame)
		return no_frame(t);
	*before = line.addr;
	if (!line.unnamed)
		return given_frame(t, &line);
	if (is_last(t, &line.unnamed->last, pid, caller))
		return line.unnamed->last.frame;
	return resolve_unnamed(t, line.unnamed, pid, caller, event_moment(ev));
}

static bool is_path(const struct textlines *t, const struct unnamed_line *line)
{
	return str_starts(intern_str(&t->s->names, line->module), STR("/"));
}

/* Tells the binder of one unnamed frame.  False: nothing says where it lies. */
static bool note_line(struct textlines *t, const struct unnamed_line *line, int32_t pid,
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
		struct line_read line = read_line(t, ev, &ev->frames[i]);
		bool caller = textplace_is_caller(line.addr, before, i);

		if (line.unnamed && !is_last(t, &line.unnamed->last, pid, caller) &&
		    note_line(t, line.unnamed, pid, caller))
			line.unnamed->last = last_of(t, pid, caller);
		if (line.is_frame)
			before = line.addr;
	}
}

void textline_resolve(struct textlines *t, const struct event *ev, int32_t pid)
{
	struct placed *sample = resolve_room(t->frames, ev->nframes);
	uint64_t before = 0;

	for (size_t i = 0; i < ev->nframes; i++) {
		const struct frame *f = &ev->frames[i];
		uint32_t number = is_split(f) ? know_noted(t, ev, f) : 0;

		if (number && t->name[number - 1].fixed) {
			before = f->ip;
			sample[i] = (struct placed){ t->name[number - 1].frame, before };
		} else {
			sample[i].id = resolve_line(t, ev, pid, &before, i);
			sample[i].addr = before;
		}
	}
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

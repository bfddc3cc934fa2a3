#include "symbol/text/textline.h"

#include "base/block.h"
#include "bind/native/text_kallsyms.h"

/* The part of a line after the address.  It does not contain the offset in the function. */
struct line_name {
	const char *text; /* func, then module */
	uint32_t func_n, module_n;
	str_id module;
	str_id source; /* text of the source line after this line, or 0 */
	bool inlined;  /* the line has "(inlined)" */
	/* no file can improve the frame, so all lines with this name share one frame */
	bool fixed;
	/* the frame of all lines with this name, if `fixed` */
	frame_id frame;
};

/*
 * A line with a frame that depends on its address, and the frame of its last lookup.  It stays in
 * textlines.unnamed until another line replaces it.  The line has no function, unless opts.places
 * is set.
 */
struct unnamed_line {
	uint64_t addr;
	uint64_t place; /* placed.addr of the last lookup */
	uint32_t name;  /* index of the line_name + 1, or 0 if this slot is free */
	str_id prefix;  /* text before the name if kind is TEXT_LINE_BPF */
	uint8_t kind;   /* enum text_line_kind */
	bool caller;
	uint32_t frame;   /* frame_id + 1, or 0 before the first lookup */
	uint64_t who;     /* the mapping or process for which `frame` is valid */
	int32_t pid;      /* pid of the last lookup */
	uint64_t changes; /* result of process_changes at the last lookup */
	const struct processes *ps; /* the processes at the last lookup, or NULL */
};

/*
 * The fields of a line.  If `unnamed` is NULL, the frame of the line does not depend on the
 * process or the time.
 */
struct line_read {
	uint64_t addr;
	bool is_frame, caller;
	uint32_t name; /* index of the line_name + 1, if the line is a frame */
	struct unnamed_line *unnamed;
};

void textline_init(struct textlines *t, struct session *s, struct frames *frames)
{
	*t = (struct textlines){ .s = s, .frames = frames, .seed = hash_seed() };
	textplace_init(&t->place, s);
	intern_init(&t->prefixes, &s->run);
}

/*
 * Returns the text that precedes the name in a line.  It ends in a blank, unless it is empty.
 */
static str_id prefix_of(struct textlines *t, struct str prefix)
{
	arena_scope(scratch);

	if (!prefix.n || prefix.p[prefix.n - 1] == ' ')
		return intern(&t->prefixes, prefix);
	return intern(&t->prefixes, arena_fmt(&scratch, PRSTR " ", STRARG(prefix)));
}

static str_id module_of(const struct textlines *t, const struct unnamed_line *line)
{
	return t->name[line->name - 1].module;
}

/* Returns "file.c:17" if the line "  file.c:17 (inlined)" follows the frame. */
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

/*
 * Returns the frame of a line that is printed unchanged.  addr distinguishes frames without
 * names.
 */
static frame_id frame_as_given(struct textlines *t, const struct frame_text *ft,
                               str_id module, str_id source, uint64_t addr)
{
	struct resolved *r = resolve_begin(t->frames, addr, module, NULL);
	struct named *own = resolve_own(t->frames);

	r->bare = !module;
	r->how = VERIFIED_GIVEN;
	own->func = intern(&t->s->names, ft->func);
	own->srcline = source;
	own->flags = (ft->func.n ? 0 : NAMED_UNKNOWN) | (ft->inlined ? NAMED_INLINED : 0);
	return resolve_end(t->frames);
}

static uint32_t learn_name(struct textlines *t, const struct frame_text *ft,
                           str_id source)
{
	char *text = arena_alloc(&t->s->run, ft->func.n + ft->module.n, 1);
	str_id module = ft->inlined ? 0 : intern(&t->s->names, ft->module);
	bool by_place = t->s->opts.addresses && !t->s->opts.copies;
	bool fixed = ft->func.n && (!t->s->opts.places || !module);

	if (ft->func.n)
		memcpy(text, ft->func.p, ft->func.n);
	if (ft->module.n)
		memcpy(text + ft->func.n, ft->module.p, ft->module.n);
	*arena_push(&t->s->run, t->name, t->nnames, t->names_cap) =
	        (struct line_name){ .text = text,
		                    .func_n = (uint32_t)ft->func.n,
		                    .module_n = (uint32_t)ft->module.n,
		                    .module = module,
		                    .source = source,
		                    .inlined = ft->inlined,
		                    .fixed = fixed || (!t->s->can_name && !by_place),
		                    .frame = frame_as_given(t, ft, module, source, 0) };
	return (uint32_t)t->nnames;
}

static bool is_name(const struct line_name *n, const struct frame_text *ft, str_id source)
{
	return str_eq((struct str){ n->text, n->func_n }, ft->func) &&
	       str_eq((struct str){ n->text + n->func_n, n->module_n }, ft->module) &&
	       n->inlined == ft->inlined && n->source == source;
}

/* Returns the number of a name.  Numbers start at 1. */
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

/* textlines.quick and textlines.unnamed have 1 << QUICK_BITS and 1 << UNNAMED_BITS slots */
enum { QUICK_BITS = 14, UNNAMED_BITS = 15 };

/*
 * Returns the slot in `quick` for the name in a split line.  Another name with the same hash may
 * be in the slot.
 */
static uint32_t *quick_place(struct textlines *t, const struct frame *f)
{
	uint64_t begin = block_word(f->line.p + FRAMELINE_BODY);
	uint64_t middle = block_word(f->line.p + FRAMELINE_BODY + f->func_n / 2);
	uint64_t end = block_word(f->line.p + f->line.n - 8);

	begin += (middle << 7 | middle >> 57) ^ (end << 23 | end >> 41) ^ f->func_n;
	return &t->quick[begin * 0x9e3779b97f4a7c15u >> (64 - QUICK_BITS)];
}

/*
 * Returns true if the reader has split the line into fields.  The frame then depends only on the
 * name and the address.
 */
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

/* Returns the number of the name in a split line. */
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

/*
 * Returns the note of a split line, a number that the reader stores for it.  If the frame does
 * not depend on the address, the note is 2 * frame_id + 1.  Otherwise it is 2 * the number of the
 * name.
 */
static uint32_t find_note(struct textlines *t, const struct frame *frame)
{
	uint32_t number = know_split(t, frame);
	const struct line_name *name = &t->name[number - 1];

	return name->fixed ? name->frame << 1 | 1 : number << 1;
}

/* Returns the note (find_note) of a frame, or 0 if the line is not split. */
static inline uint32_t note_of(struct textlines *t, const struct event *ev,
                               const struct frame *frame)
{
	uint32_t note;

	if (!is_split(frame))
		return 0;
	if (!frame->known)
		return find_note(t, frame);
	note = ev->notes[frame->known - 1];
	if (!note)
		ev->notes[frame->known - 1] = note = find_note(t, frame);
	return note;
}

static struct unnamed_line *know_unnamed(struct textlines *t, const struct frame *frame,
                                         const struct line_read *line)
{
	struct unnamed_line key = { .addr = line->addr,
		                    .name = line->name,
		                    .kind = (uint8_t)textplace_kind(frame),
		                    .caller = line->caller };
	struct unnamed_line *u;
	struct frame_text ft;
	uint64_t rest;

	if (key.kind == TEXT_LINE_BPF && frameline_read(frame, &ft))
		key.prefix = prefix_of(t, ft.prefix);
	if (!t->unnamed)
		t->unnamed =
		        arena_new(&t->s->run, struct unnamed_line, 1 << UNNAMED_BITS);
	rest = (uint64_t)key.name << 32 | key.prefix << 3 | (unsigned)key.kind << 1 |
	       key.caller;
	u = &t->unnamed[hash_slot(key.addr, rest, UNNAMED_BITS)];
	if (u->addr != key.addr || u->name != key.name || u->prefix != key.prefix ||
	    u->kind != key.kind || u->caller != key.caller)
		*u = key;
	return u;
}

/* Reads frame i of ev.  before: address of the callee of this frame. */
static struct line_read read_line(struct textlines *t, const struct event *ev, size_t i,
                                  uint64_t before, uint32_t note)
{
	const struct frame *frame = &ev->frames[i];
	struct line_read line = { 0 };
	struct frame_text ft;

	if (note) {
		line.addr = frame->ip;
		line.name = note >> 1;
	} else {
		if (!frameline_read(frame, &ft))
			return line;
		line.addr = ft.addr;
		line.name = know_name(t, frame, &ft);
	}
	line.is_frame = true;
	line.caller = textplace_is_caller(line.addr, before, i);
	if (!t->name[line.name - 1].fixed && t->s->can_name &&
	    (frame->form != LINE_BPF || line.addr))
		line.unnamed = know_unnamed(t, frame, &line);
	return line;
}

/* Returns the empty frame, for lines that are not frames. */
static frame_id no_frame(struct textlines *t)
{
	if (!t->none)
		t->none = 1 + resolve_new_frame(t->frames);
	return t->none - 1;
}

/* Returns the frame of a line.  The frame must not depend on the address. */
static frame_id given_frame(struct textlines *t, const struct line_read *line)
{
	const struct line_name *name = &t->name[line->name - 1];
	struct frame_text ft = { .inlined = name->inlined };

	if (name->fixed || t->s->can_name)
		return name->frame;
	return frame_as_given(t, &ft, name->module, name->source, line->addr);
}

/* Names a kernel frame if no mapping of the kernel is known. */
static void name_kernel(struct textlines *t, const struct bind_query *q,
                        struct str module)
{
	struct frames *to = t->frames;
	struct bound_name name;

	if (q->m || !(q->ip >> KERNEL_BIT) ||
	    !text_kallsyms_find(t->s->binder, q->ip, module, q->caller, &name))
		return;
	resolve_call(to, intern(&t->s->names, name.func), true, name.off);
	resolve_own(to)->flags |= NAMED_KERNEL;
	to->made.by = name.by;
	to->made.how = (uint8_t)name.how;
}

/*
 * Returns true if the result of the last lookup is still valid.  The process must be the same,
 * and its mappings must be unchanged.
 */
static bool is_last(const struct textlines *t, const struct unnamed_line *u, int32_t pid)
{
	return u->pid == pid && u->ps == t->s->ps &&
	       u->changes == process_changes(t->s->ps);
}

static void set_last(const struct textlines *t, struct unnamed_line *u, int32_t pid)
{
	u->pid = pid;
	u->ps = t->s->ps;
	u->changes = process_changes(t->s->ps);
}

/*
 * Returns the mapping and the run-time address of an [unknown] line in process pid.  If pid is
 * -1, uses the pid in the name of the module.
 */
static struct place place_of(struct textlines *t, const struct unnamed_line *line,
                             int32_t pid, int32_t *owner)
{
	str_id module = module_of(t, line),
	       where = line->kind == TEXT_LINE_BPF ? 0 : module;

	*owner = pid >= 0 ? pid : perfmap_pid(intern_str(&t->s->names, module));
	return textplace_find(&t->place, *owner, where, line->addr, line->kind);
}

/* Gives the frame that is being made the name in the text. */
static void name_as_given(struct textlines *t, const struct line_name *name)
{
	struct named *own = resolve_own(t->frames);

	own->func = intern(&t->s->names, (struct str){ name->text, name->func_n });
	own->flags &= ~(unsigned)(NAMED_UNKNOWN | NAMED_GUESSED);
	own->srcline = own->srcline ?: name->source;
	t->frames->made.how = VERIFIED_GIVEN;
}

/* Makes the frame of an [unknown] line or, with opts.places, of any line.  at: the mapping and the run-time address of the line. */
static frame_id name_unnamed(struct textlines *t, const struct unnamed_line *line,
                             const struct place *at, const struct bind_query *q)
{
	struct frames *to = t->frames;
	const struct line_name *name = &t->name[line->name - 1];
	str_id given = name->module;
	bool of_bpf = !given && at->m && line->kind == TEXT_LINE_BPF;
	struct str module = intern_str(&t->s->names, given);
	struct resolved *r =
	        resolve_begin(to, line->addr, of_bpf ? at->m->module : given, at->m);
	struct bound_name by;

	r->prefix = intern_str(&t->prefixes, line->prefix);
	r->bare = !given;
	if (textplace_is_jit(module))
		resolve_own(to)->flags |= NAMED_JIT;
	if (at->has_ip)
		resolve_name(to, q, &by);
	if (name->func_n)
		name_as_given(t, name);
	if (!resolve_is_decided(to))
		resolve_recorded(to,
		                 recorded_find_printed(&to->recorded, given, line->addr));
	if (!resolve_is_decided(to))
		name_kernel(t, q, module);
	/* A new module is an improvement, too, even if the frame stays unnamed. */
	r->improved = (!name->func_n && resolve_is_named(to)) ||
	              resolve_own(to)->module != given;
	return resolve_end(to);
}

/*
 * Resolves a line with a frame that depends on the process and the time.  If the text names the function,
 * the inlined functions have lines of their own in the text.
 */
static frame_id resolve_unnamed(struct textlines *t, struct unnamed_line *line,
                                int32_t pid, uint64_t time_ns)
{
	struct bind_query q = { .caller = line->caller && !t->s->opts.compat,
		                .inlined = !t->s->opts.no_inline && !t->s->opts.compat &&
		                           !t->name[line->name - 1].func_n,
		                .time_ns = time_ns };
	struct place at = place_of(t, line, pid, &q.pid);
	uint64_t who = at.m ? at.m->id : (uint64_t)(uint32_t)q.pid << 32;

	q.m = at.m;
	q.ip = at.ip;
	line->place =
	        t->s->opts.places && at.m ? mapping_printed(at.m, at.ip) : line->addr;
	if (!line->frame || line->who != who) {
		frame_id id = name_unnamed(t, line, &at, &q);

		line->frame = 0;
		line->ps = NULL;
		if (at.has_ip && bind_varies(t->s->binder, &q))
			return id;
		line->frame = 1 + id;
		line->who = who;
	}
	set_last(t, line, pid);
	return line->frame - 1;
}

static struct placed resolve_line(struct textlines *t, const struct event *ev,
                                  int32_t pid, uint64_t *before, size_t i, uint32_t note)
{
	struct line_read line = read_line(t, ev, i, *before, note);
	frame_id id;

	if (!line.is_frame)
		return (struct placed){ no_frame(t), *before };
	*before = line.addr;
	if (!line.unnamed)
		return (struct placed){ given_frame(t, &line), line.addr };
	id = is_last(t, line.unnamed, pid)
	             ? line.unnamed->frame - 1
	             : resolve_unnamed(t, line.unnamed, pid, event_moment(ev));
	return (struct placed){ id, line.unnamed->place };
}

static bool is_path(const struct textlines *t, const struct unnamed_line *line)
{
	return str_starts(intern_str(&t->s->names, module_of(t, line)), STR("/"));
}

/* Passes an unnamed frame to the binder.  Returns false if its run-time address is unknown. */
static bool note_line(struct textlines *t, const struct unnamed_line *line, int32_t pid)
{
	bool made = textplace_is_jit(intern_str(&t->s->names, module_of(t, line))),
	     jit = made;
	int32_t owner;
	struct place at = place_of(t, line, pid, &owner);

	if (line->kind == TEXT_LINE_BPF)
		jit |= !(line->addr >> KERNEL_BIT);
	if (at.has_ip) {
		bind_note(t->s->binder, at.m, owner, at.ip,
		          line->caller && !t->s->opts.compat, jit);
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
		uint32_t note = note_of(t, ev, &ev->frames[i]);
		struct line_read line;

		if (note & 1) {
			before = ev->frames[i].ip;
			continue;
		}
		line = read_line(t, ev, i, before, note);
		if (line.unnamed && !is_last(t, line.unnamed, pid) &&
		    note_line(t, line.unnamed, pid))
			set_last(t, line.unnamed, pid);
		if (line.is_frame)
			before = line.addr;
	}
}

/*
 * Marks the frames whose address is a return address.  A frame and the frames inlined into it have one
 * address.
 */
static void mark_callers(struct textlines *t, const struct event *ev)
{
	uint64_t before = 0;

	for (size_t i = 0; i < ev->nframes; i++) {
		struct frame *f = &ev->frames[i];
		struct frame_text ft = { .addr = f->ip };

		if (!note_of(t, ev, f) && !frameline_read(f, &ft))
			continue;
		f->caller = i && f[-1].inlined && ft.addr == before
		                    ? f[-1].caller
		                    : textplace_is_caller(ft.addr, before, i);
		before = ft.addr;
	}
}

void textline_resolve(struct textlines *t, const struct event *ev, int32_t pid)
{
	struct placed *sample = resolve_room(t->frames, ev->nframes);
	uint64_t before = 0;

	for (size_t i = 0; i < ev->nframes; i++) {
		const struct frame *f = &ev->frames[i];
		uint32_t note = note_of(t, ev, f);

		if (note & 1) {
			before = f->ip;
			sample[i] = (struct placed){ note >> 1, before };
		} else {
			sample[i] = resolve_line(t, ev, pid, &before, i, note);
		}
	}
	if (t->s->opts.places)
		mark_callers(t, ev);
}

/* Returns true if a mapping was recorded that is not a mapping of the kernel. */
static bool has_mappings(const struct textlines *t)
{
	const struct mapping *const *maps;

	for (size_t n = process_mappings(t->s->ps, &maps); n-- > 0;)
		if (!maps[n]->assumed && maps[n]->kind != MAPPED_KERNEL)
			return true;
	return false;
}

void textline_report_unplaced(const struct textlines *t)
{
	if (t->unmapped && t->place.form == FORM_ABSOLUTE && !has_mappings(t))
		diag_note(t->s->diag,
		          "%llu frames are offsets in files with unknown load addresses; "
		          "add -m perf.data or -m maps-PID.txt, or print the text with "
		          "--show-mmap-events",
		          (unsigned long long)t->unmapped);
	if (t->unowned && has_mappings(t))
		diag_note(t->s->diag,
		          "%llu frames are offsets in /memfd:doublemapper, of threads in "
		          "unknown processes; add -m perf.data, or print the text with "
		          "-F +pid",
		          (unsigned long long)t->unowned);
	else if (t->unplaced)
		diag_note(t->s->diag,
		          "%llu frames are offsets in /memfd:doublemapper, which has an "
		          "unknown load address; add -m perf.data or -m maps-PID.txt (a "
		          "saved /proc/PID/maps), or print the text with "
		          "--show-mmap-events",
		          (unsigned long long)t->unplaced);
}

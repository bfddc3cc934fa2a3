#include "symbol/resolve.h"

#include "bind/shared_code.h"
#include "process/file_offset.h"
#include "symbol/inlines.h"

enum {
	/* frames.by_ip has 1 << IP_BITS slots, which fit in the second-level cache */
	IP_BITS = 15,
	PLACE_BITS = 17, /* frames.by_place has 1 << PLACE_BITS slots */
	PAGE_BITS = 13,  /* frames.blocks has 1 << PAGE_BITS slots */
};

void resolve_call(struct frames *t, str_id func, bool has_off, uint64_t off)
{
	struct named *own = resolve_own(t);

	own->func = func;
	own->has_off = has_off;
	own->begin = has_off ? t->made.addr - off : 0;
	own->flags &= ~(unsigned)NAMED_UNKNOWN;
}

void resolve_recorded(struct frames *t, const struct recorded_name *n)
{
	if (!n)
		return;
	resolve_call(t, n->func, n->has_off, n->off);
	t->made.how = VERIFIED_RECORDED;
	for (size_t i = t->s->opts.no_inline ? 0 : n->ninlined; i > 0; i--) {
		struct named *inlined = inlines_push(t, n[-i].func);

		inlined->has_off = n[-i].has_off;
		inlined->begin = n[-i].has_off ? t->made.addr - n[-i].off : 0;
	}
}

static void name_by_maps(struct frames *t, const struct bind_query *q,
                         struct bound_name *by)
{
	if (!bind_find(t->s->binder, q, by))
		return;
	t->made.by = by->by;
	if (by->guessed)
		resolve_own(t)->flags |= NAMED_GUESSED;
	if (by->guessed && t->s->opts.strict)
		return;
	resolve_call(t, intern(&t->s->names, by->func), true, by->off);
	t->made.how = (uint8_t)by->how;
	if (inlines_may_add(t, q, by)) {
		inlines_add(t, q, by);
		by->before = by->after = 0;
	}
}

/*
 * A recorded name rarely has source lines or inlined functions.  Adds them from an ELF file.  The
 * file must have the build-id of the file that ran, or must give the address the same name.
 */
static void complete(struct frames *t, const struct bind_query *q)
{
	const struct named *own = resolve_own(t);
	struct bound_name name;

	if (t->made.n > 1 || (!q->inlined && !t->s->opts.lines) ||
	    !bind_has_places(t->s->binder, q->m) || !bind_find(t->s->binder, q, &name) ||
	    !name.native)
		return;
	if (name.how == VERIFIED_ID ||
	    (own->has_off && own->begin == t->made.addr - name.off &&
	     str_eq(intern_str(&t->s->names, own->func), name.func)))
		inlines_add(t, q, &name);
}

/*
 * Names one address.  Recorded names come first.  In JIT code the perf map comes first, because
 * it may be newer than the map that perf read.
 */
static void find_name(struct frames *t, const struct bind_query *q, struct bound_name *by)
{
	const struct mapping *m = q->m;

	if (!t->s->can_name)
		return;
	if (!m || mapping_is_jit(m))
		name_by_maps(t, q, by);
	if (resolve_is_decided(t))
		return;
	resolve_recorded(t, recorded_find(&t->recorded, m, q->pid, q->ip));
	if (m && (m->kind == MAPPED_IMAGE || m->kind == MAPPED_KERNEL)) {
		if (resolve_is_named(t))
			complete(t, q);
		else
			name_by_maps(t, q, by);
	}
}

/*
 * V8 maps its builtins, which are part of the program file, a second time.  V8's perf map names
 * them in only one of the two mappings.  If an address has no name, the same byte is therefore
 * looked up in the other mapping.
 */
void resolve_name(struct frames *t, const struct bind_query *q, struct bound_name *by)
{
	struct bind_query other = *q;
	uint64_t file_off;

	*by = (struct bound_name){ 0 };
	t->other.m = NULL;
	find_name(t, q, by);
	if (resolve_is_decided(t) || !t->s->can_name || t->s->opts.compat || !q->m ||
	    q->m->kind != MAPPED_IMAGE || q->m->assumed)
		return;
	file_off = q->ip - q->m->bias;
	other.m = file_offset_find(t->s->ps, q->pid, q->m->module, file_off, q->m);
	if (!other.m)
		return;
	other.ip = file_off + other.m->bias;
	t->other = other;
	find_name(t, &other, by);
	by->native = false;
	by->before = by->after = 0;
}

static void init_caches(struct frames *t)
{
	struct arena *run = &t->s->run;

	recent_init(&t->by_ip, run, sizeof(struct recent_frame), IP_BITS);
	recent_init(&t->blocks, run, sizeof(struct code_page), PAGE_BITS);
	recent_init(&t->by_place, run, sizeof(struct recent_frame), PLACE_BITS);
}

void resolve_forget(struct frames *t)
{
	recent_end(&t->by_ip);
	recent_end(&t->blocks);
	recent_end(&t->by_place);
	init_caches(t);
}

void resolve_init(struct frames *t, struct session *s)
{
	*t = (struct frames){ .s = s };
	t->chains.arena = &s->run;
	init_caches(t);
	recorded_init(&t->recorded, &s->run, &s->names);
}

frame_id resolve_new_frame(struct frames *t)
{
	arena_fit(&t->s->run, t->frame, t->n + 1, t->cap);
	arena_fit(&t->s->run, t->uses, t->n + 1, t->uses_cap);
	return (frame_id)t->n++;
}

static bool is_named_alike(const struct named *a, const struct named *b)
{
	return a->func == b->func && a->module == b->module && a->flags == b->flags &&
	       a->srcline == b->srcline && a->decl == b->decl &&
	       a->has_off == b->has_off && a->begin == b->begin;
}

static bool is_alike(const struct resolved *a, const struct resolved *b)
{
	if (a->n != b->n || a->code != b->code || (!a->code && a->m != b->m) ||
	    a->by != b->by || a->how != b->how || a->improved != b->improved ||
	    a->addr != b->addr || a->base != b->base || a->bare != b->bare ||
	    !str_eq(a->prefix, b->prefix))
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (!is_named_alike(&a->names[i], &b->names[i]))
			return false;
	return true;
}

static uint64_t hash_alike(const struct resolved *r)
{
	uint64_t hash = hash_mix(r->code ? r->code : (uintptr_t)r->m, r->addr);

	for (size_t i = 0; i < r->n; i++) {
		const struct named *n = &r->names[i];

		hash = hash_mix(hash ^ n->func, (uint64_t)n->module << 32 | n->flags);
		hash = hash_mix(hash ^ n->begin, n->srcline);
	}
	return hash;
}

/*
 * Returns the id of the frame that equals r.  If there is no such frame yet, adds a copy of r.
 */
static frame_id add_frame(struct frames *t, const struct resolved *r)
{
	uint64_t hash = hash_alike(r);
	uint32_t *known = table_at(&t->alike, &t->s->run, hash, r->n);
	struct named *names;
	frame_id id;

	if (*known && is_alike(&t->frame[*known - 1], r))
		return *known - 1;
	names = arena_new(&t->s->run, struct named, r->n);
	memcpy(names, r->names, r->n * sizeof(*names));
	id = resolve_new_frame(t);
	t->frame[id] = *r;
	t->frame[id].names = names;
	*known = id + 1;
	return id;
}

/* Returns NAMED_KERNEL or NAMED_JIT, or 0, for code in m.  m may be NULL. */
static unsigned flags_of(const struct mapping *m)
{
	if (!m)
		return 0;
	if (m->kind == MAPPED_KERNEL)
		return NAMED_KERNEL;
	return m->kind == MAPPED_IMAGE ? 0 : NAMED_JIT;
}

struct resolved *resolve_begin(struct frames *t, uint64_t addr, str_id module,
                               const struct mapping *m)
{
	arena_fit(&t->s->run, t->named, 1, t->named_cap);
	t->named[0] =
	        (struct named){ .module = module, .flags = flags_of(m) | NAMED_UNKNOWN };
	t->made = (struct resolved){ .n = 1, .addr = addr, .m = m };
	return &t->made;
}

frame_id resolve_end(struct frames *t)
{
	if (resolve_own(t)->flags & NAMED_GUESSED && !t->guessed_by)
		t->guessed_by = t->made.by;
	t->made.names = t->named;
	if (!t->s->opts.addresses)
		t->made.addr = 0;
	return add_frame(t, &t->made);
}

/* Returns the module that is printed in parentheses. */
static str_id printed_module(const struct frames *t, const struct mapping *m)
{
	return t->s->opts.kernel_paths && m->file ? m->file : m->module;
}

/* Returns the offset in the file.  For a kernel module, returns the offset in the module. */
static uint64_t place_in_file(const struct bind_query *q)
{
	return q->m->file ? q->ip - q->m->bias : mapping_printed(q->m, q->ip);
}

/* Returns the number of the pair (a, b).  A new pair gets the next number. */
static uint32_t number(struct table *of, struct arena *run, uint64_t a, uint64_t b)
{
	uint32_t *at = table_at(of, run, a, b);

	if (!*at)
		*at = (uint32_t)of->n;
	return *at;
}

enum { NOTHING_NAMES = UINT8_MAX }; /* not a value of enum verified */

/*
 * Determines the number of the code in m.  This function is not inlined, because its stack
 * variable would give code_number a stack protector.
 */
static __attribute__((noinline)) uint32_t number_code(struct code_numbers *c,
                                                      struct session *s,
                                                      const struct mapping *m)
{
	uint64_t nobody = (uint64_t)UINT32_MAX << 32;
	struct shared_code code;
	unsigned how = NOTHING_NAMES;
	uint32_t place;

	if (m->kind != MAPPED_IMAGE || m->assumed)
		return 0;
	if (!s->can_name) {
		place = number(&c->places, &s->run, nobody | m->module, m->path);
	} else if (shared_code_find(s->binder, m, &code)) {
		how = code.how;
		place = number(&c->places, &s->run,
		               (uint64_t)code.native << 32 | m->module, code.shift);
	} else {
		return 0;
	}
	return number(&c->codes, &s->run, place,
	              (uint64_t)intern(&s->names, m->build_id) << 8 | how);
}

/*
 * Returns the number of the code in m.  Mappings of the same code in several processes have the
 * same number.  Returns 0 if a file that is not an ELF file may name frames in m, because such
 * names differ between processes.
 */
static uint32_t code_number(struct code_numbers *c, struct session *s,
                            const struct mapping *m)
{
	arena_fit(&s->run, c->of_mapping, m->id + 1u, c->cap);
	if (!c->of_mapping[m->id])
		c->of_mapping[m->id] = 1 + number_code(c, s, m);
	return c->of_mapping[m->id] - 1;
}

/*
 * Returns the number of the code in m, or 0 if the code is not shared or if its frames differ
 * between mappings.
 */
static uint32_t code_of(struct frames *t, const struct mapping *m)
{
	return t->s->opts.absolute || t->recorded.n ? 0 : code_number(&t->codes, t->s, m);
}

void resolve_share(struct frames *t, const struct mapping *m)
{
	t->made.code = m ? code_of(t, m) : 0;
}

/* Returns q's address as perf prints it. */
static uint64_t printed_address(const struct frames *t, const struct bind_query *q)
{
	return !q->m || t->s->opts.absolute ? q->ip : mapping_printed(q->m, q->ip);
}

void resolve_begin_at(struct frames *t, const struct bind_query *q)
{
	uint64_t addr = printed_address(t, q);

	resolve_begin(t, addr, q->m ? printed_module(t, q->m) : 0, q->m);
	if (q->m)
		t->made.base = addr - place_in_file(q);
}

/* Returns true if only ELF files can name q's address. */
static bool is_of_files(const struct frames *t, const struct bind_query *q)
{
	return !t->recorded.n && shared_code_is_alone(t->s->binder, q);
}

/*
 * A key of by_place.  If several mappings share the code, `who` is the number of the code.
 * Otherwise `who` is the mapping.  `at` has 64 bits, because a broken chain may contain any
 * address.
 */
struct place_key {
	uint64_t who, at;
};

static struct place_key key_of(const struct frames *t, const struct bind_query *q,
                               uint32_t code)
{
	bool other = q->caller || (t->s->opts.compat && q->inlined);

	if (!q->m)
		return (struct place_key){
			(uint64_t)1 << 63 | (uint64_t)(uint32_t)q->pid << 1 | other, q->ip
		};
	if (code)
		return (struct place_key){ (uint64_t)code << 3 | 4 | other,
			                   q->ip - q->m->bias };
	return (struct place_key){ (uint64_t)q->m->id << 3 | other, q->ip };
}

/* Returns the key of q in code_blocks: the code (or the mapping if code is 0) and the address. */
static struct place_key block_of(const struct bind_query *q, uint32_t code)
{
	uint64_t who = code ? (uint64_t)code << 1 | 1 : (uint64_t)q->m->id << 1;

	return (struct place_key){ who, q->ip - q->caller - (code ? q->m->bias : 0) };
}

/*
 * Caches the frame of q.  If the function contains the whole block of q's address (code_blocks.h),
 * caches the frame for all whole blocks of the function in the same page.
 */
static void keep_place(struct frames *t, const struct bind_query *q, uint32_t code,
                       const struct bound_name *by, struct placed at)
{
	struct place_key key;

	if (q->m && (q->m->kind == MAPPED_IMAGE || q->m->kind == MAPPED_KERNEL) &&
	    !t->s->opts.addresses && !t->recorded.n &&
	    (resolve_is_named(t) || is_of_files(t, q))) {
		key = block_of(q, code);
		if (code_blocks_keep(&t->blocks, key.who, key.at, by->before, by->after,
		                     at.id))
			return;
	}
	key = key_of(t, q, code);
	recent_keep(&t->by_place, key.who, key.at, at);
}

/* Stores the lookup that made a new frame. */
static void keep_asked(struct frames *t, frame_id id, const struct bind_query *own,
                       const struct bind_query *other)
{
	if (id < t->nasked)
		return;
	arena_fit(&t->s->run, t->asked, id + 1u, t->asked_cap);
	t->asked[id] = (struct asked){ *own, *other };
	t->nasked = id + 1u;
}

/*
 * Repeats a worker's lookup in this process.  A lookup also chooses files, and this process reports
 * which files were used.  Returns false if no file names the address.
 */
static bool find_again(struct frames *t, const struct bind_query *q, bool is_recorded,
                       struct bound_name *out)
{
	const struct mapping *m = q->m;
	bool places = q->inlined || t->s->opts.lines;

	if (!t->s->can_name)
		return false;
	if (!is_recorded || !m || mapping_is_jit(m))
		return bind_find(t->s->binder, q, out);
	if ((m->kind == MAPPED_IMAGE || m->kind == MAPPED_KERNEL) && places &&
	    bind_has_places(t->s->binder, m))
		(void)bind_find(t->s->binder, q, out);
	return false;
}

/*
 * Does not use the worker's pointers to items, because an item may have another address in the
 * worker.
 */
frame_id resolve_take(struct frames *t, const struct asked *asked, struct resolved *r)
{
	const struct bind_query *q = &asked->own;
	bool is_recorded = r->how == VERIFIED_RECORDED, found;
	/* The worker looks up no frame that the profile itself names. */
	bool is_own = r->how == VERIFIED_EVENT && !q->m;
	const struct mapping *m = is_own ? r->m : q->m;
	struct bound_name name;

	/* As in resolve_location, whose remarks about files this process reports. */
	if (is_own && m && m->kind == MAPPED_IMAGE && t->s->can_name)
		(void)shared_code_form(t->s->binder, m);
	found = !is_own && find_again(t, q, is_recorded && !asked->other.m, &name);
	if (!found && asked->other.m) {
		q = &asked->other;
		found = find_again(t, q, is_recorded, &name);
	}
	if (found && name.native && (t->s->opts.lines || q->inlined))
		bind_visit_places(t->s->binder, q, t->visits);
	if (found && r->n && r->names[r->n - 1].flags & NAMED_GUESSED && !t->guessed_by)
		t->guessed_by = name.by;
	r->by = r->by && found ? name.by : NULL;
	r->code = r->code && m ? code_of(t, m) : 0;
	return add_frame(t, r);
}

/*
 * Names an address that is not cached.  code: result of code_of for the mapping of the address.
 */
static struct placed name_place(struct frames *t, const struct bind_query *q,
                                uint32_t code, bool fixed)
{
	struct bound_name by;
	struct placed at;

	resolve_begin_at(t, q);
	at.addr = t->made.addr;
	resolve_name(t, q, &by);
	t->made.improved = resolve_is_named(t);
	if (by.native || (!t->made.improved && is_of_files(t, q)))
		t->made.code = code;
	at.id = resolve_end(t);
	if (t->asks)
		keep_asked(t, at.id, q, &t->other);
	if (fixed)
		keep_place(t, q, t->made.code, &by, at);
	return at;
}

/* Returns the frame that all addresses without mapping and name share. */
static frame_id nowhere(struct frames *t, const struct bind_query *q)
{
	if (t->nowhere)
		return t->nowhere - 1;
	resolve_begin_at(t, q);
	t->made.addr = 0;
	t->nowhere = 1 + resolve_end(t);
	if (t->asks)
		keep_asked(t, t->nowhere - 1, q, &(struct bind_query){ 0 });
	return t->nowhere - 1;
}

/* Returns 1 + the cached frame of q, or 0. */
static frame_id find_place(const struct frames *t, const struct bind_query *q,
                           uint32_t code)
{
	struct place_key key;
	const struct placed *known;
	frame_id id = 0;

	if (q->m) {
		key = block_of(q, code);
		id = code_blocks_find(&t->blocks, key.who, key.at);
	}
	if (id)
		return id;
	key = key_of(t, q, code);
	known = recent_find(&t->by_place, key.who, key.at);
	return known ? known->id + 1 : 0;
}

struct placed resolve_query(struct frames *t, const struct bind_query *q, bool *fixed)
{
	uint32_t code = q->m ? code_of(t, q->m) : 0;
	frame_id known;

	if (!q->m && !t->s->opts.addresses && is_of_files(t, q))
		return (struct placed){ nowhere(t, q), q->ip };
	known = find_place(t, q, code);
	if (!known && code)
		known = find_place(t, q, 0);
	if (known)
		return (struct placed){ known - 1, printed_address(t, q) };
	if (bind_varies(t->s->binder, q))
		*fixed = false;
	return name_place(t, q, code, *fixed);
}

/*
 * Kernel code may access user data, and user code may access kernel addresses.  If no mapping is
 * found in `mode`, the half of the address space that contains the address selects the mode, as
 * in perf.
 */
struct placed resolve_address(struct frames *t, const struct event *ev, int32_t pid,
                              uint64_t ip, enum cpumode mode)
{
	enum cpumode other = ip >> KERNEL_BIT ? MODE_KERNEL : MODE_USER;
	struct bind_query q = { .pid = pid, .ip = ip, .time_ns = event_moment(ev) };
	bool fixed = true;

	q.m = process_find(t->s->ps, pid, ip, mode);
	if (!q.m && mode != other && (mode == MODE_KERNEL || mode == MODE_USER))
		q.m = process_find(t->s->ps, pid, ip, other);
	return resolve_query(t, &q, &fixed);
}

/* Resolves a frame that by_ip does not contain.  who: its key in by_ip. */
static struct placed resolve_anew(struct frames *t, const struct event *ev, int32_t pid,
                                  const struct frame *f, uint64_t who, bool *fixed)
{
	struct bind_query q = { .pid = pid, .ip = f->ip, .time_ns = event_moment(ev) };
	struct placed at;

	q.m = process_find(t->s->ps, pid, f->ip, f->cpumode);
	if (!q.m && f->cpumode == MODE_KERNEL)
		q.m = bind_find_beyond_kernel(t->s->binder, process_kernel(t->s->ps),
		                              f->ip);
	q.caller = f->caller && !t->s->opts.compat;
	/* perf 6.1 prints inlined functions only in chains that perf itself unwound. */
	q.inlined = !t->s->opts.no_inline && (t->s->opts.compat != 6 || f->unwound);
	at = resolve_query(t, &q, fixed);
	/*
	 * Kernel addresses in by_ip have the same key in all processes.  But without a
	 * mapping, the name depends on the process, so it is not cached.
	 */
	if (*fixed && (q.m || !process_is_kernel(f->cpumode)))
		recent_keep(&t->by_ip, who, f->ip, at);
	return at;
}

static struct recent_link resolve_link(struct frames *t, const struct event *ev,
                                       int32_t pid, const struct recent_state *state,
                                       const struct frame *f)
{
	uint64_t who = recent_who(state, f);
	const struct placed *known = recent_find(&t->by_ip, who, f->ip);
	bool fixed = true;
	struct placed at = known ? *known : resolve_anew(t, ev, pid, f, who, &fixed);

	return (struct recent_link){ f->ip, fixed ? recent_bits(f) : RECENT_NEVER, at };
}

/*
 * Marks the frame that called the kernel's interrupt entry code.  The address of this frame is an
 * interrupted instruction, not a return address.
 */
static void mark_interrupted(struct frames *t, const struct event *ev)
{
	const struct mapping *core = process_kernel(t->s->ps);
	struct frame *f = ev->frames;

	if (!core || !t->s->can_name || t->s->opts.compat)
		return;
	if (core != t->core)
		t->irq_end = bind_irq_entry(t->s->binder, core, &t->irq);
	t->core = core;
	for (size_t i = 1; i < ev->nframes && f[i].cpumode == MODE_KERNEL; i++)
		if (f[i - 1].ip >= t->irq && f[i - 1].ip < t->irq_end)
			f[i].caller = false;
}

void resolve_sample(struct frames *t, const struct event *ev, int32_t pid)
{
	struct recent_state state = recent_state(t->s->ps, pid);
	struct placed *sample = resolve_room(t, ev->nframes);
	size_t n = ev->nframes, same;
	struct recent_link *link;

	if (n > 1 && ev->frames[1].cpumode == MODE_KERNEL)
		mark_interrupted(t, ev);
	link = recent_chain(&t->chains, &state, ev, &same);
	for (size_t i = 0; i < n; i++) {
		struct recent_link *to = &link[n - 1 - i];

		if (i < n - same)
			*to = resolve_link(t, ev, pid, &state, &ev->frames[i]);
		sample[i] = to->at;
	}
}

struct placed *resolve_room(struct frames *t, size_t n)
{
	return t->sample = arena_grow(&t->s->run, t->sample, &t->sample_cap, n + 1,
	                              sizeof(*t->sample));
}

bool resolve_is_nowhere(const struct frames *t, size_t i)
{
	const struct resolved *r = &t->frame[t->sample[i].id];
	struct str module;

	if (!r->n || r->m || !(r->names[0].flags & NAMED_UNKNOWN))
		return false;
	module = intern_str(&t->s->names, r->names[0].module);
	return !module.n || str_eq(module, STR("[unknown]"));
}

bool resolve_guessed(const struct frames *t, size_t n)
{
	for (size_t i = 0; t->guessed_by && i < n; i++) {
		const struct resolved *r = &t->frame[t->sample[i].id];

		if (r->n && r->names[r->n - 1].flags & NAMED_GUESSED)
			return true;
	}
	return false;
}

void resolve_count(struct frames *t, size_t n, uint64_t times)
{
	for (size_t i = 0; i < n; i++)
		t->uses[t->sample[i].id] += times;
}

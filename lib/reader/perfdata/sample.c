/*
 * Decodes SAMPLE records.  The sample_type of the event determines the fields and their order:
 * include/uapi/linux/perf_event.h.
 *
 * 	09 00 00 00 02 00 48 00  SAMPLE, user mode, 72 bytes
 * 	f0 5a 3c f1 8f 7f 00 00  ip
 * 	77 1e 00 00 77 1e 00 00  pid, tid
 * 	18 6f 7d 5d 95 00 00 00  time
 * 	90 d0 03 00 00 00 00 00  period
 * 	03 00 00 00 00 00 00 00  3 addresses of a call chain
 * 	00 fe ff ff ff ff ff ff  -512: user mode begins
 * 	f0 5a 3c f1 8f 7f 00 00  the sampled address,
 * 	...		      and its callers
 */
#include "reader/perfdata/sample.h"

enum { READ_ENABLED = 1, READ_RUNNING = 2, READ_ID = 4, READ_GROUP = 8, READ_LOST = 16 };

/* Rare fields.  struct fields is filled only if sample_type contains a rare field. */
enum {
	HAS_FIELDS = HAS_ADDR | HAS_READ | HAS_ID | HAS_STREAM_ID | HAS_BRANCH_STACK |
	             HAS_REGS_USER | HAS_STACK_USER | HAS_WEIGHT | HAS_DATA_SRC |
	             HAS_IDENTIFIER | HAS_TRANSACTION | HAS_REGS_INTR | HAS_PHYS_ADDR |
	             HAS_AUX | HAS_CGROUP | HAS_DATA_PAGE_SIZE | HAS_CODE_PAGE_SIZE |
	             HAS_WEIGHT_STRUCT,
	/* sample_is_needless knows only these fields */
	HAS_CHAIN_OR_STACK = HAS_IDENTIFIER | HAS_IP | HAS_TID | HAS_TIME | HAS_ADDR |
	                     HAS_ID | HAS_STREAM_ID | HAS_CPU | HAS_PERIOD |
	                     HAS_CALLCHAIN | HAS_REGS_USER | HAS_STACK_USER,
	BRANCH_BYTES = 24,
};

/*
 * Values of at least CONTEXT_MAX in a call chain are context markers.  A marker determines the
 * mode of the addresses that follow the marker.
 */
#define CONTEXT_MAX ((uint64_t)-4095)

enum {
	CONTEXT_HV = -32,
	CONTEXT_KERNEL = -128,
	CONTEXT_USER = -512,
	CONTEXT_USER_DEFERRED = -640, /* since Linux 6.18.  A cookie follows */
	CONTEXT_GUEST = -2048,
	CONTEXT_GUEST_KERNEL = -2176,
	CONTEXT_GUEST_USER = -2560,
};

/* Reads PERF_SAMPLE_READ: the counter of the event, or all counters of its group. */
static void read_counters(struct cursor *c, uint64_t format, struct room *room)
{
	struct fields *f = &room->fields;
	/* the number of counters of a group, or a single value */
	uint64_t first = cur_u64(c);
	uint64_t n = format & READ_GROUP ? first : 1;

	if (n > cur_left(c) / 8 + 1) {
		c->bad = true;
		return;
	}
	f->group = (format & READ_GROUP) != 0;
	arena_fit(room->arena, room->counters, n, room->counters_cap);
	if (format & READ_ENABLED)
		f->enabled_ns = cur_u64(c);
	if (format & READ_RUNNING)
		f->running_ns = cur_u64(c);
	for (uint64_t i = 0; i < n; i++) {
		struct counter *k = &room->counters[i];

		k->value = f->group ? cur_u64(c) : first;
		k->id = format & READ_ID ? cur_u64(c) : 0;
		k->lost = format & READ_LOST ? cur_u64(c) : 0;
	}
	f->counters = room->counters;
	f->ncounters = c->bad ? 0 : n;
}

/*
 * Reverses the order of the bit fields, because compilers for big-endian machines fill them from
 * the highest bit down: mispred, predicted, in_tx, abort: 1 bit each, cycles: 16, type: 4, spec:
 * 2, new_type: 4, priv: 3.
 */
static uint64_t little_flags(uint64_t big)
{
	static const unsigned char widths[] = { 1, 1, 1, 1, 16, 4, 2, 4, 3 };
	uint64_t v = 0;
	unsigned at = 0;

	for (size_t i = 0; i < sizeof(widths); i++) {
		uint64_t mask = ((uint64_t)1 << widths[i]) - 1;

		v |= (big >> (64 - at - widths[i]) & mask) << at;
		at += widths[i];
	}
	return v;
}

static void read_branches(struct cursor *c, uint64_t branch_type, bool big,
                          struct room *room)
{
	struct fields *f = &room->fields;
	uint64_t n = cur_u64(c);

	if (branch_type & BRANCH_HW_INDEX)
		f->hw_idx = cur_u64(c);
	if (n > cur_left(c) / BRANCH_BYTES) {
		c->bad = true;
		return;
	}
	arena_fit(room->arena, room->branches, n, room->branches_cap);
	for (uint64_t i = 0; i < n; i++) {
		struct branch *b = &room->branches[i];

		b->from = cur_u64(c);
		b->to = cur_u64(c);
		b->flags = cur_u64(c);
		if (big)
			b->flags = little_flags(b->flags);
		b->counter = 0;
	}
	for (uint64_t i = 0; branch_type & BRANCH_COUNTERS && i < n; i++)
		room->branches[i].counter = cur_u64(c);
	f->branches = room->branches;
	f->nbranches = n;
}

/*
 * Returns the CPU mode of the addresses after a marker in a call chain.  An unknown marker does
 * not change the mode.
 */
static uint8_t context_mode(uint64_t marker, uint8_t mode)
{
	switch ((int64_t)marker) {
	case CONTEXT_HV:
		return MODE_HV;
	case CONTEXT_KERNEL:
		return MODE_KERNEL;
	case CONTEXT_USER:
	case CONTEXT_USER_DEFERRED:
		return MODE_USER;
	case CONTEXT_GUEST:
	case CONTEXT_GUEST_USER:
		return MODE_GUEST_USER;
	case CONTEXT_GUEST_KERNEL:
		return MODE_GUEST_KERNEL;
	default:
		return mode;
	}
}

/*
 * Returns true if perf accepts the marker.  perf drops chains with other markers.  Since 6.19,
 * perf accepts CONTEXT_USER_DEFERRED.
 */
static bool is_usual_context(uint64_t marker)
{
	int64_t m = (int64_t)marker;

	return m == CONTEXT_HV || m == CONTEXT_KERNEL || m == CONTEXT_USER ||
	       m == CONTEXT_USER_DEFERRED;
}

/*
 * Reads the addresses up to the next marker or the end, and returns their number.  Each frame is
 * a copy of *like, except that the first one is not a caller.
 */
static size_t read_run(const char *p, size_t n, bool swap, const struct frame *like,
                       struct frame *to)
{
	size_t i;

	for (i = 0; i < n; i++) {
		uint64_t ip = record_word(p + i * 8, swap);

		if (ip >= CONTEXT_MAX)
			break;
		to[i] = *like;
		to[i].ip = ip;
	}
	if (i)
		to->caller = false;
	return i;
}

static void read_chain(struct cursor *c, struct room *room, struct event *ev)
{
	struct frame *like = &room->like;
	uint64_t n = cur_u64(c), marker;
	const char *p;

	room->user_at = SIZE_MAX;
	room->deferred = false;
	if (n > cur_left(c) / 8) {
		c->bad = true;
		return;
	}
	p = cur_take(c, n * 8);
	*like = (struct frame){ .cpumode = MODE_USER, .caller = true };
	for (uint64_t i = 0; i < n; i++) {
		size_t run = read_run(p + i * 8, n - i, c->swap, like,
		                      ev->frames + ev->nframes);

		ev->nframes += run;
		i += run;
		if (i == n)
			break;
		marker = record_word(p + i * 8, c->swap);
		like->cpumode = context_mode(marker, like->cpumode);
		if (!ev->odd_at && !is_usual_context(marker))
			ev->odd_at = 1 + ev->nframes;
		if ((int64_t)marker == CONTEXT_USER && room->user_at == SIZE_MAX)
			room->user_at = ev->nframes;
		if ((int64_t)marker == CONTEXT_USER_DEFERRED && ++i + 1 == n) {
			room->deferred = true;
			room->cookie = record_word(p + i * 8, c->swap);
		}
	}
}

/*
 * For perf record --call-graph lbr: replaces the user frames that the kernel found through
 * frame pointers.  The new frames are the calls that have not returned, as recorded by the
 * processor.  The first frame is the target of the newest call.  The other frames contain the
 * addresses of the call instructions, not return addresses.
 */
static void use_calls(const struct fields *f, size_t user_at, struct event *ev)
{
	size_t n = user_at;

	if (user_at == SIZE_MAX || !f->nbranches ||
	    f->nbranches >= RECORD_MAX_FRAMES - user_at)
		return;
	ev->frames[n++] = (struct frame){ .ip = f->branches[0].to, .cpumode = MODE_USER };
	for (size_t i = 0; i < f->nbranches; i++)
		ev->frames[n++] =
		        (struct frame){ .ip = f->branches[i].from, .cpumode = MODE_USER };
	ev->nframes = n;
}

static bool has_user_frames(const struct event *ev)
{
	for (size_t i = 0; i < ev->nframes; i++)
		if (ev->frames[i].cpumode == MODE_USER)
			return true;
	return false;
}

/*
 * Skips vector and predicate registers, which unwinding does not use.  They follow the other
 * registers:
 *
 * 	10 00 04 00  16 vector registers of 4 words
 * 	08 00 01 00  8 predicate registers of 1 word
 * 	...          their 72 words
 */
static void skip_vectors(struct cursor *c)
{
	size_t vectors = cur_u16(c), vector_words = cur_u16(c);
	size_t predicates = cur_u16(c), predicate_words = cur_u16(c);

	cur_take(c, (vectors * vector_words + predicates * predicate_words) * 8);
}

static void read_regs(struct cursor *c, uint64_t mask, uint64_t *room, struct regs *regs)
{
	unsigned n = (unsigned)__builtin_popcountll(mask);

	regs->abi = cur_u64(c);
	if (!regs->abi)
		return;
	for (unsigned i = 0; i < n; i++)
		room[i] = cur_u64(c);
	if (regs->abi & REGS_ABI_SIMD)
		skip_vectors(c);
	regs->mask = mask;
	regs->value = room;
}

/* Reads a copy of the user stack.  The number of valid bytes follows the copy. */
static void read_stack(struct cursor *c, struct fields *f)
{
	uint64_t bytes = cur_u64(c), n;
	const char *p;

	if (!bytes)
		return;
	p = cur_take(c, bytes);
	n = cur_u64(c);
	if (p && n <= bytes)
		f->stack = (struct str){ p, n };
}

/*
 * Adds the user's program counter, from the registers, as the frame from which unwinding starts.
 */
static void add_user_pc(const struct regs *regs, int pc, struct event *ev)
{
	uint64_t below;

	if (pc < 0 || !(regs->mask >> pc & 1) || has_user_frames(ev) ||
	    ev->nframes == RECORD_MAX_FRAMES)
		return;
	below = regs->mask & (((uint64_t)1 << pc) - 1);
	ev->frames[ev->nframes++] =
	        (struct frame){ .ip = regs->value[__builtin_popcountll(below)],
		                .cpumode = MODE_USER };
}

static struct str read_sized(struct cursor *c, uint64_t n)
{
	const char *p = cur_take(c, n);

	return p ? (struct str){ p, n } : (struct str){ 0 };
}

/* Reads the optional fields that precede the counters.  Returns the ip. */
static uint64_t read_fixed(struct cursor *c, const struct event_attr *a, struct fields *f,
                           struct event *ev)
{
	uint64_t has = a->pub.sample_type, ip = 0;

	if (has & HAS_IDENTIFIER)
		f->id = cur_u64(c);
	if (has & HAS_IP)
		ip = cur_u64(c);
	if (has & HAS_TID) {
		ev->pid = (int32_t)cur_u32(c);
		ev->tid = (int32_t)cur_u32(c);
	}
	if (has & HAS_TIME) {
		ev->time_ns = cur_u64(c);
		ev->has_time = true;
	}
	if (has & HAS_ADDR)
		f->addr = cur_u64(c);
	if (has & HAS_ID)
		f->id = cur_u64(c);
	if (has & HAS_STREAM_ID)
		f->stream_id = cur_u64(c);
	if (has & HAS_CPU) {
		ev->cpu = (int32_t)cur_u32(c);
		cur_u32(c);
	}
	ev->weight = a->period ? a->period : 1;
	if (has & HAS_PERIOD)
		ev->weight = cur_u64(c);
	return ip;
}

static void read_weight(struct cursor *c, uint64_t has, struct fields *f)
{
	f->weight = cur_u64(c);
	if (!(has & HAS_WEIGHT_STRUCT))
		return;
	f->weight2 = (uint16_t)(f->weight >> 32);
	f->weight3 = (uint16_t)(f->weight >> 48);
	f->weight &= UINT32_MAX;
}

/* Reads the fields that follow the raw data. */
static void read_rest(struct cursor *c, const struct event_attr *a, struct room *room)
{
	uint64_t has = a->pub.sample_type;
	struct fields *f = &room->fields;

	if (has & HAS_BRANCH_STACK)
		read_branches(c, a->pub.branch_type, a->big, room);
	if (has & HAS_REGS_USER)
		read_regs(c, a->regs_user, room->regs[0], &f->user);
	if (has & HAS_STACK_USER)
		read_stack(c, f);
	if (has & (HAS_WEIGHT | HAS_WEIGHT_STRUCT))
		read_weight(c, has, f);
	if (has & HAS_DATA_SRC)
		f->data_src = cur_u64(c);
	if (has & HAS_TRANSACTION)
		f->transaction = cur_u64(c);
	if (has & HAS_REGS_INTR)
		read_regs(c, a->regs_intr, room->regs[1], &f->intr);
	if (has & HAS_PHYS_ADDR)
		f->phys_addr = cur_u64(c);
	if (has & HAS_CGROUP)
		f->cgroup = cur_u64(c);
	if (has & HAS_DATA_PAGE_SIZE)
		f->data_page_size = cur_u64(c);
	if (has & HAS_CODE_PAGE_SIZE)
		f->code_page_size = cur_u64(c);
	if (has & HAS_AUX)
		f->aux = read_sized(c, cur_u64(c));
}

/*
 * Reads a sample of perf record --off-cpu, as written since the end of 2024.  The raw data come
 * from a BPF program.  They contain the fields of the thread that waited, and replace the
 * sample's own fields.
 *
 * 	77 1e 00 00 78 1e 00 00  process and thread
 * 	80 96 98 00 00 00 00 00  period: ns off the CPU
 * 	03 00 00 00 00 00 00 00  call chain, as above
 * 	00 fe ff ff ff ff ff ff
 * 	...
 * 	01 00 00 00 00 00 00 00  cgroup
 *
 * If perf writes the sample at the end, the pid is first.  If the BPF program writes it, the tid
 * is first.  The larger number is taken as the tid.
 */
static bool read_offcpu(bool swap, struct room *room, struct event *ev)
{
	struct cursor c = cur_over(ev->payload, swap);
	int32_t a = (int32_t)cur_u32(&c), b = (int32_t)cur_u32(&c);

	ev->pid = a < b ? a : b;
	ev->tid = a < b ? b : a;
	ev->weight = cur_u64(&c);
	ev->nframes = 0;
	read_chain(&c, room, ev);
	if (ev->nframes)
		ev->top = ev->frames[0];
	room->fields.cgroup = cur_u64(&c);
	return !c.bad;
}

bool sample_decode(const struct record *r, const struct event_attr *a, struct cursor *c,
                   int pc, struct room *room, struct event *ev)
{
	uint64_t has = a->pub.sample_type, ip;

	room->deferred = false;
	if (has & HAS_FIELDS) {
		room->fields = (struct fields){ .hw_idx = UINT64_MAX };
		ev->fields = &room->fields;
	}
	ip = read_fixed(c, a, &room->fields, ev);
	ev->top = (struct frame){ .ip = ip, .cpumode = r->misc & MISC_CPUMODE };
	if (has & HAS_READ)
		read_counters(c, a->read_format, room);
	if (has & HAS_CALLCHAIN) {
		read_chain(c, room, ev);
	} else if (has & HAS_IP) {
		*ev->frames = ev->top;
		ev->nframes = 1;
	}
	if (has & HAS_RAW)
		ev->payload = read_sized(c, cur_u32(c));
	if (a->offcpu && !read_offcpu(c->swap, room, ev))
		return false;
	if (!(has & HAS_FIELDS))
		return !c->bad;
	read_rest(c, a, room);
	if (a->pub.branch_type & BRANCH_CALL_STACK && has & HAS_BRANCH_STACK &&
	    has & HAS_CALLCHAIN)
		use_calls(&room->fields, room->user_at, ev);
	/*
	 * The registers may be from before an exec.  Therefore perf prints a user frame only if
	 * the sample has a copy of the user stack.
	 */
	if (room->fields.stack.n && has & HAS_CALLCHAIN)
		add_user_pc(&room->fields.user, pc, ev);
	return !c->bad;
}

/*
 * Returns true if one of n words at p is a needed address.  Neighbours in a call chain are often
 * between the same two ranges, so most words are compared with one pair of limits.
 */
static bool has_needed(const char *p, size_t n, bool swap, const struct needed *needed)
{
	uint64_t begin = 0, size = 0; /* of a range in which no address is needed */

	for (size_t i = 0; i < n; i++) {
		uint64_t ip = record_word(p + i * 8, swap);
		const struct needed_range *r = needed->range, *end = r + needed->n;

		if (ip - begin < size)
			continue;
		for (begin = 0; r < end && ip >= r->end; r++)
			begin = r->end;
		if (r < end && ip >= r->start)
			return true;
		size = (r < end ? r->start : UINT64_MAX) - begin;
	}
	return false;
}

/*
 * Moves the cursor to the first word of the call chain.  Sets *n to the number of words that may
 * contain addresses: the chain, and the user registers if there are any.  Returns false for a chain
 * whose user frames come later, for vector registers, and for damage.
 */
static bool find_words(struct cursor *c, const struct event_attr *a, uint64_t *n)
{
	struct cursor rest;

	*n = cur_u64(c);
	rest = *c;
	if (rest.bad || *n > cur_left(&rest) / 8 ||
	    (*n >= 2 && (int64_t)record_word(rest.p + (*n - 2) * 8, rest.swap) ==
	                        CONTEXT_USER_DEFERRED))
		return false;
	cur_take(&rest, *n * 8);
	if (a->pub.sample_type & HAS_REGS_USER) {
		uint64_t abi = cur_u64(&rest);
		uint64_t regs = abi ? (uint64_t)__builtin_popcountll(a->regs_user) : 0;

		if (abi & REGS_ABI_SIMD)
			return false;
		cur_take(&rest, regs * 8);
		*n += 1 + regs;
	}
	if (a->pub.sample_type & HAS_STACK_USER) {
		uint64_t bytes = cur_u64(&rest);

		cur_take(&rest, bytes);
		if (bytes)
			cur_u64(&rest); /* the number of valid bytes */
	}
	return !rest.bad;
}

bool sample_is_needless(const struct record *r, const struct event_attr *a, bool swap,
                        const struct skimming *s)
{
	struct event ev = { .kind = EV_SAMPLE, .pid = -1, .tid = -1, .cpu = -1 };
	struct cursor c = cur_over(r->body, swap);
	const struct needed *needed;
	struct fields rare;
	uint64_t n;

	if (a->pub.sample_type & ~(uint64_t)HAS_CHAIN_OR_STACK ||
	    !(a->pub.sample_type & HAS_CALLCHAIN))
		return false;
	read_fixed(&c, a, &rare, &ev);
	if (c.bad || !find_words(&c, a, &n))
		return false;
	needed = s->needs(s->data, &ev);
	return !needed->all && !has_needed(c.p, n, swap, needed);
}

void sample_read_deferred(struct cursor *c, struct room *room)
{
	uint64_t n;

	room->deferred = false;
	room->cookie = cur_u64(c);
	n = cur_u64(c);
	room->nlater = 0;
	if (n > cur_left(c) / 8) {
		c->bad = true;
		return;
	}
	arena_fit(room->arena, room->later, n, room->later_cap);
	for (; room->nlater < n; room->nlater++)
		room->later[room->nlater] = cur_u64(c);
}

void sample_append(const struct room *room, struct event *ev)
{
	for (size_t i = 0; i < room->nlater && ev->nframes < RECORD_MAX_FRAMES; i++)
		if (room->later[i] < CONTEXT_MAX)
			ev->frames[ev->nframes++] = (struct frame){ .ip = room->later[i],
				                                    .cpumode = MODE_USER,
				                                    .caller = i > 0 };
}

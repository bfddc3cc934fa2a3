/*
 * Records of perf.data: include/uapi/linux/perf_event.h and, for the types above
 * 64, tools/lib/perf/include/perf/event.h.  A header is a type, bits and a size:
 *
 *	09 00 00 00 02 00 48 00  SAMPLE, user mode, 72 bytes
 *	f0 5a 3c f1 8f 7f 00 00  ip
 *	77 1e 00 00 77 1e 00 00  pid, tid
 *	18 6f 7d 5d 95 00 00 00  time
 *
 * Every kernel record but SAMPLE may end in a copy of the sample's ids and time;
 * so strings end where that begins.
 */
#include "reader/record.h"

enum {
	MISC_CPUMODE = 7,
	MISC_MMAP_DATA = 1 << 13,
	MISC_COMM_EXEC = 1 << 13,
	MISC_MMAP_BUILD_ID = 1 << 14,
	BUILD_ID_MAX = 20,
	EXEC = 4, /* PROT_EXEC of the recorded machine, which is Linux */
};

enum { READ_ENABLED = 1, READ_RUNNING = 2, READ_ID = 4, READ_GROUP = 8, READ_LOST = 16 };

enum { BRANCH_HW_INDEX = 1 << 17, BRANCH_COUNTERS = 1 << 19, BRANCH_BYTES = 24 };

/*
 * Values of a call chain from here on are no addresses but say whose the next
 * ones are: PERF_CONTEXT_*.
 */
#define CONTEXT_MAX ((uint64_t)-4095)

enum {
	CONTEXT_HV = -32,
	CONTEXT_KERNEL = -128,
	CONTEXT_USER = -512,
	CONTEXT_USER_DEFERRED = -640, /* Linux 6.18: a cookie follows */
	CONTEXT_GUEST = -2048,
	CONTEXT_GUEST_KERNEL = -2176,
	CONTEXT_GUEST_USER = -2560,
};

/*
 * perf 6.16 lets the 16-bit size of a COMPRESSED2 record overflow; its own
 * data_size has the truth, and the two agree in their low bits.
 */
static uint64_t true_size(const char *p, uint64_t left, uint16_t size, bool swap)
{
	struct cursor c = cur_over((struct str){ p + RECORD_HEAD, 8 }, swap);
	uint64_t whole;

	if (left < 2 * RECORD_HEAD)
		return size;
	whole = cur_u64(&c);
	if (whole > UINT32_MAX)
		return size;
	whole = (whole + 2 * RECORD_HEAD + 7) & ~(uint64_t)7;
	return (uint16_t)whole == size ? whole : size;
}

/* Bytes that follow the record without being counted in its size. */
static uint64_t extra_size(const struct record *r, bool swap)
{
	struct cursor c = cur_over(r->body, swap);

	if (r->type == REC_TRACING_DATA)
		return ((uint64_t)cur_u32(&c) + 7) & ~(uint64_t)7;
	if (r->type == REC_AUXTRACE)
		return cur_u64(&c);
	return 0;
}

enum record_end record_read(struct str left, bool swap, struct record *out)
{
	struct cursor c = cur_over(left, swap);
	uint64_t extra;

	out->p = left.p;
	out->type = cur_u32(&c);
	out->misc = cur_u16(&c);
	out->size = cur_u16(&c);
	if (c.bad) {
		out->size = RECORD_HEAD;
		return RECORD_CUT;
	}
	if (out->type == REC_COMPRESSED2)
		out->size = true_size(left.p, left.n, (uint16_t)out->size, swap);
	if (out->size < RECORD_HEAD || !out->type)
		return RECORD_BAD;
	if (out->size > left.n)
		return RECORD_CUT;
	out->body = (struct str){ c.p, out->size - RECORD_HEAD };
	out->extra = (struct str){ 0 };
	if (out->type != REC_TRACING_DATA && out->type != REC_AUXTRACE)
		return RECORD_WHOLE;
	extra = extra_size(out, swap);
	if (extra > left.n - out->size) {
		out->size =
		        extra > UINT64_MAX - out->size ? UINT64_MAX : out->size + extra;
		return RECORD_CUT;
	}
	out->extra = (struct str){ left.p + out->size, extra };
	out->size += extra;
	return RECORD_WHOLE;
}

static uint64_t word(const char *p, bool swap)
{
	uint64_t v;

	memcpy(&v, p, 8);
	return swap ? __builtin_bswap64(v) : v;
}

uint64_t record_time(const struct record *r, const struct event_attr *a, bool swap)
{
	size_t at;

	if (r->type == REC_SAMPLE) {
		if (!a->time_at || r->body.n < a->time_at * (size_t)8)
			return 0;
		return word(r->body.p + (a->time_at - 1) * 8, swap);
	}
	if (!a->trailer_time || r->body.n < a->trailer * (size_t)8)
		return 0;
	at = r->body.n - (size_t)(a->trailer - a->trailer_time + 1) * 8;
	return word(r->body.p + at, swap);
}

/* Takes the sample id off the end of body. */
static bool take_trailer(const struct record *r, const struct event_attr *a, bool swap,
                         struct str *body, struct event *ev)
{
	size_t n = a->trailer * (size_t)8;
	struct cursor c;

	*body = r->body;
	if (body->n < n)
		return false;
	body->n -= n;
	if (n && a->pub.sample_type & HAS_TID) {
		c = cur_over(str_from(r->body, r->body.n - n), swap);
		cur_take(&c, 4);
		ev->by_tid = (int32_t)cur_u32(&c);
	}
	if (a->trailer_time) {
		ev->time_ns = record_time(r, a, swap);
		ev->has_time = ev->time_ns && ev->time_ns != UINT64_MAX;
		if (!ev->has_time)
			ev->time_ns = 0;
	}
	if (a->trailer_cpu) {
		c = cur_over(str_from(r->body, r->body.n - n + (a->trailer_cpu - 1) * 8u),
		             swap);
		ev->cpu = (int32_t)cur_u32(&c);
	}
	return true;
}

static void read_mmap2(struct cursor *c, uint16_t misc, struct mmap_event *map)
{
	if (misc & MISC_MMAP_BUILD_ID) {
		const char *id = cur_take(c, 24); /* size, 3 of padding, 20 of id */
		size_t n = id ? (unsigned char)*id : 0;

		if (n && n <= BUILD_ID_MAX)
			map->build_id = (struct str){ id + 4, n };
	} else {
		map->maj = cur_u32(c);
		map->min = cur_u32(c);
		map->ino = cur_u64(c);
		map->ino_gen = cur_u64(c);
	}
	map->prot = cur_u32(c);
	map->flags = cur_u32(c);
}

static bool decode_mmap(const struct record *r, struct cursor *c, struct event *ev)
{
	struct mmap_event *map = &ev->map;

	ev->kind = EV_MMAP;
	ev->pid = (int32_t)cur_u32(c);
	ev->tid = (int32_t)cur_u32(c);
	map->start = cur_u64(c);
	map->len = cur_u64(c);
	map->file_off = cur_u64(c);
	map->cpumode = (uint8_t)(r->misc & MISC_CPUMODE);
	if (r->type == REC_MMAP2)
		read_mmap2(c, r->misc, map);
	else
		map->prot = r->misc & MISC_MMAP_DATA ? 0 : EXEC;
	map->path = cur_zstr(c);
	return !c->bad;
}

static bool decode_comm(const struct record *r, struct cursor *c, struct event *ev)
{
	ev->kind = EV_COMM;
	ev->pid = (int32_t)cur_u32(c);
	ev->tid = (int32_t)cur_u32(c);
	ev->comm = cur_zstr(c);
	ev->exec = (r->misc & MISC_COMM_EXEC) != 0;
	return !c->bad;
}

static bool decode_task(const struct record *r, struct cursor *c, struct event *ev)
{
	ev->kind = r->type == REC_FORK ? EV_FORK : EV_EXIT;
	ev->pid = (int32_t)cur_u32(c);
	ev->ppid = (int32_t)cur_u32(c);
	ev->tid = (int32_t)cur_u32(c);
	ev->ptid = (int32_t)cur_u32(c);
	cur_take(c, 8);
	return !c->bad;
}

static bool decode_lost(const struct record *r, struct cursor *c, struct event *ev)
{
	ev->kind = EV_LOST;
	if (r->type == REC_LOST)
		cur_u64(c); /* id */
	ev->weight = cur_u64(c);
	return !c->bad;
}

/* PERF_SAMPLE_READ: counters, of one event or of its group. */
static void skip_read(struct cursor *c, uint64_t format)
{
	uint64_t each =
	        1 + (uint64_t)(__builtin_popcountll(format & (READ_ID | READ_LOST)));
	uint64_t times =
	        (uint64_t)__builtin_popcountll(format & (READ_ENABLED | READ_RUNNING));
	uint64_t n = 1;

	if (format & READ_GROUP)
		n = cur_u64(c);
	if (n > cur_left(c) / 8)
		c->bad = true;
	else
		cur_take(c, (n * each + times) * 8);
}

static void skip_branches(struct cursor *c, uint64_t branch_type)
{
	uint64_t n = cur_u64(c), each = BRANCH_BYTES;

	if (branch_type & BRANCH_HW_INDEX)
		cur_take(c, 8);
	if (branch_type & BRANCH_COUNTERS)
		each += 8;
	if (n > cur_left(c) / BRANCH_BYTES)
		c->bad = true;
	else
		cur_take(c, n * each);
}

/* The mode that a marker begins; an unknown marker changes nothing. */
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

static void read_chain(struct cursor *c, struct event *ev)
{
	uint64_t n = cur_u64(c);
	struct frame *f = ev->frames;
	uint8_t mode = MODE_USER;
	bool caller = false;
	const char *p;

	if (n > cur_left(c) / 8) {
		c->bad = true;
		return;
	}
	p = cur_take(c, n * 8);
	for (uint64_t i = 0; i < n; i++) {
		uint64_t ip = word(p + i * 8, c->swap);

		if (ip < CONTEXT_MAX) {
			*f++ = (struct frame){ .ip = ip,
				               .cpumode = mode,
				               .caller = caller };
			caller = true;
			continue;
		}
		mode = context_mode(ip, mode);
		caller = false;
		if ((int64_t)ip == CONTEXT_USER_DEFERRED)
			i++;
	}
	ev->nframes = (size_t)(f - ev->frames);
}

static bool has_user_frames(const struct event *ev)
{
	for (size_t i = 0; i < ev->nframes; i++)
		if (ev->frames[i].cpumode == MODE_USER)
			return true;
	return false;
}

/* The user's ip among the registers, for a chain that is to be unwound. */
static void read_user_pc(struct cursor *c, uint64_t mask, int pc, struct event *ev)
{
	uint64_t abi = cur_u64(c);
	const char *regs;
	int before;

	if (!abi)
		return;
	regs = cur_take(c, (size_t)__builtin_popcountll(mask) * 8);
	if (!regs || pc < 0 || !(mask >> pc & 1) || has_user_frames(ev) ||
	    ev->nframes == RECORD_MAX_FRAMES)
		return;
	before = __builtin_popcountll(mask & (((uint64_t)1 << pc) - 1));
	ev->frames[ev->nframes++] =
	        (struct frame){ .ip = word(regs + before * 8, c->swap),
		                .cpumode = MODE_USER };
}

static void read_raw(struct cursor *c, struct event *ev)
{
	uint32_t n = cur_u32(c);
	const char *p = cur_take(c, n);

	if (p)
		ev->payload = (struct str){ p, n };
}

/* The first fields of a sample, of which each is there or not. */
static uint64_t read_fixed(struct cursor *c, const struct event_attr *a, struct event *ev)
{
	uint64_t has = a->pub.sample_type, ip = 0;

	if (has & HAS_IDENTIFIER)
		cur_take(c, 8);
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
		cur_take(c, 8);
	if (has & HAS_ID)
		cur_take(c, 8);
	if (has & HAS_STREAM_ID)
		cur_take(c, 8);
	if (has & HAS_CPU) {
		ev->cpu = (int32_t)cur_u32(c);
		cur_u32(c);
	}
	ev->weight = a->period ? a->period : 1;
	if (has & HAS_PERIOD)
		ev->weight = cur_u64(c);
	return ip;
}

static bool decode_sample(const struct record *r, const struct event_attr *a,
                          struct cursor *c, int pc, struct event *ev)
{
	uint64_t has = a->pub.sample_type, ip;

	ev->kind = EV_SAMPLE;
	ip = read_fixed(c, a, ev);
	ev->top = (struct frame){ .ip = ip, .cpumode = r->misc & MISC_CPUMODE };
	if (has & HAS_READ)
		skip_read(c, a->read_format);
	if (has & HAS_CALLCHAIN) {
		read_chain(c, ev);
	} else if (has & HAS_IP) {
		*ev->frames = ev->top;
		ev->nframes = 1;
	}
	if (has & HAS_RAW)
		read_raw(c, ev);
	if (has & HAS_BRANCH_STACK)
		skip_branches(c, a->branch_type);
	if (has & HAS_REGS_USER && has & HAS_STACK_USER && has & HAS_CALLCHAIN)
		read_user_pc(c, a->regs_user, pc, ev);
	return !c->bad;
}

bool record_decode(const struct record *r, const struct event_attr *a, bool swap, int pc,
                   struct frame *frames, struct event *ev)
{
	struct cursor c;
	struct str body;

	*ev = (struct event){
		.pid = -1, .tid = -1, .cpu = -1, .by_tid = -1, .frames = frames
	};
	ev->attr = &a->pub;
	c = cur_over(r->body, swap);
	if (r->type == REC_SAMPLE)
		return decode_sample(r, a, &c, pc, ev);
	if (!take_trailer(r, a, swap, &body, ev))
		return false;
	c = cur_over(body, swap);
	switch (r->type) {
	case REC_MMAP:
	case REC_MMAP2:
		return decode_mmap(r, &c, ev);
	case REC_COMM:
		return decode_comm(r, &c, ev);
	case REC_FORK:
	case REC_EXIT:
		return decode_task(r, &c, ev);
	case REC_LOST:
	case REC_LOST_SAMPLES:
		return decode_lost(r, &c, ev);
	default:
		return false;
	}
}

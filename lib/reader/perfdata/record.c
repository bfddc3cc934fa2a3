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
#include "reader/perfdata/record.h"

#include "reader/perfdata/decode.h"

enum {
	MISC_MMAP_DATA = 1 << 13,
	MISC_COMM_EXEC = 1 << 13,
	MISC_MMAP_BUILD_ID = 1 << 14,
	BUILD_ID_MAX = 20,
	EXEC = 4, /* PROT_EXEC of the recorded machine, which is Linux */
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

uint64_t record_time(const struct record *r, const struct event_attr *a, bool swap)
{
	size_t at;

	if (r->type == REC_SAMPLE) {
		if (!a->time_at || r->body.n < a->time_at * (size_t)8)
			return 0;
		return record_word(r->body.p + (a->time_at - 1) * 8, swap);
	}
	if (!a->trailer_time || r->body.n < a->trailer * (size_t)8)
		return 0;
	at = r->body.n - (size_t)(a->trailer - a->trailer_time + 1) * 8;
	return record_word(r->body.p + at, swap);
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
		ev->pid = ev->by_pid = (int32_t)cur_u32(&c);
		ev->tid = ev->by_tid = (int32_t)cur_u32(&c);
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
	map->brief = r->type == REC_MMAP;
	if (!map->brief)
		read_mmap2(c, r->misc, map);
	else
		map->prot = r->misc & MISC_MMAP_DATA ? 0 : EXEC;
	map->path = map->recorded = cur_zstr(c);
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
	ev->kind = r->type == REC_LOST ? EV_LOST : EV_LOST_SAMPLES;
	if (r->type == REC_LOST)
		cur_u64(c); /* id */
	ev->weight = cur_u64(c);
	return !c->bad;
}

/* What is delivered, and its name in reports. */
const char *record_name(uint32_t type)
{
	static const char *const names[] = {
		[REC_MMAP] = "MMAP",
		[REC_LOST] = "LOST",
		[REC_COMM] = "COMM",
		[REC_EXIT] = "EXIT",
		[REC_THROTTLE] = "THROTTLE",
		[REC_UNTHROTTLE] = "UNTHROTTLE",
		[REC_FORK] = "FORK",
		[REC_SAMPLE] = "SAMPLE",
		[REC_MMAP2] = "MMAP2",
		[REC_AUX] = "AUX",
		[REC_ITRACE_START] = "ITRACE_START",
		[REC_LOST_SAMPLES] = "LOST_SAMPLES",
		[REC_SWITCH] = "SWITCH",
		[REC_SWITCH_CPU_WIDE] = "SWITCH_CPU_WIDE",
		[REC_NAMESPACES] = "NAMESPACES",
		[REC_KSYMBOL] = "KSYMBOL",
		[REC_BPF_EVENT] = "BPF_EVENT",
		[REC_CGROUP] = "CGROUP",
		[REC_TEXT_POKE] = "TEXT_POKE",
		[REC_CALLCHAIN_DEFERRED] = "CALLCHAIN_DEFERRED",
	};

	return type < sizeof(names) / sizeof(*names) ? names[type] : NULL;
}

bool record_decode(const struct record *r, const struct event_attr *a, bool swap, int pc,
                   struct room *room, struct event *ev)
{
	struct cursor c;
	struct str body;

	*ev = (struct event){ .pid = -1,
		              .tid = -1,
		              .cpu = -1,
		              .by_pid = -1,
		              .by_tid = -1,
		              .frames = room->frames };
	ev->attr = &a->pub;
	ev->misc = r->misc;
	c = cur_over(r->body, swap);
	if (r->type == REC_SAMPLE)
		return decode_sample(r, a, &c, pc, room, ev);
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
	case REC_CALLCHAIN_DEFERRED:
		return decode_deferred(&c, room);
	default:
		return decode_side(r, &c, room, ev);
	}
}

/*
 * Records of perf.data: include/uapi/linux/perf_event.h and, for the types above 64,
 * tools/lib/perf/include/perf/event.h.  A header consists of a type, misc bits and a size:
 *
 * 	09 00 00 00 02 00 48 00  SAMPLE, user mode, 72 bytes
 * 	f0 5a 3c f1 8f 7f 00 00  ip
 * 	77 1e 00 00 77 1e 00 00  pid, tid
 * 	18 6f 7d 5d 95 00 00 00  time
 *
 * All kernel records except SAMPLE may end with a sample id, which contains the same ids and
 * times as a sample.  Strings end before the sample id.
 */
#include "reader/perfdata/record.h"

#include "reader/perfdata/sample.h"

enum {
	MISC_MMAP_DATA = 1 << 13,
	MISC_COMM_EXEC = 1 << 13,
	MISC_SWITCH_OUT = 1 << 13,
	MISC_MMAP_BUILD_ID = 1 << 14,
	MISC_SWITCH_PREEMPT = 1 << 14,
	MISC_LOST_SAMPLES_BPF = 1 << 15,
	BUILD_ID_MAX = 20,
	BPF_TAG = 8,
	BPF_PROGRAM = 512,
	BPF_NOTE = BPF_NOTE_KEY + BPF_NOTE_VALUE,
	/*
	 * after damage, reading continues at the next group of this many consecutive
	 * records
	 */
	CHAIN = 3,
	STEP = 8,
	EXEC = 4, /* PROT_EXEC of Linux, on which the profile was recorded */
};

/*
 * Returns the size of a COMPRESSED2 record.  In perf 6.16, the 16-bit size may overflow, but the
 * field data_size is correct.  The size computed from data_size is used if its low 16 bits are
 * `size`.
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

/* Returns the number of bytes that follow the record and are not included in its size. */
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

/*
 * Returns true if the bytes may be a header: the type is at most REC_KNOWN, and the size is a
 * multiple of 8.  By chance, one in 2^25 positions in addresses, text and zeros looks like a
 * header.  Therefore only CHAIN consecutive headers are accepted.
 */
static bool is_likely(const struct record *r)
{
	bool packed = r->type == REC_COMPRESSED || r->type == REC_COMPRESSED2;

	return r->type <= REC_KNOWN && (packed || r->size % STEP == 0);
}

static bool chain_begins(struct str left, bool swap)
{
	struct record r;

	for (int i = 0; i < CHAIN; i++) {
		if (!left.n)
			return i > 0;
		if (record_read(left, swap, &r) != RECORD_WHOLE || !is_likely(&r))
			return false;
		left = str_from(left, r.size);
	}
	return true;
}

size_t record_search(struct str left, size_t from, bool swap)
{
	for (size_t at = from; at < left.n && left.n - at >= RECORD_HEAD; at += STEP)
		if (chain_begins(str_from(left, at), swap))
			return at;
	return left.n;
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

/* Reads the sample id, and sets *body to r->body without the sample id. */
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

/* A record that is being decoded.  c contains the body without the sample id. */
struct decoding {
	const struct record *r;
	struct cursor c;
	struct room *room;
	struct other_fields *other;
	struct event *ev;
};

static void take_ids(struct decoding *d)
{
	d->ev->pid = (int32_t)cur_u32(&d->c);
	d->ev->tid = (int32_t)cur_u32(&d->c);
}

/*
 * Returns the build-id in a field: a size, 3 bytes of padding, and 20 bytes for the id, padded
 * with zeros.  Returns an empty string if the field is invalid.
 */
static struct str build_id_in(const char *field)
{
	size_t n = (unsigned char)*field;

	if (!n || n > BUILD_ID_MAX || memcmp(field + 1, "\0\0", 3) != 0)
		return (struct str){ 0 };
	for (size_t i = n; i < BUILD_ID_MAX; i++)
		if (field[4 + i])
			return (struct str){ 0 };
	return (struct str){ field + 4, n };
}

/*
 * Reads the build-id if it is valid, otherwise the inode.  The bit in misc does not prove a
 * build-id.  If another recording on the machine uses build-ids (perf record --buildid-mmap -a),
 * Linux also sets the bit in the records of this recording, although these records contain inodes.
 */
static void read_mmap2(struct cursor *c, uint16_t misc, struct mmap_event *map)
{
	struct cursor field = *c;
	const char *id = misc & MISC_MMAP_BUILD_ID ? cur_take(&field, 24) : NULL;

	if (id)
		map->build_id = build_id_in(id);
	if (map->build_id.n) {
		*c = field;
	} else {
		map->maj = cur_u32(c);
		map->min = cur_u32(c);
		map->ino = cur_u64(c);
		map->ino_gen = cur_u64(c);
	}
	map->prot = cur_u32(c);
	map->flags = cur_u32(c);
}

static void decode_mmap(struct decoding *d)
{
	struct mmap_event *map = &d->ev->map;

	take_ids(d);
	map->start = cur_u64(&d->c);
	map->len = cur_u64(&d->c);
	map->file_off = cur_u64(&d->c);
	map->cpumode = (uint8_t)(d->r->misc & MISC_CPUMODE);
	map->brief = d->r->type == REC_MMAP;
	if (!map->brief)
		read_mmap2(&d->c, d->r->misc, map);
	else
		map->prot = d->r->misc & MISC_MMAP_DATA ? 0 : EXEC;
	map->path = map->recorded = cur_zstr(&d->c);
}

static void decode_comm(struct decoding *d)
{
	take_ids(d);
	d->ev->comm = cur_zstr(&d->c);
	d->ev->exec = (d->r->misc & MISC_COMM_EXEC) != 0;
}

/* Decodes FORK and EXIT. */
static void decode_task(struct decoding *d)
{
	d->ev->pid = (int32_t)cur_u32(&d->c);
	d->ev->ppid = (int32_t)cur_u32(&d->c);
	d->ev->tid = (int32_t)cur_u32(&d->c);
	d->ev->ptid = (int32_t)cur_u32(&d->c);
	cur_take(&d->c, 8); /* skip the time */
}

static void decode_lost(struct decoding *d)
{
	if (d->r->type == REC_LOST)
		cur_u64(&d->c); /* skip the id */
	d->ev->weight = cur_u64(&d->c);
	/* A BPF filter dropped these samples on request, so they are not lost. */
	if (d->r->type == REC_LOST_SAMPLES && d->r->misc & MISC_LOST_SAMPLES_BPF)
		d->ev->weight = 0;
}

static void decode_deferred(struct decoding *d)
{
	sample_read_deferred(&d->c, d->room);
}

static void decode_switch(struct decoding *d)
{
	struct other_fields *o = d->other;

	o->out = (d->r->misc & MISC_SWITCH_OUT) != 0;
	o->preempt = (d->r->misc & MISC_SWITCH_PREEMPT) != 0;
	o->wide = d->r->type == REC_SWITCH_CPU_WIDE;
	if (o->wide) {
		o->other_pid = (int32_t)cur_u32(&d->c);
		o->other_tid = (int32_t)cur_u32(&d->c);
	}
}

static void decode_namespaces(struct decoding *d)
{
	struct room *room = d->room;
	uint64_t n;

	take_ids(d);
	n = cur_u64(&d->c);
	if (n > cur_left(&d->c) / sizeof(*room->namespaces)) {
		d->c.bad = true;
		return;
	}
	arena_fit(room->arena, room->namespaces, n, room->namespaces_cap);
	for (uint64_t i = 0; i < n; i++) {
		room->namespaces[i].dev = cur_u64(&d->c);
		room->namespaces[i].ino = cur_u64(&d->c);
	}
	d->other->namespaces = room->namespaces;
	d->other->nnamespaces = n;
}

/*
 * 	11 00 00 00 00 00 50 00  KSYMBOL, 80 bytes
 * 	a4 2d 04 c0 ff ff ff ff  address of the code
 * 	fb 00 00 00 01 00 00 00  251 bytes of code, type BPF, no flags
 * 	62 70 66 5f 70 72 6f 67  "bpf_prog_..."
 */
static void decode_ksymbol(struct decoding *d)
{
	d->other->addr = cur_u64(&d->c);
	d->other->len = cur_u32(&d->c);
	d->other->type = cur_u16(&d->c);
	d->other->flags = cur_u16(&d->c);
	d->other->name = cur_zstr(&d->c);
}

static void decode_bpf(struct decoding *d)
{
	const char *tag;

	d->other->type = cur_u16(&d->c);
	d->other->flags = cur_u16(&d->c);
	d->other->id = cur_u32(&d->c);
	tag = cur_take(&d->c, BPF_TAG);
	if (tag)
		d->other->name = (struct str){ tag, BPF_TAG };
}

/*
 * 	54 00 00 00 00 00 90 04  BPF_METADATA, 1168 bytes
 * 	73 61 6d 70 6c 65 5f 66  "sample_f...", the program, padded to 512 bytes
 * 	02 00 00 00 00 00 00 00  two notes
 * 	63 6f 6d 6d 69 74 00 00  "commit", padded to 64 bytes
 * 	34 63 35 66 32 61 38 00  "4c5f2a8", padded to 256 bytes
 */
static void decode_bpf_notes(struct decoding *d)
{
	const char *program = cur_take(&d->c, BPF_PROGRAM);
	uint64_t n = cur_u64(&d->c);

	if (n > cur_left(&d->c) / BPF_NOTE)
		d->c.bad = true;
	if (d->c.bad)
		return;
	d->other->name = (struct str){ program, strnlen(program, BPF_PROGRAM) };
	d->other->notes = (struct str){ cur_take(&d->c, n * BPF_NOTE), n * BPF_NOTE };
}

static void decode_cgroup(struct decoding *d)
{
	d->other->id = cur_u64(&d->c);
	d->other->name = cur_zstr(&d->c);
}

static void decode_poke(struct decoding *d)
{
	size_t nold, nnew;

	d->other->addr = cur_u64(&d->c);
	nold = cur_u16(&d->c);
	nnew = cur_u16(&d->c);
	d->other->old = (struct str){ cur_take(&d->c, nold), nold };
	d->other->new = (struct str){ cur_take(&d->c, nnew), nnew };
}

static void decode_aux(struct decoding *d)
{
	d->other->addr = cur_u64(&d->c);
	d->other->len = cur_u64(&d->c);
	d->other->flags = cur_u64(&d->c);
}

static void decode_throttle(struct decoding *d)
{
	cur_u64(&d->c); /* skip the time, which is also in the sample id */
	d->other->id = cur_u64(&d->c);
	d->other->stream_id = cur_u64(&d->c);
}

/* Types of delivered records, with the name for reports, the kind of event, and the decoder. */
static const struct type {
	const char *name;
	enum event_kind kind;
	void (*decode)(struct decoding *d);
} types[] = {
	[REC_MMAP] = { "MMAP", EV_MMAP, decode_mmap },
	[REC_LOST] = { "LOST", EV_LOST, decode_lost },
	[REC_COMM] = { "COMM", EV_COMM, decode_comm },
	[REC_EXIT] = { "EXIT", EV_EXIT, decode_task },
	[REC_THROTTLE] = { "THROTTLE", EV_THROTTLE, decode_throttle },
	[REC_UNTHROTTLE] = { "UNTHROTTLE", EV_UNTHROTTLE, decode_throttle },
	[REC_FORK] = { "FORK", EV_FORK, decode_task },
	[REC_SAMPLE] = { "SAMPLE", EV_SAMPLE, NULL },
	[REC_MMAP2] = { "MMAP2", EV_MMAP, decode_mmap },
	[REC_AUX] = { "AUX", EV_AUX, decode_aux },
	[REC_ITRACE_START] = { "ITRACE_START", EV_ITRACE_START, take_ids },
	[REC_LOST_SAMPLES] = { "LOST_SAMPLES", EV_LOST_SAMPLES, decode_lost },
	[REC_SWITCH] = { "SWITCH", EV_SWITCH, decode_switch },
	[REC_SWITCH_CPU_WIDE] = { "SWITCH_CPU_WIDE", EV_SWITCH, decode_switch },
	[REC_NAMESPACES] = { "NAMESPACES", EV_NAMESPACES, decode_namespaces },
	[REC_KSYMBOL] = { "KSYMBOL", EV_KSYMBOL, decode_ksymbol },
	[REC_BPF_EVENT] = { "BPF_EVENT", EV_BPF, decode_bpf },
	[REC_CGROUP] = { "CGROUP", EV_CGROUP, decode_cgroup },
	[REC_TEXT_POKE] = { "TEXT_POKE", EV_TEXT_POKE, decode_poke },
	[REC_CALLCHAIN_DEFERRED] = { "CALLCHAIN_DEFERRED", EV_SAMPLE, decode_deferred },
	[REC_BPF_METADATA] = { "BPF_METADATA", EV_BPF_NOTES, decode_bpf_notes },
};

static const struct type *type_of(uint32_t type)
{
	return type < sizeof(types) / sizeof(*types) ? &types[type] : &types[0];
}

const char *record_name(uint32_t type)
{
	return type_of(type)->name;
}

bool record_decode(const struct record *r, const struct event_attr *a, bool swap, int pc,
                   struct room *room, struct event *ev)
{
	const struct type *t = type_of(r->type);
	struct decoding d = { r, .room = room, .other = &room->other, .ev = ev };
	struct str body = r->body;

	*ev = (struct event){ .kind = t->kind,
		              .pid = -1,
		              .tid = -1,
		              .cpu = -1,
		              .by_pid = -1,
		              .by_tid = -1,
		              .frames = room->frames };
	ev->misc = r->misc;
	if (r->type < REC_USER)
		ev->attr = &a->pub;
	if (r->type == REC_SAMPLE) {
		d.c = cur_over(r->body, swap);
		return sample_decode(r, a, &d.c, pc, room, ev);
	}
	if (!t->decode || (ev->attr && !take_trailer(r, a, swap, &body, ev)))
		return false;
	if (t->kind >= EV_SWITCH) {
		room->other = (struct other_fields){ 0 };
		ev->other = &room->other;
	}
	d.c = cur_over(body, swap);
	t->decode(&d);
	return !d.c.bad;
}

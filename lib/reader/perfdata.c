/*
 * perf.data as `perf record` writes it, to a file or to a pipe, of any version and
 * byte order: tools/perf/Documentation/perf.data-file-format.txt.
 *
 *	50 45 52 46 49 4c 45 32 10 00 00 00 00 00 00 00  a pipe capture begins
 *	40 00 00 00 00 00 98 00 01 00 00 00 80 00 00 00  HEADER_ATTR, 152 bytes: an event
 *	...
 *	01 00 00 00 01 00 50 00 ff ff ff ff 00 00 00 00  MMAP of the kernel
 *	...
 *	44 00 00 00 00 00 08 00                          FINISHED_ROUND
 *
 * Records are first only looked at: their time and place go into a queue, and they
 * are decoded when the queue lets them go, from the mapped bytes.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "reader/counts.h"
#include "reader/feature.h"
#include "reader/format.h"
#include "reader/queue.h"
#include "reader/resync.h"
#include "reader/tracing.h"
#include "reader/unpack.h"

enum {
	MODULE_NAME = 256,
	REPORT = 200,
	SUSPICIOUS = 4500, /* bytes: more than any record but samples needs */
};

/* A record that is several samples, one for each counter. */
struct reading {
	struct record record;
	const struct event_attr *a; /* NULL: there is none */
	uint64_t at;
	size_t next; /* counter */
};

struct perfdata {
	struct reader base;
	struct header head;
	struct queue queue;
	struct unpack unpack;
	struct tracing *tracing; /* NULL until a tracepoint's name or text is wanted */
	struct room room;
	struct counts counts;
	struct reading reading;
	uint64_t at;   /* the next record in the input */
	uint64_t last; /* from behind this header on, records are looked for */
	bool scanned;  /* all records were looked at */
	bool cut;      /* the last one is not whole, and was unpacked as far as it goes */
	unsigned long reports, said; /* damage met in this pass, in the longest one */
	bool unknown_id;             /* a record of an unknown event was reported */
	char module[MODULE_NAME];    /* printed name of a kernel module just mapped */
};

static struct perfdata *of(struct reader *r)
{
	return (struct perfdata *)r;
}

/* A pass meets the same damage in the same order as the one before. */
static int report(struct perfdata *pd, uint64_t at, const char *fmt, ...)
        __attribute__((format(printf, 3, 4)));

static int report(struct perfdata *pd, uint64_t at, const char *fmt, ...)
{
	char text[REPORT];
	va_list args;

	if (++pd->reports <= pd->said)
		return -1;
	pd->said = pd->reports;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return diag_at(pd->base.diag, pd->base.name, at, "%s", text);
}

/*
 * perf prints a module by its name, "/lib/modules/6.1.0/kernel/nf-nat.ko.xz" as
 * [nf_nat]; perf 6.1 does not know that .zst is compressed and keeps it.
 */
static struct str module_name(struct perfdata *pd, struct str path)
{
	struct str base = str_base(path), name = base;
	size_t dot = str_rfind(name, '.'), n = 0;
	struct str ext = str_from(name, dot);
	bool module;

	if (str_eq(ext, STR(".gz")) || str_eq(ext, STR(".xz")))
		name = str_head(name, dot);
	module = str_ends(name, STR(".ko"));
	name = module ? str_head(name, name.n - 3) : base;
	if (name.n + 2 > MODULE_NAME)
		return base;
	if (module)
		pd->module[n++] = '[';
	for (size_t i = 0; i < name.n; i++)
		pd->module[n++] = name.p[i] == '-' ? '_' : name.p[i];
	if (module)
		pd->module[n++] = ']';
	return (struct str){ pd->module, n };
}

/* The path as perf prints it, and the build id that only the header knows. */
static void finish_map(struct perfdata *pd, struct mmap_event *map)
{
	struct str recorded = map->path;
	bool kernel = map->cpumode == MODE_KERNEL || map->cpumode == MODE_GUEST_KERNEL;
	size_t close;

	if (kernel && str_starts(recorded, STR("/"))) {
		map->path = module_name(pd, recorded);
	} else if (kernel && (str_starts(recorded, STR("[kernel.kallsyms]")) ||
	                      str_starts(recorded, STR("[guest.kernel.kallsyms")))) {
		close = str_find(recorded, ']');
		map->path = str_head(recorded, close + 1);
	}
	if (map->build_id.n)
		return;
	map->build_id = header_build_id(&pd->head, recorded);
	if (!map->build_id.n)
		map->build_id = header_build_id(&pd->head, map->path);
}

/* Decodes a record into ev.  1, or -1 when it is damaged. */
static int decode(struct perfdata *pd, const struct record *r, const struct event_attr *a,
                  uint64_t at, struct event *ev)
{
	const struct header *h = &pd->head;

	if (!record_decode(r, a, h->pub.swap, h->pc, &pd->room, ev))
		return report(pd, at, "%s record of %u bytes contradicts itself",
		              record_name(r->type), (unsigned)r->size);
	ev->at = at;
	if (ev->kind == EV_MMAP)
		finish_map(pd, &ev->map);
	return 1;
}

/* The next sample of the record in pd->reading; 0: it has no more. */
static int deliver_read(struct perfdata *pd, struct event *ev)
{
	struct reading *r = &pd->reading;
	int got = decode(pd, &r->record, r->a, r->at, ev);

	if (got > 0 && !counts_known(&pd->head.attrs, ev->fields)) {
		r->a = NULL;
		return 1;
	}
	while (got > 0 && r->next < ev->fields->ncounters)
		if (counts_sample(&pd->counts, &pd->head.attrs, r->a, r->next++, ev))
			return 1;
	r->a = NULL;
	return got < 0 ? got : 0;
}

/* As decode, or 0 when nothing comes of the record. */
static int deliver(struct perfdata *pd, const struct record *r,
                   const struct event_attr *a, uint64_t at, struct event *ev)
{
	if (r->type != REC_SAMPLE || !counts_read(a))
		return decode(pd, r, a, at, ev);
	pd->reading = (struct reading){ *r, a, at, 0 };
	return deliver_read(pd, ev);
}

static int deliver_queued(struct perfdata *pd, const struct queued *q, struct event *ev)
{
	const struct event_attr *a = &pd->head.attrs.attr[q->attr];
	struct str left = { q->p, RECORD_HEAD + 65536 };
	uint64_t at = q->chunk ? pd->unpack.chunks[q->chunk].at
	                       : (uint64_t)(q->p - pd->head.bytes.p);
	struct record r;

	record_read(left, pd->head.pub.swap, &r); /* it was whole when it was queued */
	unpack_release(&pd->unpack, q->chunk);
	return deliver(pd, &r, a, at, ev);
}

/* A record of the kernel: waits for its time, or acts at once when it has none. */
static int scan_event(struct perfdata *pd, const struct record *r, uint64_t at,
                      struct event *ev)
{
	const struct header *h = &pd->head;
	int i = r->type == REC_SAMPLE ? attrs_of_sample(&h->attrs, r->body, h->pub.swap)
	                              : attrs_of_record(&h->attrs, r->body, h->pub.swap);
	struct queued q;

	if (i < 0) {
		if (pd->unknown_id)
			return 0;
		pd->unknown_id = true;
		return report(pd, at,
		              "record of an event that is not described; "
		              "such records are skipped");
	}
	q.time_ns = record_time(r, &h->attrs.attr[i], h->pub.swap);
	if (!q.time_ns || q.time_ns == UINT64_MAX)
		return record_name(r->type) ? deliver(pd, r, &h->attrs.attr[i], at, ev)
		                            : 0;
	if (!record_name(r->type)) {
		queue_seen(&pd->queue, q.time_ns);
		return 0;
	}
	q.p = r->p;
	q.chunk = pd->unpack.current;
	q.attr = (uint32_t)i;
	unpack_hold(&pd->unpack, q.chunk);
	queue_push(&pd->queue, q);
	return 0;
}

/* perf says that a round is finished before it lets go what that frees. */
static int end_round(struct perfdata *pd, uint64_t at, struct event *ev)
{
	*ev = (struct event){
		.kind = EV_ROUND, .pid = -1, .tid = -1, .cpu = -1, .by_tid = -1, .at = at
	};
	queue_round(&pd->queue);
	return 1;
}

/* One record of the chunk being read; *got is as of reader_next.  False: none is whole.
 */
static bool scan_chunk(struct perfdata *pd, struct event *ev, int *got)
{
	struct unpack *u = &pd->unpack;
	struct str left = unpack_left(u);
	uint64_t at = u->chunks[u->current].at;
	enum record_end end;
	struct record r;

	*got = 0;
	if (!left.n)
		return false;
	end = record_read(left, pd->head.pub.swap, &r);
	if (end == RECORD_CUT && r.size <= UINT16_MAX)
		return false;
	if (end != RECORD_WHOLE) {
		unpack_drop(u);
		*got = report(pd, at, "no record in the decompressed data");
		return true;
	}
	u->pos += r.size;
	if (r.type < REC_USER)
		*got = scan_event(pd, &r, at, ev);
	else if (r.type == REC_FINISHED_ROUND)
		*got = end_round(pd, at, ev);
	return true;
}

/* All records were seen; says so when they are not all there are. */
static int finish(struct perfdata *pd, const char *cut)
{
	const struct header *h = &pd->head;

	pd->scanned = true;
	if (!cut && h->unsized)
		cut = "the data have no length: perf was killed while recording";
	else if (!cut && h->missing)
		cut = "the file is cut off";
	else if (!cut && !pd->unpack.broken && unpack_left(&pd->unpack).n)
		cut = "compressed data end inside a record";
	queue_end(&pd->queue);
	if (!cut)
		return 0;
	if (h->missing)
		return report(pd, pd->at, "%s; %llu bytes after this are missing", cut,
		              (unsigned long long)h->missing);
	return report(pd, pd->at, "%s", cut);
}

static bool is_compressed(uint32_t type)
{
	return type == REC_COMPRESSED || type == REC_COMPRESSED2;
}

/* The input ends inside a compressed record: what is there may hold whole ones. */
static int scan_cut(struct perfdata *pd, struct str left, struct record *r)
{
	if (pd->cut || left.n <= RECORD_HEAD)
		return finish(pd, "the file is cut off inside a record");
	pd->cut = true;
	r->body = str_from(left, RECORD_HEAD);
	unpack_add(&pd->unpack, r, pd->at, pd->head.pub.swap);
	return 0;
}

/*
 * Where what begins at pd->at ends cannot be told.  Already the record before it may
 * have had a wrong size and others inside: the search begins behind its header.
 */
static int go_on_behind(struct perfdata *pd, const char *what)
{
	const struct header *h = &pd->head;
	struct str left = { h->bytes.p + pd->last, h->data_end - pd->last };
	uint64_t at = pd->at, next = pd->last + resync(left, RECORD_HEAD, h->pub.swap);

	if (next == h->data_end)
		return finish(pd, what);
	if (next <= at)
		at = pd->last;
	pd->at = pd->last = next;
	return report(pd, at,
	              "the next record does not begin where it should, but at %llu",
	              (unsigned long long)next);
}

/* A record without a copy of memory in it cannot hold others: its size is wrong. */
static void check_size(struct perfdata *pd, struct record *r)
{
	const struct attrs *as = &pd->head.attrs;
	const char *name;
	int i = -1;
	size_t n;

	if (r->type >= REC_USER || r->size < SUSPICIOUS)
		return;
	if (r->type == REC_SAMPLE)
		i = attrs_of_sample(as, r->body, pd->head.pub.swap);
	if (i >= 0 && as->attr[i].pub.sample_type & (HAS_RAW | HAS_STACK_USER | HAS_AUX))
		return;
	n = resync(r->body, 0, pd->head.pub.swap);
	if (n == r->body.n)
		return;
	name = record_name(r->type);
	report(pd, pd->at, "%s record of %u bytes that holds others", name ? name : "a",
	       (unsigned)r->size);
	r->size = RECORD_HEAD + n;
	r->body.n = n;
}

/* Why the next record cannot be found behind this one; NULL: it can. */
static const char *what_is_wrong(enum record_end end, const struct record *r)
{
	if (end == RECORD_CUT)
		return "the file is cut off inside a record";
	if (end == RECORD_BAD)
		return "no record begins here; what follows is not read";
	/* The kernel's are made of words. */
	return r->type < REC_USER && r->size % 8
	               ? "a record of odd size; what follows is not read"
	               : NULL;
}

/* One record of the input, as reader_next, 0 being to go on. */
static int scan_input(struct perfdata *pd, struct event *ev)
{
	const struct header *h = &pd->head;
	struct str left = { h->bytes.p + pd->at, h->data_end - pd->at };
	uint64_t at = pd->at;
	const char *wrong;
	enum record_end end;
	struct record r;

	if (!left.n)
		return finish(pd, NULL);
	end = record_read(left, h->pub.swap, &r);
	if (end == RECORD_CUT && is_compressed(r.type))
		return scan_cut(pd, left, &r);
	wrong = what_is_wrong(end, &r);
	if (wrong)
		return go_on_behind(pd, wrong);
	check_size(pd, &r);
	pd->at += r.size;
	pd->last = r.type < REC_USER ? at : pd->at;
	if (r.type < REC_USER)
		return scan_event(pd, &r, at, ev);
	if (r.type == REC_FINISHED_ROUND)
		return end_round(pd, at, ev);
	if (!is_compressed(r.type))
		return 0;
	wrong = unpack_add(&pd->unpack, &r, at, h->pub.swap);
	return wrong ? report(pd, at, "%s", wrong) : 0;
}

static int next(struct reader *r, struct event *ev)
{
	struct perfdata *pd = of(r);

	for (;;) {
		const struct queued *q;
		int got = 0;

		if (pd->reading.a)
			got = deliver_read(pd, ev);
		else if ((q = queue_take(&pd->queue)) != NULL)
			got = deliver_queued(pd, q, ev);
		else if (pd->scanned)
			return 0;
		else if (!scan_chunk(pd, ev, &got))
			got = scan_input(pd, ev);
		if (got)
			return got;
	}
}

static void rewind_all(struct reader *r)
{
	struct perfdata *pd = of(r);

	queue_clear(&pd->queue);
	unpack_rewind(&pd->unpack);
	counts_clear(&pd->counts);
	pd->reading.a = NULL;
	pd->at = pd->last = pd->head.data_at;
	pd->scanned = pd->cut = false;
	pd->unknown_id = false;
	pd->reports = 0;
}

static void progress(const struct reader *r, uint64_t *done, uint64_t *total)
{
	const struct perfdata *pd = (const struct perfdata *)r;

	*done = pd->at;
	*total = pd->head.bytes.n;
}

static size_t attrs(const struct reader *r, const struct attr *const **out)
{
	const struct perfdata *pd = (const struct perfdata *)r;

	*out = pd->head.attrs.list;
	return pd->head.attrs.n;
}

static const struct reader_head *head(const struct reader *r)
{
	return &((const struct perfdata *)r)->head.pub;
}

static bool feature(const struct reader *r, unsigned i, struct str *out)
{
	const struct header *h = &((const struct perfdata *)r)->head;

	if (i >= HEADER_FEATURES || !h->feature[i].p)
		return false;
	*out = h->feature[i];
	return true;
}

static const struct header *header_of(const struct reader *r)
{
	return &((const struct perfdata *)r)->head;
}

static struct tracing *get_tracing(struct perfdata *pd)
{
	if (!pd->tracing)
		pd->tracing = tracing_open(pd->head.tracing, pd->base.run);
	return pd->tracing;
}

static bool trace_text(struct reader *r, const struct event *ev, struct out *out)
{
	struct perfdata *pd = of(r);

	if (!ev->attr || ev->attr->type != TYPE_TRACEPOINT || !ev->payload.n)
		return false;
	return get_tracing(pd) &&
	       tracing_text(pd->tracing, ev->attr->config, ev->cpu, ev->payload, out);
}

/* Where neither EVENT_DESC nor EVENT_UPDATE names a tracepoint, its format does. */
static void name_tracepoints(struct perfdata *pd)
{
	struct attrs *as = &pd->head.attrs;

	for (size_t i = 0; i < as->n; i++) {
		struct attr *a = &as->attr[i].pub;

		if (a->type == TYPE_TRACEPOINT && !a->name.n && get_tracing(pd))
			a->name = tracing_name(pd->tracing, a->config);
	}
}

static void close_all(struct reader *r)
{
	struct perfdata *pd = of(r);

	tracing_close(pd->tracing);
	unpack_close(&pd->unpack);
}

static struct reader *open_member(struct source *s, size_t member, struct arena *run,
                                  struct diag *diag)
{
	struct perfdata *pd = arena_new(run, struct perfdata, 1);
	struct str bytes = source_map(s, member);

	pd->base = (struct reader){ &format_perfdata, run, diag, s->members[member].name,
		                    false };
	if (!bytes.p) {
		diag_fatal(diag, PRSTR ": cannot be read: %s", STRARG(pd->base.name),
		           strerror(errno));
		return NULL;
	}
	pd->head.arena = run;
	pd->head.diag = diag;
	pd->head.name = pd->base.name;
	if (header_read(&pd->head, bytes) < 0)
		return NULL;
	name_tracepoints(pd);
	attrs_done(&pd->head.attrs);
	pd->at = pd->last = pd->head.data_at;
	pd->room.arena = pd->counts.arena = run;
	pd->room.frames = arena_new(run, struct frame, RECORD_MAX_FRAMES);
	queue_init(&pd->queue, run);
	unpack_init(&pd->unpack, run);
	return &pd->base;
}

static int bid(struct str head)
{
	return header_is_perfdata(head) ? 64 : 0;
}

const struct format format_perfdata = {
	.name = "perf.data",
	.id = READ_PERFDATA,
	.bid = bid,
	.open = open_member,
	.next = next,
	.rewind = rewind_all,
	.progress = progress,
	.attrs = attrs,
	.head = head,
	.feature = feature,
	.header = header_of,
	.trace_text = trace_text,
	.close = close_all,
};

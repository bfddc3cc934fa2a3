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

#include "reader/perfdata/feature.h"
#include "reader/perfdata/perfdata.h"
#include "reader/perfdata/sample.h"
#include "reader/tracepoint/tracing.h"

enum { REPORT = 200, HEADER_FIRST = 64 << 10 };

static struct perfdata *of(struct reader *r)
{
	return (struct perfdata *)r;
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
		/* perf knew it by its path already when it read the build-ids. */
		if (!pd->head.capture.pipe && header_build_id(&pd->head, recorded).n)
			map->printed = recorded;
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

/* A pass meets the same damage in the same order as the one before. */
int perfdata_report(struct perfdata *pd, struct str name, uint64_t at, const char *fmt,
                    ...)
{
	char text[REPORT];
	va_list args;

	if (++pd->reports <= pd->said)
		return -1;
	pd->said = pd->reports;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return diag_at(pd->base.diag, name, at, "%s", text);
}

void perfdata_lose(struct perfdata *pd, const struct input *in, uint64_t at,
                   uint64_t bytes, uint64_t records)
{
	if (!pd->lost.bytes && !pd->lost.records) {
		pd->lost.first = at;
		pd->lost.name = in->name;
	}
	pd->lost.bytes += bytes;
	pd->lost.records += records;
}

static bool is_mapped(const struct input *in, const char *p)
{
	return p >= in->bytes.p && p < in->bytes.p + in->bytes.n;
}

/* Decodes a record into ev.  1, or -1 when it is damaged. */
static int decode(struct perfdata *pd, const struct record *r, const struct event_attr *a,
                  const struct input *in, uint64_t at, struct event *ev)
{
	const struct header *h = &pd->head;

	if (!record_decode(r, a, h->capture.swap, h->pc, &pd->room, ev)) {
		perfdata_lose(pd, in, at, 0, 1);
		return perfdata_report(pd, in->name, at,
		                       "%s record of %u bytes contradicts itself",
		                       record_name(r->type), (unsigned)r->size);
	}
	ev->at = at;
	ev->stays = is_mapped(in, ev->callers.p);
	if (ev->kind == EV_MMAP)
		finish_map(pd, &ev->map);
	return 1;
}

/* The next sample of the record in pd->reading; 0: it has no more. */
static int deliver_read(struct perfdata *pd, struct event *ev)
{
	struct reading *r = &pd->reading;
	int got = decode(pd, &r->record, r->a, r->in, r->at, ev);

	if (got > 0 && r->stitched)
		sample_append(&pd->room, ev);
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

/* The user frames of samples that wait: those are what is delivered. */
static int begin_stitch(struct perfdata *pd, const struct event *ev)
{
	pd->stitching = true;
	pd->stitch_tid = ev->tid;
	pd->stitch_cookie = pd->room.cookie;
	return 0;
}

/* What comes of a record that was decoded, as perfdata_deliver. */
static int deliver_decoded(struct perfdata *pd, const struct reading *r, struct event *ev)
{
	if (r->record.type == REC_CALLCHAIN_DEFERRED)
		return begin_stitch(pd, ev);
	if (r->stitched)
		sample_append(&pd->room, ev);
	if (r->record.type != REC_SAMPLE || !counts_read(r->a))
		return 1;
	pd->reading = *r;
	return deliver_read(pd, ev);
}

int perfdata_deliver(struct perfdata *pd, const struct record *r,
                     const struct event_attr *a, const struct input *in, uint64_t at,
                     struct event *ev)
{
	struct reading reading = { .record = *r, .a = a, .in = in, .at = at };
	int got = decode(pd, r, a, in, at, ev);

	return got > 0 ? deliver_decoded(pd, &reading, ev) : got;
}

/* The input whose mapped bytes p is in. */
static const struct input *input_of(const struct perfdata *pd, const char *p)
{
	const struct input *in = pd->inputs;

	while (!is_mapped(in, p))
		in++;
	return in;
}

/* Decodes what waited in the queue, or for its frames: q's record. */
static int decode_queued(struct perfdata *pd, const struct queued *q, struct reading *out,
                         struct event *ev)
{
	struct str left = { q->p, RECORD_HEAD + 65536 };

	record_read(left, pd->head.capture.swap, &out->record); /* whole when queued */
	out->a = &pd->head.attrs.attr[q->attr];
	out->in =
	        q->chunk ? &pd->inputs[pd->chunks.k[q->chunk].input] : input_of(pd, q->p);
	out->at = q->chunk ? chunk_at(&pd->chunks, q->chunk, q->p)
	                   : (uint64_t)(q->p - out->in->bytes.p);
	return decode(pd, &out->record, out->a, out->in, out->at, ev);
}

/* A sample whose user frames follow goes on waiting, for them. */
static int deliver_queued(struct perfdata *pd, const struct queued *q, struct event *ev)
{
	struct reading r = { .next = 0 };
	int got = decode_queued(pd, q, &r, ev);

	if (got > 0 && ev->kind == EV_SAMPLE && pd->room.deferred) {
		defer_push(&pd->defer, *q, ev->tid, pd->room.cookie);
		return 0;
	}
	chunk_release(&pd->chunks, q->chunk);
	return got > 0 ? deliver_decoded(pd, &r, ev) : got;
}

/* The next that waited for its user frames; 0: none. */
static int deliver_deferred(struct perfdata *pd, struct event *ev)
{
	struct reading r = { .next = 0 };
	struct deferred d;
	int got;

	if (!(pd->stitching ? defer_take(&pd->defer, pd->stitch_tid, &d)
	                    : defer_take_any(&pd->defer, &d))) {
		pd->stitching = false;
		return 0;
	}
	got = decode_queued(pd, &d.record, &r, ev);
	chunk_release(&pd->chunks, d.record.chunk);
	r.stitched = pd->stitching && d.cookie == pd->stitch_cookie;
	return got > 0 ? deliver_decoded(pd, &r, ev) : got;
}

/* Once, when all was delivered: what is lost, and what was passed over. */
static void say_losses(struct perfdata *pd)
{
	const struct losses *l = &pd->lost;

	if (pd->said_lost)
		return;
	pd->said_lost = true;
	if (l->bytes || l->records)
		diag_note(pd->base.diag,
		          PRSTR ": lost %llu bytes and %llu records, the first at %llu",
		          STRARG(l->name), (unsigned long long)l->bytes,
		          (unsigned long long)l->records, (unsigned long long)l->first);
	if (l->unknown)
		diag_note(pd->base.diag,
		          PRSTR ": %llu records of types that are not known, skipped",
		          STRARG(pd->base.name), (unsigned long long)l->unknown);
}

static int next(struct reader *r, struct event *ev)
{
	struct perfdata *pd = of(r);

	for (;;) {
		const struct queued *q;
		int got;

		if (pd->reading.a) {
			got = deliver_read(pd, ev);
		} else if (pd->stitching) {
			got = deliver_deferred(pd, ev);
		} else if ((q = queue_take(&pd->queue)) != NULL) {
			got = deliver_queued(pd, q, ev);
		} else if (!pd->scanned) {
			got = scan_next(pd, ev);
		} else if (pd->defer.oldest) {
			got = deliver_deferred(pd, ev);
		} else {
			say_losses(pd);
			return 0;
		}
		if (got)
			return got;
	}
}

static void rewind_all(struct reader *r)
{
	struct perfdata *pd = of(r);

	queue_clear(&pd->queue);
	unpack_restart(&pd->unpack);
	chunk_clear(&pd->chunks);
	pd->copies = 0;
	counts_clear(&pd->counts);
	pd->reading.a = NULL;
	defer_clear(&pd->defer);
	pd->stitching = false;
	for (size_t i = 0; i < pd->ninputs; i++)
		input_rewind(&pd->inputs[i]);
	pd->input = 0;
	pd->scanned = pd->cut = false;
	pd->unknown_id = false;
	pd->reports = 0;
	pd->lost = (struct losses){ 0 };
}

static void hold(struct reader *r)
{
	struct stream *st = of(r)->inputs->stream;

	if (st)
		stream_hold(st);
}

static uint64_t held(const struct reader *r)
{
	const struct input *in = ((const struct perfdata *)r)->inputs;

	return in->stream ? in->at - in->begin : 0;
}

static void progress(const struct reader *r, uint64_t *done, uint64_t *total)
{
	const struct perfdata *pd = (const struct perfdata *)r;

	*done = *total = 0;
	for (size_t i = 0; i < pd->ninputs; i++) {
		if (i <= pd->input)
			*done += pd->inputs[i].at;
		*total += pd->inputs[i].bytes.n;
	}
}

static size_t attrs(const struct reader *r, const struct attr *const **out)
{
	const struct capture *c = &((const struct perfdata *)r)->head.capture;

	*out = c->attrs;
	return c->nattrs;
}

static const struct capture *capture(const struct reader *r)
{
	return &((const struct perfdata *)r)->head.capture;
}

static struct tracing *get_tracing(struct perfdata *pd)
{
	if (pd->tracing)
		return pd->tracing;
	pd->tracing = tracing_open(pd->head.tracing, pd->base.run);
	if (pd->tracing && pd->names)
		tracing_names(pd->tracing, pd->names);
	return pd->tracing;
}

static void trace_names(struct reader *r, const struct trace_names *names)
{
	struct perfdata *pd = of(r);

	pd->names = names;
	if (pd->tracing)
		tracing_names(pd->tracing, names);
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
	stream_close(pd->inputs->stream);
}

/* From a pipe: what describes stands before the first event. */
static int open_stream(struct perfdata *pd)
{
	struct input *in = pd->inputs;
	struct str head;
	size_t n = HEADER_FIRST, used;

	for (;; n *= 2) {
		head = stream_ahead(in->stream, n);
		used = header_of_pipe(head);
		if (used || head.n < n)
			break;
	}
	head = arena_str(pd->base.run, used ? str_head(head, used) : head);
	if (header_read(&pd->head, head) < 0)
		return -1;
	if (!pd->head.capture.pipe)
		return diag_fatal(pd->base.diag,
		                  PRSTR ": perf.data that is no pipe capture",
		                  STRARG(pd->base.name));
	in->end = UINT64_MAX;
	return 0;
}

static int open_mapped(struct perfdata *pd)
{
	struct input *in = pd->inputs;

	if (header_read(&pd->head, in->bytes) < 0)
		return -1;
	in->end = pd->head.data_end;
	in->missing = pd->head.missing;
	in->unsized = pd->head.unsized;
	return 0;
}

/* "data.7" beside "data"? */
static bool is_part(struct str name, struct str main)
{
	uint64_t n;

	return str_starts(name, main) && name.n > main.n + 1 && name.p[main.n] == '.' &&
	       str_is_dec(str_from(name, main.n + 1), &n);
}

/* The files beside the main one in what perf record --threads writes. */
static void add_parts(struct perfdata *pd, struct source *s)
{
	struct str main = pd->base.name;
	bool found = false;
	size_t cap = 1;

	if (!capture_has(&pd->head.capture, FEATURE_DIR_FORMAT))
		return;
	for (size_t i = 0; i < s->n; i++) {
		struct input in = { .name = s->members[i].name };

		if (!is_part(in.name, main))
			continue;
		found = true;
		in.bytes = source_map(s, i);
		if (!in.bytes.p) {
			diag_damage(pd->base.diag, PRSTR ": cannot be read: %s",
			            STRARG(in.name), strerror(errno));
			continue;
		}
		in.end = in.bytes.n;
		pd->inputs = arena_grow(pd->base.run, pd->inputs, &cap, pd->ninputs + 1,
		                        sizeof(*pd->inputs));
		pd->inputs[pd->ninputs++] = in;
	}
	if (!found)
		diag_damage(pd->base.diag,
		            PRSTR ": of several files of one recording, and the others "
		                  "(data.0 and so on) are not here: give the directory",
		            STRARG(main));
}

static struct perfdata *make(struct str name, struct arena *run, struct diag *diag)
{
	struct perfdata *pd = arena_new(run, struct perfdata, 1);

	pd->base = (struct reader){
		.format = &perfdata_format, .run = run, .diag = diag, .name = name
	};
	pd->head.arena = pd->room.arena = pd->counts.arena = run;
	pd->defer.arena = run;
	pd->head.diag = diag;
	pd->head.name = name;
	pd->room.frames = arena_new(run, struct frame, RECORD_MAX_FRAMES);
	pd->ninputs = 1;
	pd->inputs = arena_new(run, struct input, 1);
	pd->inputs->name = name;
	chunk_init(&pd->chunks, run);
	unpack_init(&pd->unpack, &pd->chunks);
	queue_init(&pd->queue, run);
	return pd;
}

/* The first input is there: reads what describes.  s may hold others, or is NULL. */
static struct reader *begin(struct perfdata *pd, struct source *s)
{
	struct input *in = pd->inputs;

	if ((in->stream ? open_stream(pd) : open_mapped(pd)) < 0) {
		close_all(&pd->base);
		return NULL;
	}
	in->begin = in->at = in->last = pd->head.data_at;
	if (s)
		add_parts(pd, s);
	name_tracepoints(pd);
	attr_done(&pd->head.attrs);
	pd->head.capture.attrs = pd->head.attrs.list;
	pd->head.capture.nattrs = pd->head.attrs.n;
	return &pd->base;
}

struct reader *perfdata_over(struct stream *stream, struct arena *run, struct diag *diag)
{
	struct perfdata *pd = make(STR("stream"), run, diag);

	pd->inputs->stream = stream;
	return begin(pd, NULL);
}

static struct reader *open_member(struct source *s, size_t member, struct arena *run,
                                  struct diag *diag)
{
	struct perfdata *pd = make(s->members[member].name, run, diag);
	struct input *in = pd->inputs;

	if (s->kind == SOURCE_PIPE)
		in->stream = stream_open(s, member);
	else
		in->bytes = source_map(s, member);
	if (in->stream || in->bytes.p)
		return begin(pd, s);
	diag_fatal(diag, PRSTR ": cannot be read: %s", STRARG(pd->base.name),
	           strerror(errno));
	return NULL;
}

static int bid(struct str head)
{
	return header_is_perfdata(head) ? 64 : 0;
}

const struct format perfdata_format = {
	.name = "perf.data",
	.id = READ_PERFDATA,
	.bid = bid,
	.open = open_member,
	.next = next,
	.rewind = rewind_all,
	.hold = hold,
	.held = held,
	.progress = progress,
	.attrs = attrs,
	.capture = capture,
	.trace_names = trace_names,
	.trace_text = trace_text,
	.close = close_all,
};

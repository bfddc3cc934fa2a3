/*
 * Reads a perf.data file or pipe of any version and byte order:
 * tools/perf/Documentation/perf.data-file-format.txt.
 *
 * 	50 45 52 46 49 4c 45 32 10 00 00 00 00 00 00 00  a pipe capture begins
 * 	40 00 00 00 00 00 98 00 01 00 00 00 80 00 00 00  HEADER_ATTR, 152 bytes: an event
 * 	...
 * 	01 00 00 00 01 00 50 00 ff ff ff ff 00 00 00 00  MMAP of the kernel
 * 	...
 * 	44 00 00 00 00 00 08 00                          FINISHED_ROUND
 *
 * When a record is found, only its time and position are queued.  The record is decoded when
 * the queue releases it.
 */
#include "reader/perfdata/perfdata.h"

#include <errno.h>

#include "reader/perfdata/counts.h"
#include "reader/perfdata/deferred_chains.h"
#include "reader/perfdata/sample.h"
#include "reader/tracepoint/traced.h"

enum { MODULE_NAME = 256 };

/* A record with several samples, one for each counter. */
struct reading {
	struct scanned rec; /* rec.a is NULL if no record is being read */
	size_t next;        /* index of the next counter to deliver */
	bool stitched;      /* the frames in room.later are appended to each sample */
};

struct perfdata {
	struct reader base;
	struct header head;
	struct scan scan;
	struct traced traced;
	/* id of a tracepoint -> 1 if formats_of has reported it */
	struct table unreadable;
	struct room room;
	struct counts counts;
	struct reading reading;
	struct deferred_chains defer;
	bool defers; /* the pass that noted slices found a CALLCHAIN_DEFERRED */
	/*
	 * numbers of records that change mappings or names.  changed: delivered so far.  change:
	 * before the current slice.  applied: before the end of this slice
	 */
	size_t changed, change, applied;
	/*
	 * Set while the waiting samples of thread stitch_tid are delivered.  Samples with
	 * the cookie stitch_cookie get the frames in room.later.
	 */
	bool stitching;
	int32_t stitch_tid;
	uint64_t stitch_cookie;
	char module[MODULE_NAME]; /* printed name of the last mapped kernel module */
};

static struct perfdata *of(struct reader *r)
{
	return (struct perfdata *)r;
}

/*
 * Returns the printed name of a kernel module: [nf_nat] for
 * "/lib/modules/6.1.0/kernel/nf-nat.ko.xz".  perf 6.1 does not recognise the suffix .zst, and
 * keeps it.
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

/*
 * Sets the path as perf prints it.  If the record has no build-id, takes the build-id from the
 * header.
 */
static void finish_map(struct perfdata *pd, struct mmap_event *map)
{
	struct str recorded = map->path;
	bool kernel = map->cpumode == MODE_KERNEL || map->cpumode == MODE_GUEST_KERNEL;
	size_t close;

	if (kernel && str_starts(recorded, STR("/"))) {
		map->path = module_name(pd, recorded);
		/*
		 * If the header has a build-id for this module, perf prints the path of
		 * the module.
		 */
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

/* Decodes a record into ev.  Returns 1, or -1 if the record is damaged. */
static int decode(struct perfdata *pd, const struct scanned *s, struct event *ev)
{
	const struct header *h = &pd->head;
	const char *name = record_name(s->record.type);

	if (!record_decode(&s->record, s->a, h->capture.swap, h->pc, &pd->room, ev)) {
		scan_lose(&pd->scan, s->in, s->at, 0, 1);
		return scan_report(&pd->scan, s->in, s->at,
		                   "%s record of %u bytes contradicts itself",
		                   name ? name : "a", (unsigned)s->record.size);
	}
	ev->at = s->at;
	if (ev->kind == EV_MMAP)
		finish_map(pd, &ev->map);
	return 1;
}

/* Delivers the next sample of the record in pd->reading, or returns 0. */
static int deliver_read(struct perfdata *pd, struct event *ev)
{
	struct reading *r = &pd->reading;
	const struct event_attr *a = r->rec.a;
	int got = decode(pd, &r->rec, ev);

	if (got > 0 && r->stitched)
		sample_append(&pd->room, ev);
	if (got > 0 && !counts_are_known(&pd->head.attrs, ev->fields)) {
		r->rec.a = NULL;
		return 1;
	}
	while (got > 0 && r->next < ev->fields->ncounters)
		if (counts_sample(&pd->counts, &pd->head.attrs, a, r->next++, ev))
			return 1;
	r->rec.a = NULL;
	return got < 0 ? got : 0;
}

/* Delivers a decoded record as an event.  Returns 0 if the record yields no event. */
static int deliver_decoded(struct perfdata *pd, const struct scanned *s, bool stitched,
                           struct event *ev)
{
	if (s->record.type == REC_CALLCHAIN_DEFERRED) {
		/*
		 * The record contains user frames for waiting samples, which are
		 * delivered next.
		 */
		pd->stitching = true;
		pd->stitch_tid = ev->tid;
		pd->stitch_cookie = pd->room.cookie;
		return 0;
	}
	if (stitched)
		sample_append(&pd->room, ev);
	if (s->record.type != REC_SAMPLE || !counts_read(s->a))
		return 1;
	pd->reading = (struct reading){ .rec = *s, .stitched = stitched };
	return deliver_read(pd, ev);
}

/* Notes a record that changes mappings or names. */
static void note_change(struct perfdata *pd, const struct scanned *s,
                        const struct event *ev)
{
	const struct change c = { s->record.p, s->at, s->in, s->a };

	if (s->record.type == REC_CALLCHAIN_DEFERRED)
		pd->defers = true;
	else if (ev->kind == EV_MMAP || ev->kind == EV_COMM || ev->kind == EV_FORK ||
	         ev->kind == EV_EXIT || ev->kind == EV_KSYMBOL || ev->kind == EV_CGROUP)
		round_slices_change(&pd->scan.rounds, &c, s->record.size, s->chunk != 0);
}

/* Delivers a noted record again. */
static int deliver_change(struct perfdata *pd, struct event *ev)
{
	const struct change *c = &pd->scan.rounds.change[pd->changed++];
	struct scanned s = { .a = c->a, .in = c->in, .at = c->at };

	record_read((struct str){ c->p, RECORD_HEAD + UINT16_MAX + 1 },
	            pd->head.capture.swap, &s.record);
	return decode(pd, &s, ev);
}

static bool is_omitted(const struct perfdata *pd, const struct scanned *s)
{
	const struct skimming *skimming = pd->base.skimming;

	return skimming && skimming->needs && s->record.type == REC_SAMPLE &&
	       sample_is_needless(&s->record, s->a, pd->head.capture.swap, skimming);
}

/* Decodes and delivers a record.  A sample waits if its user frames come later. */
static int deliver_scanned(struct perfdata *pd, const struct scanned *s, struct event *ev)
{
	int got;

	if (is_omitted(pd, s))
		return 0;
	got = decode(pd, s, ev);
	if (got > 0 && pd->scan.rounds.noting)
		note_change(pd, s, ev);
	if (got > 0 && s->waited && ev->kind == EV_SAMPLE && pd->room.deferred) {
		chunk_hold(&pd->scan.chunks, s->chunk);
		deferred_chains_push(&pd->defer, s, ev->tid, pd->room.cookie);
		return 0;
	}
	return got > 0 ? deliver_decoded(pd, s, false, ev) : got;
}

/*
 * Delivers the next sample that has waited for user frames.  Returns 0 if there is no such
 * sample.
 */
static int deliver_deferred(struct perfdata *pd, struct event *ev)
{
	struct deferred d;
	int got;

	if (!(pd->stitching ? deferred_chains_take(&pd->defer, pd->stitch_tid, &d)
	                    : deferred_chains_take_any(&pd->defer, &d))) {
		pd->stitching = false;
		return 0;
	}
	got = decode(pd, &d.record, ev);
	chunk_release(&pd->scan.chunks, d.record.chunk);
	if (got < 0)
		return got;
	return deliver_decoded(pd, &d.record,
	                       pd->stitching && d.cookie == pd->stitch_cookie, ev);
}

/* Delivers the next record, or sets *end. */
static int deliver_next(struct perfdata *pd, struct event *ev, bool *end)
{
	struct scanned s;
	int got = scan_next(&pd->scan, &s);

	*end = got == SCAN_END;
	if (got == SCAN_RECORD)
		return deliver_scanned(pd, &s, ev);
	if (got == SCAN_ROUND) {
		*ev = (struct event){ .kind = EV_ROUND,
			              .pid = -1,
			              .tid = -1,
			              .cpu = -1,
			              .by_pid = -1,
			              .by_tid = -1,
			              .at = s.at };
		return 1;
	}
	return got;
}

static int next(struct reader *r, struct event *ev)
{
	struct perfdata *pd = of(r);
	bool end = false;
	int got = 0;

	pd->scan.as_written = r->as_written;
	if (pd->changed < pd->change)
		return deliver_change(pd, ev);
	while (!got && !end) {
		if (pd->reading.rec.a)
			got = deliver_read(pd, ev);
		else if (pd->stitching)
			got = deliver_deferred(pd, ev);
		else
			got = deliver_next(pd, ev, &end);
		if (end && pd->scan.ended && pd->defer.oldest) {
			got = deliver_deferred(pd, ev);
			end = false;
		}
	}
	if (end && pd->scan.ended && !pd->scan.rounds.skips)
		scan_report_losses(&pd->scan);
	return got;
}

static void rewind_all(struct reader *r)
{
	struct perfdata *pd = of(r);

	scan_rewind(&pd->scan);
	counts_clear(&pd->counts);
	pd->reading.rec.a = NULL;
	deferred_chains_clear(&pd->defer);
	pd->stitching = false;
	pd->changed = pd->change = pd->applied = 0;
}

/*
 * Returns false if samples depend on earlier records: samples with counter values, and samples
 * of off-CPU time.  Also returns false for tracepoints, because each process would
 * report a missing format.
 */
static bool divide(struct reader *r, uint64_t least, bool skips)
{
	struct perfdata *pd = of(r);
	const struct attrs *as = &pd->head.attrs;

	for (size_t i = 0; i < as->n; i++)
		if (counts_read(&as->attr[i]) || as->attr[i].offcpu ||
		    as->attr[i].pub.type == TYPE_TRACEPOINT)
			return false;
	round_slices_begin(&pd->scan.rounds, least, skips, pd->scan.inputs->begin);
	return true;
}

static size_t count_slices(const struct reader *r)
{
	const struct perfdata *pd = (const struct perfdata *)r;

	return pd->defers ? 0 : pd->scan.rounds.n;
}

static uint64_t count_samples(const struct reader *r)
{
	return ((const struct perfdata *)r)->scan.rounds.samples;
}

static size_t enter(struct reader *r, size_t slice, size_t end)
{
	struct perfdata *pd = of(r);

	pd->changed = pd->applied;
	pd->change = pd->scan.rounds.place[slice].changes;
	pd->applied = pd->scan.rounds.place[end].changes;
	scan_enter(&pd->scan, slice, end);
	if (pd->changed < pd->change) {
		const struct change *c = &pd->scan.rounds.change[pd->changed];

		input_use_again(&pd->scan.inputs[c->in - pd->scan.inputs], c->at);
	}
	return pd->change - pd->changed;
}

/*
 * Implements sliced_is_odd (reader/sliced.h).  If samples had to wait for their user frames, these
 * samples depend on later records.
 */
static bool is_odd(const struct reader *r, size_t end)
{
	const struct perfdata *pd = (const struct perfdata *)r;

	return pd->defer.cap || pd->scan.reports != pd->scan.rounds.place[end].reports;
}

static void tell(struct reader *r, size_t slice)
{
	scan_tell(&of(r)->scan, slice);
}

static void hold(struct reader *r)
{
	struct stream *st = of(r)->scan.inputs->stream;

	if (st)
		stream_hold(st);
}

static uint64_t held(const struct reader *r)
{
	const struct input *in = ((const struct perfdata *)r)->scan.inputs;

	return in->stream ? in->at - in->begin : 0;
}

static void progress(const struct reader *r, uint64_t *done, uint64_t *total)
{
	const struct scan *sc = &((const struct perfdata *)r)->scan;

	*done = *total = 0;
	for (size_t i = 0; i < sc->ninputs; i++) {
		if (i <= sc->input)
			*done += sc->inputs[i].at;
		*total += sc->inputs[i].bytes.n;
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

static struct traced *traced_of(struct perfdata *pd)
{
	pd->traced.blob = pd->head.tracing;
	pd->traced.file = pd->base.name;
	pd->traced.run = pd->base.run;
	pd->traced.diag = pd->base.diag;
	return &pd->traced;
}

static void trace_names(struct reader *r, const struct trace_names *names)
{
	traced_set_names(&of(r)->traced, names);
}

/*
 * Returns the tracepoint formats of the file if they describe ev's payload.  Reports a missing or
 * unreadable format once for each event.
 */
static struct traced *formats_of(struct perfdata *pd, const struct event *ev)
{
	const struct attr *a = ev->attr;
	uint32_t *reported;

	if (!a || a->type != TYPE_TRACEPOINT)
		return NULL;
	if (traced_reads(traced_of(pd), ev))
		return &pd->traced;
	reported = table_at(&pd->unreadable, pd->base.run, a->config, 0);
	if (!*reported)
		diag_damage(pd->base.diag,
		            PRSTR ": the format of tracepoint " PRSTR
		                  " cannot be read; its fields are left out",
		            STRARG(pd->base.name), STRARG(a->name));
	*reported = 1;
	return NULL;
}

static bool trace_text(struct reader *r, const struct event *ev, struct out *out)
{
	struct traced *t = ev->payload.n ? formats_of(of(r), ev) : NULL;

	return t && traced_text(t, ev, out);
}

static bool trace_value(struct reader *r, const struct event *ev, struct str field,
                        struct trace_value *out)
{
	struct traced *t = ev->payload.n ? formats_of(of(r), ev) : NULL;

	out->text = (struct str){ 0 };
	return t && traced_number(t, ev, field, &out->number);
}

static struct str trace_fields(struct reader *r, const struct event *ev, struct arena *a)
{
	struct traced *t = formats_of(of(r), ev);

	return t ? tracing_fields(t->t, ev->attr->config, a) : (struct str){ 0 };
}

/*
 * Takes the names of tracepoints from their formats, if EVENT_DESC and EVENT_UPDATE do not
 * contain the names.
 */
static void name_tracepoints(struct perfdata *pd)
{
	struct attrs *as = &pd->head.attrs;

	for (size_t i = 0; i < as->n; i++) {
		struct attr *a = &as->attr[i].pub;

		if (a->type == TYPE_TRACEPOINT && !a->name.n &&
		    traced_open(traced_of(pd)))
			a->name = tracing_name(pd->traced.t, a->config);
	}
}

static void close_all(struct reader *r)
{
	struct perfdata *pd = of(r);

	tracing_close(pd->traced.t);
	scan_close(&pd->scan);
}

static struct perfdata *make(struct str name, struct arena *run, struct diag *diag)
{
	struct perfdata *pd = arena_new(run, struct perfdata, 1);

	pd->base = (struct reader){
		.format = &perfdata_format, .run = run, .diag = diag, .name = name
	};
	pd->head.arena = pd->room.arena = pd->counts.arena = pd->defer.arena = run;
	pd->head.diag = diag;
	pd->head.name = name;
	pd->room.frames = arena_new(run, struct frame, RECORD_MAX_FRAMES);
	scan_init(&pd->scan, &pd->head, run, diag);
	return pd;
}

/*
 * Reads the header of the first input.  The caller has set this input.  The other inputs are in s,
 * which may be NULL.
 */
static struct reader *begin(struct perfdata *pd, struct source *s)
{
	struct attrs *as = &pd->head.attrs;

	if (scan_open(&pd->scan, s) < 0) {
		close_all(&pd->base);
		return NULL;
	}
	name_tracepoints(pd);
	attr_done(as);
	pd->head.capture.attrs = as->list;
	pd->head.capture.nattrs = as->n;
	return &pd->base;
}

struct reader *perfdata_over(struct stream *stream, struct arena *run, struct diag *diag)
{
	struct perfdata *pd = make(STR("stream"), run, diag);

	pd->scan.inputs->stream = stream;
	return begin(pd, NULL);
}

static struct reader *open_member(struct source *s, size_t member, struct arena *run,
                                  struct diag *diag)
{
	struct perfdata *pd = make(s->members[member].name, run, diag);
	struct input *in = pd->scan.inputs;

	if (s->kind == SOURCE_PIPE)
		in->stream = stream_open(s, member);
	else
		in->bytes = source_map(s, member);
	in->source = s;
	in->member = member;
	if (in->stream || in->bytes.p)
		return begin(pd, s);
	diag_fatal(diag, PRSTR ": cannot be read: %s", STRARG(pd->base.name),
	           strerror(errno));
	return NULL;
}

bool perfdata_is_part(struct str name, struct str head)
{
	struct str base = str_base(name);
	struct record r;
	uint64_t n;

	/* Only the main file contains the byte order, so try both orders for a part. */
	return str_starts(base, STR("data.")) && str_is_dec(str_from(base, 5), &n) &&
	       head.n &&
	       (record_read(head, false, &r) == RECORD_WHOLE ||
	        record_read(head, true, &r) == RECORD_WHOLE);
}

static int bid(struct str head)
{
	return header_is_perfdata(head) ? 64 : 0;
}

const struct format perfdata_format = {
	.name = "perf.data",
	.what = "this is perf.data",
	.traits = { .sets = READ_SAMPLES | READ_ADDRESSES,
	            .rank = 1,
	            .has_ips = true,
	            .has_records = true },
	.bid = bid,
	.open = open_member,
	.next = next,
	.rewind = rewind_all,
	.divide = divide,
	.slices = count_slices,
	.samples = count_samples,
	.enter = enter,
	.is_odd = is_odd,
	.tell = tell,
	.hold = hold,
	.held = held,
	.progress = progress,
	.attrs = attrs,
	.capture = capture,
	.trace_names = trace_names,
	.trace_text = trace_text,
	.trace_value = trace_value,
	.trace_fields = trace_fields,
	.close = close_all,
};

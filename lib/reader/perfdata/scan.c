/*
 * From the records as they stand in the file to the queue.  Those of the kernel wait
 * there for their time; those of perf itself act where they stand.  Where damage
 * hides the next record it is looked for: record_search.
 */
#include "reader/perfdata/feature.h"
#include "reader/perfdata/perfdata.h"

enum {
	SUSPICIOUS = 4500,  /* bytes: more than any record but samples needs */
	COPIED = 256 << 10, /* of a pipe's records in one piece of memory */
	SEARCHED = 1 << 20, /* of a pipe at once, for the next record */
};

static struct input *current(struct perfdata *pd)
{
	return &pd->inputs[pd->input];
}

static void lose(struct perfdata *pd, uint64_t at, uint64_t bytes, uint64_t records)
{
	perfdata_lose(pd, current(pd), at, bytes, records);
}

/* A pipe's bytes go by: what waits is copied, its place in front. */
static uint32_t copy(struct perfdata *pd, const struct record *r, uint64_t at,
                     const char **p)
{
	struct chunks *cs = &pd->chunks;
	size_t n = sizeof(at) + r->size;
	struct chunk *k = &cs->k[pd->copies];

	if (!pd->copies || k->cap - k->n < n) {
		chunk_release(cs, pd->copies);
		pd->copies = chunk_take(cs, n > COPIED ? n : COPIED);
		k = &cs->k[pd->copies];
		k->marked = true;
		k->input = (uint32_t)pd->input;
	}
	memcpy(k->p + k->n, &at, sizeof(at));
	memcpy(k->p + k->n + sizeof(at), r->p, r->size);
	*p = k->p + k->n + sizeof(at);
	k->n += n;
	return pd->copies;
}

static int no_such_event(struct perfdata *pd, uint64_t at)
{
	lose(pd, at, 0, 1);
	if (pd->unknown_id)
		return 0;
	pd->unknown_id = true;
	return perfdata_report(pd, current(pd)->name, at,
	                       "record of an event that is not described; "
	                       "such records are skipped");
}

/*
 * A record of the kernel: waits for its time, or acts at once when it has none.
 * chunk is where it stands; 0: in the input.
 */
static int scan_event(struct perfdata *pd, const struct record *r, uint32_t chunk,
                      uint64_t at, struct event *ev)
{
	const struct header *h = &pd->head;
	bool swap = h->capture.swap, wanted = record_name(r->type) != NULL;
	int i = r->type == REC_SAMPLE ? attr_of_sample(&h->attrs, r->body, swap)
	                              : attr_of_record(&h->attrs, r->body, swap);
	struct queued q = { .p = r->p, .chunk = chunk };

	if (i < 0)
		return no_such_event(pd, at);
	q.attr = (uint32_t)i;
	q.time_ns = record_time(r, &h->attrs.attr[i], swap);
	pd->lost.unknown += r->type > REC_LAST_OF_KERNEL;
	if (!q.time_ns || q.time_ns == UINT64_MAX || pd->base.as_written)
		return wanted ? perfdata_deliver(pd, r, &h->attrs.attr[i], current(pd),
		                                 at, ev)
		              : 0;
	if (!wanted) {
		queue_seen(&pd->queue, q.time_ns);
		return 0;
	}
	if (!chunk && current(pd)->stream)
		q.chunk = copy(pd, r, at, &q.p);
	chunk_hold(&pd->chunks, q.chunk);
	queue_push(&pd->queue, q);
	return 0;
}

/* perf says that a round is finished before it lets go what that frees. */
static int end_round(struct perfdata *pd, uint64_t at, struct event *ev)
{
	*ev = (struct event){ .kind = EV_ROUND,
		              .pid = -1,
		              .tid = -1,
		              .cpu = -1,
		              .by_pid = -1,
		              .by_tid = -1,
		              .at = at };
	queue_round(&pd->queue);
	return 1;
}

/* One record of the chunk being read; *got is as of scan_next.  False: none is whole.
 */
static bool scan_chunk(struct perfdata *pd, struct event *ev, int *got)
{
	struct unpack *u = &pd->unpack;
	struct str left = unpack_left(u);
	uint64_t at = pd->chunks.k[u->current].at;
	enum record_end end;
	struct record r;

	*got = 0;
	if (!left.n)
		return false;
	end = record_read(left, pd->head.capture.swap, &r);
	if (end == RECORD_CUT && r.size <= UINT16_MAX)
		return false;
	if (end != RECORD_WHOLE) {
		unpack_drop(u);
		lose(pd, at, left.n, 0);
		*got = perfdata_report(pd, current(pd)->name, at,
		                       "no record in the decompressed data");
		return true;
	}
	u->pos += r.size;
	if (r.type < REC_USER)
		*got = scan_event(pd, &r, u->current, at, ev);
	else if (r.type == REC_FINISHED_ROUND)
		*got = end_round(pd, at, ev);
	return true;
}

/* Why the current input ends before its records do; NULL: it does not. */
static const char *why_cut(struct perfdata *pd)
{
	const struct input *in = current(pd);

	if (in->stream && stream_error(in->stream))
		return "the pipe cannot be read any further";
	if (in->unsized)
		return "the data have no length: perf was killed while recording";
	if (in->missing)
		return "the file is cut off";
	if (!pd->unpack.broken && unpack_left(&pd->unpack).n)
		return "compressed data end inside a record";
	return NULL;
}

/* The input has ended; says so when not all its records were seen. */
static int finish(struct perfdata *pd, const char *cut)
{
	const struct input *in = current(pd);
	uint64_t left = in->stream ? 0 : in->end - in->at;

	if (!cut)
		cut = why_cut(pd);
	if (cut && left + in->missing)
		lose(pd, in->at, left + in->missing, 0);
	unpack_restart(&pd->unpack);
	pd->cut = false;
	if (pd->input + 1 < pd->ninputs) {
		pd->input++;
	} else {
		pd->scanned = true;
		queue_end(&pd->queue);
	}
	if (!cut)
		return 0;
	if (in->missing)
		return perfdata_report(pd, in->name, in->at,
		                       "%s; %llu bytes after this are missing", cut,
		                       (unsigned long long)in->missing);
	return perfdata_report(pd, in->name, in->at, "%s", cut);
}

static bool is_compressed(uint32_t type)
{
	return type == REC_COMPRESSED || type == REC_COMPRESSED2;
}

/* The input ends inside a compressed record: what is there may hold whole ones. */
static int scan_cut(struct perfdata *pd, struct str left, struct record *r)
{
	struct input *in = current(pd);

	if (pd->cut || left.n <= RECORD_HEAD)
		return finish(pd, "the file is cut off inside a record");
	pd->cut = true;
	r->body = str_from(left, RECORD_HEAD);
	unpack_add(&pd->unpack, r, in->at, pd->input, pd->head.capture.swap);
	return 0;
}

/* Where the next record begins behind in->last; *next of a pipe may be its end. */
static bool find_next(struct perfdata *pd, uint64_t *next)
{
	struct input *in = current(pd);

	for (;;) {
		struct str left = input_ahead(in, in->last, SEARCHED);
		size_t n = record_search(left, RECORD_HEAD, pd->head.capture.swap);

		*next = in->last + n;
		if (n < left.n)
			return true;
		if (!in->stream || left.n < SEARCHED)
			return false;
		in->last += SEARCHED / 2; /* a chain may have begun in the other half */
	}
}

/*
 * Where what begins at in->at ends cannot be told.  Already the record before it may
 * have had a wrong size and others inside: the search begins behind its header.
 */
static int go_on_behind(struct perfdata *pd, const char *what)
{
	struct input *in = current(pd);
	uint64_t at = in->at, before = in->last, next;
	bool found = find_next(pd, &next);

	if (!found && in->stream)
		lose(pd, at, next > at ? next - at : 0, 0);
	if (!found)
		return finish(pd, what);
	if (next <= at)
		at = before;
	lose(pd, at, next - at, 0);
	input_go(in, next);
	return perfdata_report(pd, in->name, at,
	                       "the next record does not begin where it should, but "
	                       "at %llu",
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
		i = attr_of_sample(as, r->body, pd->head.capture.swap);
	if (i >= 0 && as->attr[i].pub.sample_type & (HAS_RAW | HAS_STACK_USER | HAS_AUX))
		return;
	n = record_search(r->body, 0, pd->head.capture.swap);
	if (n == r->body.n)
		return;
	name = record_name(r->type);
	perfdata_report(pd, current(pd)->name, current(pd)->at,
	                "%s record of %u bytes that holds others", name ? name : "a",
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

/* The record at in->at; *left is what was looked at.  Of a pipe, as much as it takes. */
static enum record_end read_record(struct perfdata *pd, struct str *left,
                                   struct record *r)
{
	struct input *in = current(pd);
	size_t want = 2 * RECORD_HEAD;
	enum record_end end;

	for (;;) {
		*left = input_ahead(in, in->at, want);
		if (!left->n)
			return RECORD_CUT;
		end = record_read(*left, pd->head.capture.swap, r);
		if (end != RECORD_CUT || !in->stream || left->n < want)
			return end;
		/* Traces of gigabytes are passed over, not looked at. */
		if (r->type == REC_AUXTRACE && r->size > UINT16_MAX)
			return end;
		want = r->size;
	}
}

/* What describes, and comes only behind the first events of a pipe. */
static void describe_late(struct perfdata *pd, const struct record *r, uint64_t at)
{
	struct record kept = *r;

	if (at < pd->head.bytes.n)
		return;
	if (r->type != REC_BUILD_ID && r->type != REC_FEATURE &&
	    r->type != REC_TRACING_DATA)
		return;
	kept.body = arena_str(pd->base.run, r->body);
	kept.extra = arena_str(pd->base.run, r->extra);
	if (!feature_record(&pd->head, &kept))
		perfdata_report(pd, current(pd)->name, at,
		                "a record that describes contradicts itself");
}

/* A record of perf itself. */
static int scan_own(struct perfdata *pd, const struct record *r, uint64_t at,
                    struct event *ev)
{
	const char *wrong;

	if (r->type == REC_FINISHED_ROUND)
		return end_round(pd, at, ev);
	if (current(pd)->stream)
		describe_late(pd, r, at);
	pd->lost.unknown += r->type > REC_KNOWN;
	if (!is_compressed(r->type))
		return 0;
	wrong = unpack_add(&pd->unpack, r, at, pd->input, pd->head.capture.swap);
	if (pd->unpack.broken)
		lose(pd, at, r->size, 0);
	return wrong ? perfdata_report(pd, current(pd)->name, at, "%s", wrong) : 0;
}

/* One record of the input. */
static int scan_input(struct perfdata *pd, struct event *ev)
{
	struct input *in = current(pd);
	uint64_t at = in->at;
	struct str left;
	const char *wrong;
	enum record_end end;
	struct record r;

	end = read_record(pd, &left, &r);
	if (!left.n)
		return finish(pd, NULL);
	if (end == RECORD_CUT && is_compressed(r.type))
		return scan_cut(pd, left, &r);
	if (end == RECORD_CUT && in->stream && r.type == REC_AUXTRACE &&
	    r.size > UINT16_MAX)
		return input_go(in, at + r.size)
		               ? 0
		               : finish(pd, "the pipe ends inside a record");
	wrong = what_is_wrong(end, &r);
	if (wrong)
		return go_on_behind(pd, wrong);
	check_size(pd, &r);
	in->at += r.size;
	in->last = r.type < REC_USER ? at : in->at;
	return r.type < REC_USER ? scan_event(pd, &r, 0, at, ev)
	                         : scan_own(pd, &r, at, ev);
}

int scan_next(struct perfdata *pd, struct event *ev)
{
	int got;

	return scan_chunk(pd, ev, &got) ? got : scan_input(pd, ev);
}

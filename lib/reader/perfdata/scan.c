/*
 * Reads the records of one input after another, and queues them by time.  After damage, uses
 * record_search to find the next record.
 */
#include "reader/perfdata/scan.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "reader/perfdata/feature.h"

enum {
	REPORT = 200, /* maximum length of a report in bytes */
	/* number of bytes of a pipe that are first searched for the end of the header */
	HEADER_FIRST = 64 << 10,
	/* check_size examines records of at least this size */
	SUSPICIOUS = 4500,
	COPIED = 256 << 10, /* size in bytes of a chunk for records of a pipe */
	/* bytes of a pipe that are searched at once for the next record */
	SEARCHED = 1 << 20,
	FETCHED = 2 << 10, /* number of bytes to prefetch */
	CACHE_LINE = 64,
};

static struct input *current(struct scan *sc)
{
	return &sc->inputs[sc->input];
}

/*
 * Reports damage, unless an earlier pass has reported it.  A later pass meets the same damage in
 * the same order, so the number of reports identifies the reports that were already made.
 */
int scan_report(struct scan *sc, const struct input *in, uint64_t at, const char *fmt,
                ...)
{
	char text[REPORT];
	va_list args;

	if (++sc->reports <= sc->said)
		return -1;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (sc->rounds.skips) {
		round_slices_hold(&sc->rounds, in, at, text);
		return -1;
	}
	sc->said = sc->reports;
	return diag_at(sc->diag, in->name, at, "%s", text);
}

void scan_lose(struct scan *sc, const struct input *in, uint64_t at, uint64_t bytes,
               uint64_t records)
{
	if (!sc->lost.bytes && !sc->lost.records) {
		sc->lost.first = at;
		sc->lost.name = in->name;
	}
	sc->lost.bytes += bytes;
	sc->lost.records += records;
}

/* Reports lost and skipped records once, after all records were delivered. */
void scan_report_losses(struct scan *sc)
{
	struct losses *l = &sc->lost;
	struct str text = { "", 0 };

	if (l->said)
		return;
	l->said = true;
	if (l->bytes)
		text = arena_fmt(sc->run, "%llu bytes", (unsigned long long)l->bytes);
	if (l->records)
		text = arena_fmt(sc->run, PRSTR "%s%llu record%s", STRARG(text),
		                 text.n ? " and " : "", (unsigned long long)l->records,
		                 l->records == 1 ? "" : "s");
	if (text.n)
		diag_note(sc->diag,
		          PRSTR ": " PRSTR " could not be read, the first at %llu",
		          STRARG(l->name), STRARG(text), (unsigned long long)l->first);
	if (l->unknown)
		diag_note(sc->diag, PRSTR ": %llu records of unknown types skipped",
		          STRARG(sc->head->name), (unsigned long long)l->unknown);
}

static void lose(struct scan *sc, uint64_t at, uint64_t bytes, uint64_t records)
{
	scan_lose(sc, current(sc), at, bytes, records);
}

/*
 * Copies a record of a pipe, because the pipe's bytes are not kept.  The record's offset precedes
 * the copy.
 */
static uint32_t copy(struct scan *sc, const struct record *r, uint64_t at, const char **p)
{
	struct chunks *cs = &sc->chunks;
	size_t n = sizeof(at) + r->size;
	struct chunk *k = &cs->k[sc->copies];

	if (!sc->copies || k->cap - k->n < n) {
		chunk_release(cs, sc->copies);
		sc->copies = chunk_take(cs, n > COPIED ? n : COPIED);
		k = &cs->k[sc->copies];
		k->marked = true;
		k->input = (uint32_t)sc->input;
	}
	memcpy(k->p + k->n, &at, sizeof(at));
	memcpy(k->p + k->n + sizeof(at), r->p, r->size);
	*p = k->p + k->n + sizeof(at);
	k->n += n;
	return sc->copies;
}

static int no_such_event(struct scan *sc, uint64_t at)
{
	lose(sc, at, 0, 1);
	if (sc->lost.unknown_id)
		return 0;
	sc->lost.unknown_id = true;
	return scan_report(
	        sc, current(sc), at,
	        "record of an event without a description; such records are skipped");
}

/*
 * Returns a record without queueing it.  `a` is its event, or NULL for a record that perf itself
 * wrote.
 */
static int deliver(struct scan *sc, const struct record *r, const struct event_attr *a,
                   uint64_t at, struct scanned *out)
{
	*out = (struct scanned){ .record = *r, .a = a, .in = current(sc), .at = at };
	return SCAN_RECORD;
}

/*
 * Queues a kernel record.  If it has no time, delivers it in *out.  `chunk` contains the record,
 * or is 0 for mapped bytes.
 */
static int scan_event(struct scan *sc, const struct record *r, uint32_t chunk,
                      uint64_t at, struct scanned *out)
{
	const struct header *h = sc->head;
	bool swap = h->capture.swap, wanted = record_name(r->type) != NULL;
	bool skipped = sc->rounds.skips && r->type == REC_SAMPLE;
	struct queued q = { .p = r->p, .chunk = chunk };
	int i = 0;

	/*
	 * Only the time of a skipped sample is read.  If records of all events have the
	 * same layout, the event of the sample is not needed.
	 */
	if (!skipped || !h->attrs.alike)
		i = r->type == REC_SAMPLE ? attr_of_sample(&h->attrs, r->body, swap)
		                          : attr_of_record(&h->attrs, r->body, swap);
	if (i < 0)
		return no_such_event(sc, at);
	sc->rounds.samples += r->type == REC_SAMPLE;
	q.attr = (uint32_t)i;
	q.time_ns = record_time(r, &h->attrs.attr[i], swap);
	sc->lost.unknown += r->type > REC_LAST_OF_KERNEL;
	wanted &= !skipped;
	if (!q.time_ns || q.time_ns == UINT64_MAX || sc->as_written)
		return wanted ? deliver(sc, r, &h->attrs.attr[i], at, out) : 0;
	if (!wanted) {
		time_order_seen(&sc->queue, q.time_ns);
		return 0;
	}
	if (!chunk && current(sc)->stream)
		q.chunk = copy(sc, r, at, &q.p);
	chunk_hold(&sc->chunks, q.chunk);
	time_order_push(&sc->queue, q);
	return 0;
}

static bool is_mapped(const struct input *in, const char *p)
{
	return p >= in->bytes.p && p < in->bytes.p + in->bytes.n;
}

/* Releases the memory of all mapped records before the first waiting record. */
static void give_back(struct scan *sc)
{
	struct input *in = current(sc);
	const char *first = time_order_first(&sc->queue);

	if (!first)
		input_give_back(in, in->at);
	else if (is_mapped(in, first))
		input_give_back(in, (uint64_t)(first - in->bytes.p));
}

/* Handles FINISHED_ROUND.  scan_next then returns the released records. */
static int end_round(struct scan *sc, uint64_t at, struct scanned *out)
{
	out->at = at;
	give_back(sc);
	round_slices_round(&sc->rounds, sc->input, current(sc), sc->queue.limit);
	time_order_round(&sc->queue);
	return SCAN_ROUND;
}

/*
 * Reads a record from the current chunk, and sets *got to the result of scan_next.  Returns false
 * if the chunk contains no other complete record.
 */
static bool scan_chunk(struct scan *sc, struct scanned *out, int *got)
{
	struct unpack *u = &sc->unpack;
	struct str left = unpack_left(u);
	uint64_t at = sc->chunks.k[u->current].at;
	enum record_end end;
	struct record r;

	*got = 0;
	if (!left.n)
		return false;
	end = record_read(left, sc->head->capture.swap, &r);
	if (end == RECORD_CUT && r.size <= UINT16_MAX)
		return false;
	if (end != RECORD_WHOLE) {
		unpack_drop(u);
		lose(sc, at, left.n, 0);
		*got = scan_report(sc, current(sc), at,
		                   "no record in the decompressed data");
		return true;
	}
	u->pos += r.size;
	if (r.type < REC_USER)
		*got = scan_event(sc, &r, u->current, at, out);
	else if (r.type == REC_FINISHED_ROUND)
		*got = end_round(sc, at, out);
	return true;
}

/*
 * If the current input ends before all its records, returns the reason.  Otherwise returns NULL.
 */
static const char *why_cut(struct scan *sc)
{
	const struct input *in = current(sc);

	if (in->stream && stream_error(in->stream))
		return "reading the pipe failed";
	if (in->unsized)
		return "the length of the data is missing: perf was killed while "
		       "recording";
	if (in->missing)
		return "the file is cut off";
	if (!sc->unpack.broken && unpack_left(&sc->unpack).n)
		return "compressed data end inside a record";
	return NULL;
}

/* Ends the current input, and reports missing records. */
static int finish(struct scan *sc, const char *cut)
{
	const struct input *in = current(sc);
	uint64_t left = in->stream ? 0 : in->end - in->at;

	if (!cut)
		cut = why_cut(sc);
	if (cut && left + in->missing)
		lose(sc, in->at, left + in->missing, 0);
	unpack_restart(&sc->unpack);
	sc->cut = false;
	if (sc->input + 1 < sc->ninputs) {
		sc->input++;
	} else {
		sc->ended = true;
		time_order_end(&sc->queue);
	}
	if (!cut)
		return 0;
	if (in->missing)
		return scan_report(sc, in, in->at,
		                   "%s; %llu bytes after this are missing", cut,
		                   (unsigned long long)in->missing);
	return scan_report(sc, in, in->at, "%s", cut);
}

static bool is_compressed(uint32_t type)
{
	return type == REC_COMPRESSED || type == REC_COMPRESSED2;
}

/* Decompresses the existing part of a compressed record at the end of a truncated input. */
static int scan_cut(struct scan *sc, struct str left, struct record *r)
{
	struct input *in = current(sc);

	if (sc->cut || left.n <= RECORD_HEAD)
		return finish(sc, "the file is cut off inside a record");
	sc->cut = true;
	r->body = str_from(left, RECORD_HEAD);
	unpack_add(&sc->unpack, r, in->at, sc->input, sc->head->capture.swap);
	return 0;
}

/*
 * Sets *next to the next record after in->last.  If there is no such record, returns false and
 * sets *next to the end of the pipe.
 */
static bool find_next(struct scan *sc, uint64_t *next)
{
	struct input *in = current(sc);

	for (;;) {
		struct str left = input_ahead(in, in->last, SEARCHED);
		size_t n = record_search(left, RECORD_HEAD, sc->head->capture.swap);

		*next = in->last + n;
		if (n < left.n)
			return true;
		if (!in->stream || left.n < SEARCHED)
			return false;
		/*
		 * searches the second half again, because consecutive records may begin
		 * there
		 */
		in->last += SEARCHED / 2;
	}
}

/*
 * Continues after a record whose end is uncertain.  The search starts after the header of the
 * previous record.  If the size of the previous record is wrong, its bytes may contain further
 * records.
 */
static int go_on_behind(struct scan *sc, const char *what)
{
	struct input *in = current(sc);
	uint64_t at = in->at, before = in->last, next;
	bool found = find_next(sc, &next);

	if (!found && in->stream)
		lose(sc, at, next > at ? next - at : 0, 0);
	if (!found)
		return finish(sc, what);
	if (next <= at)
		at = before;
	lose(sc, at, next - at, 0);
	input_go(in, next);
	return scan_report(sc, in, at, "the next record does not start here, but at %llu",
	                   (unsigned long long)next);
}

/*
 * Corrects the size of a large record that contains other records.  Excludes samples with raw
 * data, a user stack or AUX bytes, because these bytes may look like records.
 */
static void check_size(struct scan *sc, struct record *r)
{
	const struct attrs *as = &sc->head->attrs;
	const char *name;
	int i = -1;
	size_t n;

	if (r->type >= REC_USER || r->size < SUSPICIOUS)
		return;
	if (r->type == REC_SAMPLE)
		i = attr_of_sample(as, r->body, sc->head->capture.swap);
	if (i >= 0 && as->attr[i].pub.sample_type & (HAS_RAW | HAS_STACK_USER | HAS_AUX))
		return;
	n = record_search(r->body, 0, sc->head->capture.swap);
	if (n == r->body.n)
		return;
	name = record_name(r->type);
	scan_report(sc, current(sc), current(sc)->at,
	            "%s record of %u bytes contains other records", name ? name : "a",
	            (unsigned)r->size);
	r->size = RECORD_HEAD + n;
	r->body.n = n;
}

/* If the end of this record is uncertain, returns the reason.  Otherwise returns NULL. */
static const char *find_fault(enum record_end end, const struct record *r)
{
	if (end == RECORD_CUT)
		return "the file is cut off inside a record";
	if (end == RECORD_BAD)
		return "no record starts here; the rest is not read";
	/* Kernel records consist of 8-byte words, so any other size is damage. */
	return r->type < REC_USER && r->size % 8
	               ? "a record of odd size; the rest is not read"
	               : NULL;
}

/*
 * Reads the record at in->at.  Sets *left to the remaining bytes.  Reads a pipe up to the end of
 * the record.
 */
static enum record_end read_record(struct scan *sc, struct str *left, struct record *r)
{
	struct input *in = current(sc);
	size_t want = 2 * RECORD_HEAD;
	enum record_end end;

	for (;;) {
		*left = input_ahead(in, in->at, want);
		if (!left->n)
			return RECORD_CUT;
		end = record_read(*left, sc->head->capture.swap, r);
		if (end != RECORD_CUT || !in->stream || left->n < want)
			return end;
		/* An AUX trace may have gigabytes, so it is skipped without buffering. */
		if (r->type == REC_AUXTRACE && r->size > UINT16_MAX)
			return end;
		want = r->size;
	}
}

/* Handles records of a pipe that describe the recording and follow the first event. */
static void describe_late(struct scan *sc, const struct record *r, uint64_t at)
{
	struct record kept = *r;

	if (at < sc->head->bytes.n)
		return;
	if (r->type != REC_BUILD_ID && r->type != REC_FEATURE &&
	    r->type != REC_TRACING_DATA)
		return;
	kept.body = arena_str(sc->run, r->body);
	kept.extra = arena_str(sc->run, r->extra);
	if (!feature_record(sc->head, &kept))
		scan_report(sc, current(sc), at,
		            "a descriptive record contradicts itself");
}

/* Handles a record that was made by perf instead of the kernel. */
static int scan_own(struct scan *sc, const struct record *r, uint64_t at,
                    struct scanned *out)
{
	const char *wrong;

	if (r->type == REC_FINISHED_ROUND)
		return end_round(sc, at, out);
	if (current(sc)->stream)
		describe_late(sc, r, at);
	sc->lost.unknown += r->type > REC_KNOWN;
	if (r->type == REC_BPF_METADATA)
		return deliver(sc, r, NULL, at, out);
	if (!is_compressed(r->type))
		return 0;
	sc->rounds.packed = true;
	wrong = unpack_add(&sc->unpack, r, at, sc->input, sc->head->capture.swap);
	if (sc->unpack.broken)
		lose(sc, at, r->size, 0);
	return wrong ? scan_report(sc, current(sc), at, "%s", wrong) : 0;
}

/* Prefetches the records after the current n bytes, because they are used soon. */
static void fetch_ahead(struct str left, size_t n)
{
	for (size_t i = 0; i < n && i < FETCHED && FETCHED + i < left.n; i += CACHE_LINE)
		__builtin_prefetch(left.p + FETCHED + i);
}

/*
 * If this pass skips samples, skips the samples at in->at, of which only the newest time is
 * needed.  Stops at any record that scan_event must examine.
 */
static void skip_samples(struct scan *sc)
{
	struct input *in = current(sc);
	const struct attrs *as = &sc->head->attrs;
	const char *p = in->bytes.p + in->at, *last = NULL;
	const char *end = in->bytes.p + input_expect(in, in->at);
	uint64_t newest = sc->queue.newest, time_ns;
	size_t at;

	if (!as->alike || !as->attr->time_at || in->stream || sc->head->capture.swap ||
	    sc->as_written)
		return;
	at = RECORD_HEAD + (as->attr->time_at - 1) * (size_t)8;
	for (;;) {
		uint64_t left = (uint64_t)(end - p), size;

		if (left < at + 8 || record_word(p, false) << 32 != (uint64_t)REC_SAMPLE
		                                                            << 32)
			break;
		size = record_word(p, false) >> 48;
		if (size < at + 8 || size >= SUSPICIOUS || size % 8 || size > left)
			break;
		time_ns = record_word(p + at, false);
		if (time_ns > newest && time_ns != UINT64_MAX)
			newest = time_ns;
		last = p;
		p += size;
		sc->rounds.samples++;
	}
	if (!last)
		return;
	sc->queue.newest = newest;
	in->last = (uint64_t)(last - in->bytes.p);
	in->at = (uint64_t)(p - in->bytes.p);
}

/* Reads one record from the current input. */
static int scan_input(struct scan *sc, struct scanned *out)
{
	struct input *in = current(sc);
	uint64_t at = in->at;
	struct str left;
	const char *wrong;
	enum record_end end;
	struct record r;

	end = read_record(sc, &left, &r);
	if (!left.n)
		return finish(sc, NULL);
	if (end == RECORD_CUT && is_compressed(r.type))
		return scan_cut(sc, left, &r);
	if (end == RECORD_CUT && in->stream && r.type == REC_AUXTRACE &&
	    r.size > UINT16_MAX)
		return input_go(in, at + r.size)
		               ? 0
		               : finish(sc, "the pipe ends inside a record");
	wrong = find_fault(end, &r);
	if (wrong)
		return go_on_behind(sc, wrong);
	check_size(sc, &r);
	if (!sc->rounds.skips)
		fetch_ahead(left, r.size);
	in->at += r.size;
	in->last = r.type < REC_USER ? at : in->at;
	return r.type < REC_USER ? scan_event(sc, &r, 0, at, out)
	                         : scan_own(sc, &r, at, out);
}

/* Returns the input that is mapped at p. */
static const struct input *input_of(const struct scan *sc, const char *p)
{
	const struct input *in = sc->inputs;

	while (!is_mapped(in, p))
		in++;
	return in;
}

/* Takes the next released record from the queue.  Returns false if there is no such record. */
static bool take_queued(struct scan *sc, struct scanned *out)
{
	const struct queued *q = time_order_take(&sc->queue);

	if (!q)
		return false;
	*out = (struct scanned){ .a = &sc->head->attrs.attr[q->attr],
		                 .chunk = q->chunk,
		                 .waited = true };
	/* Only complete records are queued, so this one is not truncated. */
	record_read((struct str){ q->p, RECORD_HEAD + UINT16_MAX + 1 },
	            sc->head->capture.swap, &out->record);
	if (q->chunk) {
		out->in = &sc->inputs[sc->chunks.k[q->chunk].input];
		out->at = chunk_at(&sc->chunks, q->chunk, q->p);
	} else {
		out->in = input_of(sc, q->p);
		out->at = (uint64_t)(q->p - out->in->bytes.p);
	}
	sc->taken = q->chunk;
	return true;
}

static int end_all(struct scan *sc)
{
	if (sc->rounds.noting)
		round_slices_end(&sc->rounds, sc->reports, &sc->lost);
	return SCAN_END;
}

int scan_next(struct scan *sc, struct scanned *out)
{
	int got = 0;

	chunk_release(&sc->chunks, sc->taken);
	sc->taken = 0;
	while (!got) {
		if (take_queued(sc, out))
			return SCAN_RECORD;
		if (sc->ended)
			return end_all(sc);
		if (sc->rounds.passed &&
		    round_slices_pass(&sc->rounds, sc->reports, &sc->lost))
			return SCAN_END;
		if (scan_chunk(sc, out, &got))
			continue;
		if (sc->rounds.skips)
			skip_samples(sc);
		got = scan_input(sc, out);
	}
	return got;
}

/* Moves to the round before a slice. */
static void seek(struct scan *sc, const struct place *to)
{
	time_order_clear(&sc->queue);
	sc->queue.newest = sc->queue.limit = to->limit;
	sc->input = to->input;
	current(sc)->at = current(sc)->last = to->at;
	sc->rounds.rounds = to->round - 1;
	sc->rounds.round = (struct place){ .at = to->at, .input = to->input };
}

void scan_enter(struct scan *sc, size_t slice, size_t end)
{
	struct round_slices *s = &sc->rounds;
	const struct place *to = &s->place[slice];
	const unsigned long said = sc->said;
	const bool told = sc->lost.said;
	struct scanned r;

	if (s->rounds != to->round) {
		if (!s->packed)
			seek(sc, to);
		s->until = to->round;
		sc->said = ULONG_MAX;
		while (scan_next(sc, &r) != SCAN_END)
			;
		sc->said = said;
		sc->reports = to->reports;
		sc->lost = to->lost;
		sc->lost.said = told;
	}
	s->until = end < s->n ? s->place[end].round : 0;
}

void scan_tell(struct scan *sc, size_t slice)
{
	const struct round_slices *s = &sc->rounds;

	for (; sc->said < s->place[slice].reports; sc->said++) {
		const struct held_report *r = &s->held[sc->said];

		diag_at(sc->diag, r->in->name, r->at, PRSTR, STRARG(r->text));
	}
	if (slice < s->n || sc->lost.said)
		return;
	sc->lost = s->place[slice].lost;
	scan_report_losses(sc);
}

void scan_init(struct scan *sc, struct header *head, struct arena *run, struct diag *diag)
{
	*sc = (struct scan){ .run = run, .diag = diag, .head = head, .ninputs = 1 };
	sc->inputs = arena_new(run, struct input, 1);
	sc->inputs->name = head->name;
	chunk_init(&sc->chunks, run);
	sc->unpack.chunks = &sc->chunks;
	sc->queue.arena = sc->rounds.arena = run;
}

/* Reads the header of a pipe, that is, all bytes before the first event. */
static int open_stream(struct scan *sc)
{
	struct input *in = sc->inputs;
	struct str head;
	size_t n = HEADER_FIRST, used;

	for (;; n *= 2) {
		head = stream_ahead(in->stream, n);
		used = header_of_pipe(head);
		if (used || head.n < n)
			break;
	}
	head = arena_str(sc->run, used ? str_head(head, used) : head);
	if (header_read(sc->head, head) < 0)
		return -1;
	if (!sc->head->capture.pipe)
		return diag_fatal(sc->diag, PRSTR ": perf.data, but not of a pipe",
		                  STRARG(sc->head->name));
	in->end = UINT64_MAX;
	return 0;
}

static int open_mapped(struct scan *sc)
{
	struct input *in = sc->inputs;

	if (header_read(sc->head, in->bytes) < 0)
		return -1;
	in->end = sc->head->data_end;
	in->missing = sc->head->missing;
	in->unsized = sc->head->unsized;
	return 0;
}

/* Returns true for a name such as "data.7" if `main` is "data". */
static bool is_part(struct str name, struct str main)
{
	uint64_t n;

	return str_starts(name, main) && name.n > main.n + 1 && name.p[main.n] == '.' &&
	       str_is_dec(str_from(name, main.n + 1), &n);
}

/* Adds the files that perf record --threads writes in addition to the main file. */
static void add_parts(struct scan *sc, struct source *s)
{
	struct str main = sc->head->name;
	bool found = false;
	size_t cap = 1;

	if (!capture_has(&sc->head->capture, FEATURE_DIR_FORMAT))
		return;
	for (size_t i = 0; i < s->n; i++) {
		struct input in = { .name = s->members[i].name };

		if (!is_part(in.name, main))
			continue;
		found = true;
		in.bytes = source_map(s, i);
		in.source = s;
		in.member = i;
		if (!in.bytes.p) {
			diag_damage(sc->diag, PRSTR ": cannot be read: %s",
			            STRARG(in.name), strerror(errno));
			continue;
		}
		in.end = in.bytes.n;
		*arena_push(sc->run, sc->inputs, sc->ninputs, cap) = in;
	}
	if (!found)
		diag_damage(sc->diag,
		            PRSTR ": one of several files of a recording; give their "
		                  "directory, with data.0 and the others",
		            STRARG(main));
}

int scan_open(struct scan *sc, struct source *s)
{
	struct input *in = sc->inputs;

	if ((in->stream ? open_stream(sc) : open_mapped(sc)) < 0)
		return -1;
	in->begin = in->at = in->last = sc->head->data_at;
	if (s)
		add_parts(sc, s);
	return 0;
}

void scan_rewind(struct scan *sc)
{
	time_order_clear(&sc->queue);
	unpack_restart(&sc->unpack);
	chunk_clear(&sc->chunks);
	sc->copies = sc->taken = 0;
	for (size_t i = 0; i < sc->ninputs; i++)
		input_rewind(&sc->inputs[i]);
	sc->input = 0;
	sc->ended = sc->cut = false;
	sc->reports = 0;
	sc->lost = (struct losses){ .said = sc->lost.said };
	round_slices_rewind(&sc->rounds, sc->inputs->begin);
}

void scan_close(struct scan *sc)
{
	unpack_close(&sc->unpack);
	stream_close(sc->inputs->stream);
}

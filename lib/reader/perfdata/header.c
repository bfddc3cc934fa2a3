/*
 * The head of a perf.data: tools/perf/Documentation/perf.data-file-format.txt.
 *
 * 	50 45 52 46 49 4c 45 32  "PERFILE2", or "2ELIFREP" from a big-endian machine
 * 	68 00 00 00 00 00 00 00  104 bytes of header, or 16 in pipe mode, before records
 * 	90 00 00 00 00 00 00 00  size of an event: its perf_event_attr, and the offset
 * 	                         and size of its ids
 * 	...                   offsets and sizes of the sections with events, data and
 * 	                      event types, then the bitmap of features
 *
 * A table follows the data.  It contains the position of each feature section, in the order of
 * the feature bits.
 */
#include "reader/perfdata/header.h"

#include "reader/perfdata/feature.h"

enum {
	SIZE_PIPE = 16,
	SIZE_OLD = 72, /* header size before perf had features */
	SIZE_FILE = 104,
	IS_BIG = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
};

struct section {
	uint64_t at, n;
};

static struct section read_section(struct cursor *c)
{
	struct section s = { cur_u64(c), cur_u64(c) };

	return s;
}

static bool is_inside(const struct header *h, struct section s)
{
	return s.at <= h->bytes.n && s.n <= h->bytes.n - s.at;
}

static struct str section_bytes(const struct header *h, struct section s)
{
	return (struct str){ h->bytes.p + s.at, s.n };
}

static bool is_big(struct str head)
{
	return str_starts(head, STR("2ELIFREP"));
}

bool header_is_perfdata(struct str head)
{
	return str_starts(head, STR("PERFILE2")) || str_starts(head, STR("PERFFILE")) ||
	       is_big(head);
}

struct str header_build_id(const struct header *h, struct str path)
{
	uint32_t i = table_get(&h->id_of, hash_str(path), path.n);

	if (!i || !str_eq(h->ids[i - 1].path, path))
		return (struct str){ 0 };
	return h->ids[i - 1].id;
}

static void report(struct header *h, uint64_t at, const char *what)
{
	if (!h->reported)
		diag_at(h->diag, h->name, at, "%s", what);
	h->reported = true;
}

static int read_attrs(struct header *h, struct section attrs, uint64_t entry)
{
	uint64_t n = entry ? attrs.n / entry : 0;

	if (!is_inside(h, attrs) || entry < 64 + 16 || !n)
		return diag_fatal(h->diag,
		                  PRSTR ": perf.data without a description of its events",
		                  STRARG(h->name));
	for (uint64_t i = 0; i < n; i++) {
		struct str e = { h->bytes.p + attrs.at + i * entry, entry };
		struct cursor c = cur_over(str_from(e, entry - 16), h->capture.swap);
		struct section ids = read_section(&c);

		attr_add(&h->attrs, str_head(e, entry - 16), h->capture.swap,
		         h->capture.big);
		if (!is_inside(h, ids)) {
			report(h, attrs.at + i * entry,
			       "ids of an event are outside the file");
			continue;
		}
		c = cur_over(section_bytes(h, ids), h->capture.swap);
		while (cur_left(&c) >= 8)
			attr_add_id(&h->attrs, cur_u64(&c));
	}
	return 0;
}

/*
 * Reads the bitmap of features.  It is an array of the writer's unsigned long.  If the file has
 * another byte order than this machine, the size of unsigned long is unknown.  All versions of
 * perf set HOSTNAME, so the position of its bit determines the size.
 */
static void read_bitmap(struct header *h, struct cursor *c)
{
	for (size_t i = 0; i < 4; i++)
		h->capture.features[i] = cur_u64(c);
	if (!h->capture.swap || capture_has(&h->capture, FEATURE_HOSTNAME))
		return;
	for (size_t i = 0; i < 4; i++)
		h->capture.features[i] =
		        h->capture.features[i] << 32 | h->capture.features[i] >> 32;
	if (capture_has(&h->capture, FEATURE_HOSTNAME))
		return;
	memset(h->capture.features, 0, sizeof(h->capture.features));
	h->capture.features[0] = 1 << FEATURE_BUILD_ID;
}

static size_t count_features(const struct header *h)
{
	size_t n = 0;

	for (size_t i = 0; i < 4; i++)
		n += (size_t)__builtin_popcountll(h->capture.features[i]);
	return n;
}

static void read_features(struct header *h, uint64_t table)
{
	struct section where = { table, count_features(h) * 16 };
	struct cursor c;

	if (!is_inside(h, where)) {
		report(h, table, "the table of feature sections is cut off");
		return;
	}
	c = cur_over(section_bytes(h, where), h->capture.swap);
	for (unsigned i = 0; i < CAPTURE_FEATURES; i++) {
		uint64_t at = (uint64_t)(c.p - h->bytes.p);
		struct section s;

		if (!capture_has(&h->capture, i))
			continue;
		s = read_section(&c);
		if (!is_inside(h, s))
			report(h, at, "a feature section is outside the file");
		else if (!feature_read(h, i, section_bytes(h, s)))
			report(h, s.at, "a feature section contradicts itself");
	}
}

/*
 * Returns true if a table of feature sections begins at `at`.  The sections follow the table,
 * and only padding separates them.  A gap may precede the first section, because perf reserves
 * table entries for features that it may not write.
 */
static bool is_table(const struct header *h, uint64_t at)
{
	struct section where = { at, count_features(h) * 16 };
	struct cursor c;
	uint64_t next = at + where.n, slack = CAPTURE_FEATURES * 16;

	if (!where.n || !is_inside(h, where))
		return false;
	c = cur_over(section_bytes(h, where), h->capture.swap);
	while (cur_left(&c)) {
		struct section s = read_section(&c);

		if (s.at < next || s.at - next > slack || !is_inside(h, s))
			return false;
		next = s.at + s.n;
		slack = 8; /* padding */
	}
	return true;
}

/*
 * Reads the records that describe the recording.  If the header does not contain the size of the
 * data, the data ends at the first bytes that are not a record.
 */
static void read_records(struct header *h)
{
	uint64_t at = h->data_at;
	struct record r;

	while (at < h->data_end) {
		struct str left = { h->bytes.p + at, h->data_end - at };
		enum record_end end = record_read(left, h->capture.swap, &r);

		if (h->unsized &&
		    (end == RECORD_BAD || (r.type > REC_KNOWN && r.type < REC_FOREIGN))) {
			h->data_end = at;
			return;
		}
		if (end != RECORD_WHOLE)
			return;
		if (!feature_record(h, &r))
			report(h, at, "a descriptive record contradicts itself");
		at += r.size;
	}
}

/*
 * Returns true for records that perf writes only after all records that describe the recording.
 */
static bool is_past_head(uint32_t type)
{
	switch (type) {
	case REC_SAMPLE:
	case REC_FINISHED_ROUND:
	case REC_FINISHED_INIT:
	case REC_AUXTRACE:
	case REC_COMPRESSED:
	case REC_COMPRESSED2:
		return true;
	default:
		return false;
	}
}

bool header_is_pipe(struct str head)
{
	struct cursor c = cur_over(str_from(head, 8), is_big(head) != IS_BIG);

	return header_is_perfdata(head) && cur_u64(&c) == SIZE_PIPE;
}

size_t header_of_pipe(struct str bytes)
{
	bool swap = is_big(bytes) != IS_BIG;
	size_t at = SIZE_PIPE;
	struct record r;

	if (!header_is_pipe(bytes))
		return 0;
	while (at < bytes.n) {
		enum record_end end = record_read(str_from(bytes, at), swap, &r);

		if (end == RECORD_BAD || (end == RECORD_WHOLE && is_past_head(r.type)))
			return at;
		if (end == RECORD_CUT)
			return r.type == REC_AUXTRACE ? at : 0;
		at += r.size;
	}
	return 0;
}

static int read_file(struct header *h, struct cursor *c, uint64_t size)
{
	uint64_t entry = cur_u64(c);
	struct section attrs = read_section(c), data = read_section(c);

	read_section(c); /* skip the event types, which perf no longer uses */
	if (c->bad || (size != SIZE_OLD && size != SIZE_FILE))
		return diag_fatal(h->diag,
		                  PRSTR ": perf.data with a header of %llu bytes",
		                  STRARG(h->name), (unsigned long long)size);
	if (size == SIZE_FILE)
		read_bitmap(h, c);
	if (read_attrs(h, attrs, entry) < 0)
		return -1;

	h->capture.data_at = data.at;
	h->capture.data_bytes = data.n;
	h->data_at = data.at < h->bytes.n ? data.at : h->bytes.n;
	h->data_end = h->bytes.n;
	h->unsized = !data.n;
	if (h->unsized) {
		read_records(h);
		if (is_table(h, h->data_end))
			read_features(h, h->data_end);
	} else if (is_inside(h, data)) {
		h->data_end = data.at + data.n;
		read_features(h, h->data_end);
	} else {
		h->missing = data.n - (h->bytes.n - h->data_at);
	}
	return 0;
}

int header_read(struct header *h, struct str bytes)
{
	struct cursor c;
	uint64_t size;

	h->bytes = bytes;
	h->capture.big = is_big(bytes);
	h->capture.swap = h->capture.big != IS_BIG;
	h->attrs.arena = h->arena;
	h->pc = 8; /* assume x86 until ARCH is read */
	if (str_starts(bytes, STR("PERFFILE")))
		return diag_fatal(
		        h->diag, PRSTR ": perf.data written before 2011 is not supported",
		        STRARG(h->name));
	c = cur_over(str_from(bytes, 8), h->capture.swap);
	size = cur_u64(&c);
	if (size == SIZE_PIPE) {
		h->capture.pipe = true;
		h->data_at = SIZE_PIPE;
		h->data_end = bytes.n;
		read_records(h);
	} else if (read_file(h, &c, size) < 0) {
		return -1;
	}
	if (!h->attrs.n)
		return diag_fatal(h->diag,
		                  PRSTR ": perf.data without a description of its events",
		                  STRARG(h->name));
	return 0;
}

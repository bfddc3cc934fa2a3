/*
 * Feature sections: tools/perf/Documentation/perf.data-file-format.txt.  A string is a u32 length
 * and that many bytes, which contain the text, a NUL and padding:
 *
 * 	40 00 00 00 78 38 36 5f 36 34 00 ...  ARCH: 64 bytes, "x86_64"
 */
#include "reader/perfdata/feature.h"

enum {
	MISC_BUILD_ID_SIZE = 1 << 15,
	BUILD_ID_ROOM = 24, /* 20 bytes for the id, 1 for its size, 3 for padding */
	BUILD_ID_MAX = 20,
	UPDATE_NAME = 2,
};

/* Register numbers of the program counter: arch/ARCH/include/uapi/asm/perf_regs.h. */
enum { PC_X86 = 8, PC_ARM = 15, PC_ARM64 = 32 };

/*
 * Returns the length of an id that old perf wrote without its length.  Short ids are padded with
 * zeros.
 */
static size_t unpadded(const char *id)
{
	size_t n = BUILD_ID_MAX;

	while (n && !memcmp(id + n - 4, "\0\0\0", 4))
		n -= 4;
	return n;
}

static bool read_build_id(struct header *h, uint16_t misc, struct str body)
{
	struct cursor c = cur_over(body, h->capture.swap);
	uint32_t *index;
	struct str path;
	const char *id;
	size_t n;

	cur_take(&c, 4); /* skip the pid */
	id = cur_take(&c, BUILD_ID_ROOM);
	if (!id)
		return false;
	path = cur_zstr(&c);
	n = (unsigned char)id[BUILD_ID_MAX];
	if (!(misc & MISC_BUILD_ID_SIZE) || n > BUILD_ID_MAX)
		n = unpadded(id);
	if (!n || !path.n)
		return true;
	index = table_at(&h->id_of, h->arena, hash_str(path), path.n);
	if (*index)
		return true;
	*arena_push(h->arena, h->ids, h->nids, h->ids_cap) =
	        (struct known_build_id){ path, { id, n } };
	*index = (uint32_t)h->nids;
	return true;
}

static bool read_build_ids(struct header *h, struct str bytes)
{
	struct record r;

	while (bytes.n) {
		if (record_read(bytes, h->capture.swap, &r) == RECORD_CUT)
			return false;
		/* The type is not checked, because it is 67, or 0 in old versions. */
		if (r.size < RECORD_HEAD || r.size > bytes.n)
			return false;
		r.body = (struct str){ bytes.p + RECORD_HEAD, r.size - RECORD_HEAD };
		if (!read_build_id(h, r.misc, r.body))
			return false;
		bytes = str_from(bytes, r.size);
	}
	return true;
}

/* Reads EVENT_DESC: the names, in the order of the events. */
static bool read_event_desc(struct header *h, struct str bytes)
{
	struct cursor c = cur_over(bytes, h->capture.swap);
	uint32_t n = cur_u32(&c), attr_size = cur_u32(&c);

	for (uint32_t i = 0; i < n && !c.bad; i++) {
		uint32_t nids;
		struct str name;

		cur_take(&c, attr_size);
		nids = cur_u32(&c);
		name = capture_string(&c);
		cur_take(&c, (size_t)nids * 8);
		if (!c.bad && i < h->attrs.n && !h->attrs.attr[i].pub.name.n)
			h->attrs.attr[i].pub.name = name;
	}
	return !c.bad;
}

static bool read_arch(struct header *h, struct str bytes)
{
	struct cursor c = cur_over(bytes, h->capture.swap);
	struct str arch = capture_string(&c);

	h->capture.arch = arch;
	if (str_eq(arch, STR("x86_64")) || str_starts(arch, STR("i")))
		h->pc = PC_X86;
	else if (str_eq(arch, STR("aarch64")))
		h->pc = PC_ARM64;
	else if (str_starts(arch, STR("arm")))
		h->pc = PC_ARM;
	else if (arch.n)
		h->pc = -1;
	return !c.bad;
}

static bool read_sample_time(struct header *h, struct str bytes)
{
	struct cursor c = cur_over(bytes, h->capture.swap);

	h->capture.first_ns = cur_u64(&c);
	h->capture.last_ns = cur_u64(&c);
	return !c.bad;
}

static bool read_clock(struct header *h, struct str bytes)
{
	struct cursor c = cur_over(bytes, h->capture.swap);
	struct capture *to = &h->capture;

	cur_take(&c, 4); /* skip the version */
	to->clockid = cur_u32(&c);
	to->wall_ns = cur_u64(&c);
	to->clock_ns = cur_u64(&c);
	to->has_clock = !c.bad;
	return !c.bad;
}

bool feature_read(struct header *h, unsigned feature, struct str bytes)
{
	if (!bytes.p)
		bytes.p = "";
	h->capture.section[feature] = bytes;
	h->capture.features[feature / 64] |= (uint64_t)1 << feature % 64;
	switch (feature) {
	case FEATURE_TRACING_DATA:
		h->tracing = bytes;
		return true;
	case FEATURE_BUILD_ID:
		return read_build_ids(h, bytes);
	case FEATURE_ARCH:
		return read_arch(h, bytes);
	case FEATURE_EVENT_DESC:
		return read_event_desc(h, bytes);
	case FEATURE_SAMPLE_TIME:
		return read_sample_time(h, bytes);
	case FEATURE_CLOCK_DATA:
		return read_clock(h, bytes);
	default:
		return true;
	}
}

/* Reads HEADER_ATTR: a perf_event_attr and the ids of its event. */
static bool read_attr(struct header *h, struct str body)
{
	struct cursor c = cur_over(body, h->capture.swap);
	uint32_t size;

	cur_take(&c, 4);
	size = cur_u32(&c);
	if (c.bad || size > body.n ||
	    !attr_add(&h->attrs, str_head(body, size), h->capture.swap, h->capture.big))
		return false;
	c = cur_over(str_from(body, size), h->capture.swap);
	while (cur_left(&c) >= 8)
		attr_add_id(&h->attrs, cur_u64(&c));
	return true;
}

static bool read_update(struct header *h, struct str body)
{
	struct cursor c = cur_over(body, h->capture.swap);
	uint64_t what = cur_u64(&c), id = cur_u64(&c);
	uint32_t index = table_get(&h->attrs.ids, id, 0);

	if (c.bad)
		return false;
	if (what == UPDATE_NAME && index)
		h->attrs.attr[index - 1].pub.name = cur_zstr(&c);
	return true;
}

bool feature_record(struct header *h, const struct record *r)
{
	struct cursor c = cur_over(r->body, h->capture.swap);
	uint64_t feature;

	switch (r->type) {
	case REC_ATTR:
		return read_attr(h, r->body);
	case REC_EVENT_UPDATE:
		return read_update(h, r->body);
	case REC_BUILD_ID:
		return read_build_id(h, r->misc, r->body);
	case REC_TRACING_DATA:
		return feature_read(h, FEATURE_TRACING_DATA, r->extra);
	case REC_FEATURE:
		feature = cur_u64(&c);
		return !c.bad &&
		       (feature >= CAPTURE_FEATURES ||
		        feature_read(h, (unsigned)feature, str_from(r->body, 8)));
	default:
		return true;
	}
}

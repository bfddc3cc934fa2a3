/*
 * 	4e 65 74 74 72 61 63 65 14 00 00 00 21 46 ..  "Nettrace", then "!FastSerialization.1"
 * 	05 05 01 04 00 00 00 04 00 00 00 05 00 00 00   an object of version 4 with a type
 * 	54 72 61 63 65 06			      "Trace", then payload, 06
 *
 * 	4e 65 74 74 72 61 63 65 00 00 00 00 06 00 00 00 00 00 00 00   version 6.0
 * 	2c 00 00 01				    44 bytes of kind 1, the trace block
 */
#include "reader/nettrace/netfile.h"

enum {
	MAGIC = 8,
	TAG_NULL = 1,
	TAG_BEGIN = 5,
	TAG_END = 6,
	TIME_WORDS = 16, /* size in bytes of the wall-clock time in the trace block */
	SORTED = 1u << 31,
};

/* Flags in the first byte of a compressed event. */
enum {
	HAS_METADATA = 1,
	HAS_CAPTURE = 2,
	HAS_THREAD = 4,
	HAS_STACK = 8,
	HAS_ACTIVITY = 16, /* version 6: labels */
	HAS_RELATED = 32,
	HAS_SIZE = 128,
};

static const struct str magic = { "Nettrace", MAGIC };
static const struct str fast = { "\x14\0\0\0!FastSerialization.1", 24 };

struct str netfile_take(struct cursor *in, uint64_t n)
{
	const char *p;

	if (n > cur_left(in)) {
		in->bad = true;
		return (struct str){ 0 };
	}
	p = cur_take(in, (size_t)n);
	return (struct str){ p, (size_t)n };
}

struct str netfile_string(struct cursor *in)
{
	return netfile_take(in, cur_uleb(in));
}

bool netfile_bid(struct str head)
{
	return str_starts(head, magic);
}

static struct cursor cursor_at(const struct netfile *nf)
{
	return cur_little(str_from(nf->bytes, nf->at));
}

static enum netblock_kind kind_called(struct str type)
{
	static const struct {
		const char *name;
		enum netblock_kind kind;
	} kinds[] = {
		{ "Trace", NET_TRACE },
		{ "EventBlock", NET_EVENTS },
		{ "MetadataBlock", NET_METADATA },
		{ "StackBlock", NET_STACKS },
		{ "SPBlock", NET_SEQUENCE_POINT },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (str_eq(type, str_of(kinds[i].name)))
			return kinds[i].kind;
	return NET_OTHER;
}

/* Size of the trace object in bytes.  The file does not contain this size. */
enum { TRACE_BYTES = TIME_WORDS + 8 + 8 + 4 * 4 };

/* Takes `size` bytes.  If fewer bytes remain, takes all and sets nf->cut. */
static struct str take_payload(struct netfile *nf, struct cursor *in, uint64_t size)
{
	if (size <= cur_left(in))
		return netfile_take(in, size);
	nf->cut = true;
	return netfile_take(in, cur_left(in));
}

static struct str object_payload(struct netfile *nf, struct cursor *in,
                                 enum netblock_kind kind)
{
	uint32_t size;

	if (kind == NET_TRACE)
		return netfile_take(in, TRACE_BYTES);
	size = cur_u32(in);
	netfile_take(in, (4 - (nf->bytes.n - cur_left(in)) % 4) % 4);
	return take_payload(nf, in, size);
}

/*
 * Reads an object.  In versions 4 and 5, an object consists of the tag 5, its type, its payload
 * and the tag 6.  The type consists of the tags 5 and 1, the version, the minimum version of a
 * reader, the name and the tag 6.
 */
static bool next_object(struct netfile *nf, struct netblock *out)
{
	struct cursor in = cursor_at(nf);
	uint8_t tag = cur_u8(&in);

	if (tag == TAG_NULL) {
		nf->ended = true;
		return false;
	}
	if (tag != TAG_BEGIN || cur_u8(&in) != TAG_BEGIN || cur_u8(&in) != TAG_NULL)
		return false;
	netfile_take(&in, 8);
	out->kind = kind_called(netfile_take(&in, cur_u32(&in)));
	if (cur_u8(&in) != TAG_END || in.bad)
		return false;
	out->bytes = object_payload(nf, &in, out->kind);
	nf->cut |= !cur_left(&in);
	if (in.bad || (!nf->cut && cur_u8(&in) != TAG_END))
		return false;
	nf->at = nf->bytes.n - cur_left(&in);
	return true;
}

static bool next_block(struct netfile *nf, struct netblock *out)
{
	struct cursor in = cursor_at(nf);
	uint32_t head = cur_u32(&in);

	if (in.bad)
		return false;
	out->kind = head >> 24 < NET_OTHER ? (enum netblock_kind)(head >> 24) : NET_OTHER;
	if (out->kind == NET_END) {
		nf->ended = true;
		return false;
	}
	out->bytes = take_payload(nf, &in, head & 0xffffff);
	nf->at = nf->bytes.n - cur_left(&in);
	return true;
}

/*
 * Finds the next object after damage.  Searches for the first bytes of objects of version 4 or 5.
 */
static bool find_object(struct netfile *nf)
{
	static const struct str begin = { "\5\5\1\2\0\0\0\2\0\0\0", 11 };
	struct str rest = str_from(nf->bytes, nf->at + 1);
	size_t at = nf->version < 6 ? str_search(rest, begin) : rest.n;

	nf->at += 1 + at;
	return at < rest.n;
}

bool netfile_next(struct netfile *nf, struct netblock *out)
{
	while (!nf->cut && !nf->ended) {
		if (nf->version < 6 ? next_object(nf, out) : next_block(nf, out)) {
			out->at = (uint64_t)(out->bytes.p - nf->bytes.p);
			return true;
		}
		if (nf->ended)
			return false;
		nf->damaged++;
		nf->damaged_at = nf->at;
		nf->cut = !find_object(nf);
	}
	return false;
}

static void read_pairs(struct netfile *nf, struct cursor *in)
{
	uint32_t n = cur_u32(in);

	for (uint32_t i = 0; i < n && !in->bad; i++) {
		struct str key = netfile_string(in), value = netfile_string(in);
		uint64_t pid;

		if (str_eq(key, STR("ProcessId")) && str_is_dec(value, &pid) &&
		    pid <= INT32_MAX)
			nf->pid = (int32_t)pid;
	}
}

static bool read_trace(struct netfile *nf)
{
	struct netblock block;
	struct cursor in;

	if (!netfile_next(nf, &block) || block.kind != NET_TRACE)
		return false;
	in = cur_little(block.bytes);
	netfile_take(&in, TIME_WORDS);
	nf->start_ticks = cur_u64(&in);
	nf->ticks_per_second = cur_u64(&in);
	nf->pointer = cur_u32(&in);
	nf->pid = -1;
	if (nf->version < 6)
		nf->pid = (int32_t)cur_u32(&in);
	else
		read_pairs(nf, &in);
	return !in.bad && nf->ticks_per_second && (nf->pointer == 4 || nf->pointer == 8);
}

bool netfile_open(struct netfile *nf, struct str bytes, const char **why)
{
	struct str rest = str_from(bytes, MAGIC);
	struct cursor in = cur_little(rest);

	*nf = (struct netfile){ .bytes = bytes, .version = 4 };
	*why = "not a nettrace file";
	if (!netfile_bid(bytes))
		return false;
	if (str_starts(rest, fast)) {
		nf->at = MAGIC + fast.n;
	} else if (!cur_u32(&in)) {
		nf->version = cur_u32(&in);
		nf->at = MAGIC + 12;
		*why = in.bad ? "it ends in its header" : "nettrace of a version after 6";
		if (nf->version != 6)
			return false;
	}
	*why = "its trace block is damaged";
	return nf->at && read_trace(nf);
}

bool netfile_events(struct netevents *it, const struct netfile *nf,
                    const struct netblock *block)
{
	struct cursor in = cur_little(block->bytes);
	uint16_t header = cur_u16(&in), flags = cur_u16(&in);

	if (in.bad || header < 4 || header > block->bytes.n)
		return false;
	*it = (struct netevents){ .in = cur_little(str_from(block->bytes, header)),
		                  .version = nf->version,
		                  .compressed = flags & 1 };
	return true;
}

/* Reads a compressed event.  Omitted numbers are the same as in the previous event. */
static void read_compressed(struct netevents *it)
{
	struct netevent *ev = &it->last;
	struct cursor *in = &it->in;
	uint8_t has = cur_u8(in);

	if (has & HAS_METADATA)
		ev->metadata = (uint32_t)cur_uleb(in);
	if (has & HAS_CAPTURE) {
		ev->sequence += (uint32_t)cur_uleb(in);
		ev->writer = cur_uleb(in);
		ev->cpu = (uint32_t)cur_uleb(in);
	}
	ev->sequence += ev->metadata != 0;
	if (has & HAS_THREAD)
		ev->thread = cur_uleb(in);
	if (has & HAS_STACK)
		ev->stack = (uint32_t)cur_uleb(in);
	ev->ticks += cur_uleb(in);
	if (has & HAS_ACTIVITY && it->version < 6)
		netfile_take(in, 16);
	else if (has & HAS_ACTIVITY)
		cur_uleb(in);
	if (has & HAS_RELATED && it->version < 6)
		netfile_take(in, 16);
	if (has & HAS_SIZE)
		it->payload = (uint32_t)cur_uleb(in);
	ev->payload = netfile_take(in, it->payload);
}

static void read_plain(struct netevents *it)
{
	struct netevent *ev = &it->last;
	struct str bytes = netfile_take(&it->in, cur_u32(&it->in));
	struct cursor in = cur_little(bytes);

	ev->metadata = cur_u32(&in) & ~(uint32_t)SORTED;
	ev->sequence = cur_u32(&in);
	ev->thread = cur_u64(&in);
	ev->writer = cur_u64(&in);
	ev->cpu = cur_u32(&in);
	ev->stack = cur_u32(&in);
	ev->ticks = cur_u64(&in);
	if (it->version < 6)
		netfile_take(&in, 32);
	else
		cur_u32(&in);
	ev->payload = netfile_take(&in, cur_u32(&in));
	it->in.bad |= in.bad;
	/*
	 * In versions 4 and 5, events and headers of blocks are aligned to four bytes in
	 * the file.
	 */
	if (it->version < 6)
		netfile_take(&it->in, (4 - bytes.n % 4) % 4);
}

bool netfile_next_event(struct netevents *it, struct netevent *out)
{
	if (!cur_left(&it->in))
		return false;
	if (it->compressed)
		read_compressed(it);
	else
		read_plain(it);
	*out = it->last;
	return !it->in.bad;
}

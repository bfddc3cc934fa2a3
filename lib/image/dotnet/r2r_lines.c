/*
 * DebugInfo is an array with an element for each method.  The index of an element is the
 * runtime function at which the method begins.  An element with an IL map of 12 entries:
 *
 * 	00	    the map follows.  Another number N: the map is N bytes earlier
 * 	6a 79      22 bytes of entries, 15 bytes of variables
 * 	49 54      12 entries of 2 bits of flags, 5 bits of native offset, 6 bits of IL offset
 * 	82 40 36 ...    the entries
 *
 * Sizes and counts are sequences of nibbles, which contain three bits each.  The lower nibble of
 * a byte is first.  Before version 16, entries are also sequences of nibbles.
 *
 * Source: dotnet/runtime src/coreclr/vm/debuginfostore.cpp.
 */
#include "image/dotnet/r2r_lines.h"

#include "image/dotnet/native_format.h"
#include "image/dotnet/r2r_private.h"

enum {
	SECTION_DEBUG_INFO = 105,
	PACKED_SINCE = 16, /* major version */
	FLAG_MORE_SINCE = 17,
	IL_BIAS = 3,
	/*
	 * maximum size of an entry in bits.  Such an entry fits into eight bytes at any
	 * bit position
	 */
	BITS_MOST = 57,
	NIBBLES_LEAST = 3, /* minimum size of an entry in nibbles */
};

/* Reads numbers that are encoded in nibbles. */
struct nibbles {
	struct str bytes;
	size_t at; /* number of nibbles read */
	bool bad;
};

static unsigned take_nibble(struct nibbles *n)
{
	size_t byte = n->at / 2;
	unsigned high = n->at % 2;

	if (byte >= n->bytes.n) {
		n->bad = true;
		return 0;
	}
	n->at++;
	return (unsigned char)n->bytes.p[byte] >> 4 * high & 15;
}

static uint32_t take_number(struct nibbles *n)
{
	uint32_t v = 0;
	unsigned nibble;

	do {
		nibble = take_nibble(n);
		v = v << 3 | (nibble & 7);
	} while (nibble & 8);
	return v;
}

/* Returns the bytes after the last number, which start at the next whole byte. */
static struct str rest_of(const struct nibbles *n)
{
	return str_from(n->bytes, (n->at + 1) / 2);
}

/*
 * Finds element i of a NativeArray, which consists of trees with 16 leaves.  Returns the file
 * offset of the element, or SIZE_MAX.
 */
static size_t find_element(struct str file, size_t at, uint32_t i)
{
	uint32_t head, v, first;
	size_t base = native_uint(file, at, &head), next;

	if (base == SIZE_MAX || (head & 3) > 2 || i >= head >> 2)
		return SIZE_MAX;
	first = native_index(file, base, i / 16, head & 3);
	at = first == UINT32_MAX ? SIZE_MAX : base + first;
	for (uint32_t bit = 8; bit && at != SIZE_MAX; bit /= 2) {
		next = native_uint(file, at, &v);
		if (next == SIZE_MAX)
			return SIZE_MAX;
		if (i & bit && v & 2)
			at += v >> 2;
		else if (!(i & bit) && v & 1)
			at = next;
		else
			return !(v & 3) && v >> 2 == i % 16 ? next : SIZE_MAX;
	}
	return at;
}

/* Returns all bytes from the start of a method's map on, or an empty string. */
static struct str find_table(const struct r2r *r, uint32_t entry)
{
	struct pe_directory d = r2r_section(r->header, SECTION_DEBUG_INFO);
	struct str file = r->pe->bytes, none = { 0 };
	uint32_t back;
	uint64_t off;
	size_t at, next;

	if (!d.rva || !pe_file_off(r->pe, d.rva, &off))
		return none;
	at = find_element(file, (size_t)off, entry);
	next = at == SIZE_MAX ? SIZE_MAX : native_uint(file, at, &back);
	if (next == SIZE_MAX || back > at)
		return none;
	return str_from(file, back ? at - back : next);
}

/*
 * Returns the entries of a map.  Since version 17, the header may begin with 0.  Then the size of
 * the entries and five numbers follow.
 */
static struct str find_entries(const struct r2r *r, struct str table)
{
	struct nibbles head = { .bytes = table };
	uint32_t size = take_number(&head), unused = take_number(&head);

	if (!size && r->major >= FLAG_MORE_SINCE) {
		size = unused;
		for (int i = 0; i < 5; i++)
			take_number(&head);
	}
	return head.bad ? (struct str){ 0 } : str_head(rest_of(&head), size);
}

static struct il_map read_nibbles(struct str part, struct arena *a)
{
	struct nibbles in = { .bytes = part };
	uint32_t n = take_number(&in), native = 0;
	struct il_entry *entry;

	if (in.bad || n > part.n * 2 / NIBBLES_LEAST)
		return (struct il_map){ 0 };
	entry = arena_new(a, struct il_entry, n);
	for (uint32_t i = 0; i < n; i++) {
		native += take_number(&in);
		entry[i].native = native;
		entry[i].il = (int32_t)(take_number(&in) - IL_BIAS);
		take_number(&in); /* skip the flags */
	}
	return in.bad ? (struct il_map){ 0 } : (struct il_map){ entry, n };
}

static uint64_t low_bits(uint64_t v, unsigned n)
{
	return v & ((UINT64_C(1) << n) - 1);
}

static struct il_map read_packed(struct str part, unsigned flags, struct arena *a)
{
	struct nibbles head = { .bytes = part };
	uint32_t n = take_number(&head), wide = take_number(&head) + 1,
	         deep = take_number(&head) + 1, native = 0;
	struct str bits = rest_of(&head);
	struct il_entry *entry;
	uint64_t each;

	if (head.bad || wide > BITS_MOST || deep > BITS_MOST)
		return (struct il_map){ 0 };
	each = flags + (uint64_t)wide + deep;
	if (each > BITS_MOST || n > bits.n * UINT64_C(8) / each)
		return (struct il_map){ 0 };
	entry = arena_new(a, struct il_entry, n);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t at = i * each,
		         v = native_bytes(bits, (size_t)(at / 8)) >> at % 8;

		native += (uint32_t)low_bits(v >> flags, wide);
		entry[i].native = native;
		entry[i].il = (int32_t)((uint32_t)low_bits(v >> (flags + wide), deep) -
		                        IL_BIAS);
	}
	return (struct il_map){ entry, n };
}

struct il_map r2r_lines_map(const struct r2r *r, size_t index, struct arena *a)
{
	const struct r2r_code *code = &r->code[index];
	struct str part;

	if (code->kind == R2R_THUNKS)
		return (struct il_map){ 0 };
	part = find_entries(r, find_table(r, code->entry));
	if (r->major < PACKED_SINCE)
		return read_nibbles(part, a);
	return read_packed(part, r->major < FLAG_MORE_SINCE ? 2 : 3, a);
}

/* Offsets in the cold part of a method continue after the hot part. */
uint64_t r2r_lines_offset(const struct r2r *r, size_t index, uint64_t rva)
{
	const struct r2r_code *code = &r->code[index];
	uint64_t off = rva - code->begin;

	for (size_t i = 0; code->cold && i < index; i++)
		if (r->code[i].entry == code->entry && !r->code[i].cold &&
		    r->code[i].kind == code->kind)
			return off + r->code[i].end - r->code[i].begin;
	return off;
}

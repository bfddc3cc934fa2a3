/*
 * wire - reads the fields of a protobuf message.
 *
 * Messages are decoded in place, field by field, without allocating memory.  Specification:
 * https://protobuf.dev/programming-guides/encoding.
 */
#ifndef READER_WIRE_H
#define READER_WIRE_H

#include "base/cursor.h"

enum wire_type { WIRE_VARINT, WIRE_FIXED64, WIRE_BYTES, WIRE_FIXED32 = 5 };

struct wire {
	uint32_t field;
	uint8_t type;     /* enum wire_type */
	uint64_t n;       /* the number, unless type is WIRE_BYTES */
	struct str bytes; /* WIRE_BYTES: a string, a message, or packed numbers */
	struct str whole; /* the encoded field, with its tag */
};

/*
 * Reads the next field.  Returns false at the end.  If the message is damaged, also sets in->bad.
 */
static inline bool wire_next(struct cursor *in, struct wire *out)
{
	const char *begin = in->p;
	uint64_t tag, n;

	if (!cur_left(in) || in->bad)
		return false;
	tag = cur_uleb(in);
	out->field = (uint32_t)(tag >> 3);
	out->type = tag & 7;
	out->n = 0;
	out->bytes = (struct str){ 0 };
	if (out->type == WIRE_VARINT) {
		out->n = cur_uleb(in);
	} else if (out->type == WIRE_BYTES) {
		n = cur_uleb(in);
		out->bytes = (struct str){ cur_take(in, n), n };
	} else if (out->type == WIRE_FIXED64) {
		out->n = cur_u64(in);
	} else if (out->type == WIRE_FIXED32) {
		out->n = cur_u32(in);
	} else {
		in->bad = true;
	}
	if (!(tag >> 3) || tag >> 3 > UINT32_MAX)
		in->bad = true;
	out->whole = str_span(begin, in->p);
	return !in->bad;
}

/*
 * Like wire_next, but faster for fields with a one-byte tag and a number or a length.  Use it in
 * loops over the fields of samples.  Passes copies to wire_next, so that the compiler can keep
 * *in and *out in registers.
 */
static inline __attribute__((always_inline)) bool wire_next_short(struct cursor *in,
                                                                  struct wire *out)
{
	const char *p = in->p;
	unsigned char tag = cur_left(in) ? (unsigned char)*p : 0, type = tag & 7;

	if (tag < 1 << 3 || tag > 0x7f || in->bad ||
	    (type != WIRE_VARINT && type != WIRE_BYTES)) {
		struct cursor rest = *in;
		struct wire w = { 0 };
		bool more = wire_next(&rest, &w);

		*in = rest;
		*out = w;
		return more;
	}
	in->p++;
	*out = (struct wire){ .field = tag >> 3, .type = type, .n = cur_uleb(in) };
	if (type == WIRE_BYTES) {
		out->bytes.n = out->n;
		out->bytes.p = cur_take(in, out->n);
		out->n = 0;
	}
	out->whole = str_span(p, in->p);
	return !in->bad;
}

/* Returns a field's numbers, to be read by cur_uleb: packed numbers, or one WIRE_VARINT. */
static inline struct cursor wire_numbers(const struct wire *w)
{
	struct cursor in = cur_little(w->type == WIRE_VARINT ? w->whole : w->bytes);

	if (w->type == WIRE_VARINT)
		cur_uleb(&in); /* skip the tag */
	return in;
}

/* Returns true if the last packed number is incomplete. */
static inline bool wire_is_cut(struct str packed)
{
	return packed.n && (unsigned char)packed.p[packed.n - 1] >> 7;
}

/*
 * Reads numeric fields of a message into `field`, indexed by field number below n.  Returns false
 * if the message is damaged.
 */
static inline bool wire_read(struct str message, uint64_t *field, size_t n)
{
	struct cursor in = cur_little(message);
	struct wire w;

	memset(field, 0, n * sizeof(*field));
	while (wire_next_short(&in, &w))
		if (w.field < n && w.type != WIRE_BYTES)
			field[w.field] = w.n;
	return !in.bad;
}

#endif

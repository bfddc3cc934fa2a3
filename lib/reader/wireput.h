/* wireput - encodes fields of a protobuf message in memory.  See wire.h. */
#ifndef READER_WIREPUT_H
#define READER_WIREPUT_H

#include "base/buffer.h"
#include "reader/wire.h"

enum { WIREPUT_NUMBER = 10 }; /* maximum size of a number in bytes */

static inline void wireput_varint(struct buffer *w, uint64_t v)
{
	arena_fit(w->arena, w->p, w->n + WIREPUT_NUMBER, w->cap);
	for (; v > 0x7f; v >>= 7)
		w->p[w->n++] = (char)(v | 0x80);
	w->p[w->n++] = (char)v;
}

static inline void wireput_tag(struct buffer *w, uint32_t field, enum wire_type type)
{
	wireput_varint(w, (uint64_t)field << 3 | type);
}

/* Writes a number as 8 bytes, without a tag. */
static inline void wireput_fixed64(struct buffer *w, uint64_t v)
{
	char bytes[sizeof(v)];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(v >> 8 * i);
	buffer_put(w, (struct str){ bytes, sizeof(bytes) });
}

/* Writes a number, unless it is 0, which is the default. */
static inline void wireput_number(struct buffer *w, uint32_t field, uint64_t v)
{
	if (!v)
		return;
	wireput_tag(w, field, WIRE_VARINT);
	wireput_varint(w, v);
}

/* Writes a string, a message or packed numbers. */
static inline void wireput_bytes(struct buffer *w, uint32_t field, struct str bytes)
{
	wireput_tag(w, field, WIRE_BYTES);
	wireput_varint(w, bytes.n);
	buffer_put(w, bytes);
}

#endif

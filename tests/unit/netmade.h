/*
 * netmade - nettrace files of a test, made block by block.
 */
#ifndef TESTS_NETMADE_H
#define TESTS_NETMADE_H

#include <assert.h>
#include <string.h>

#include "base/str.h"

enum { NETMADE_MOST = 1 << 16, NETMADE_THREADS = 256 };

struct netmade {
	char bytes[NETMADE_MOST];
	size_t n;
	uint32_t sequence; /* of an event block: that of its last event */
};

/* By thread, the sequence number of its last event. */
static uint32_t net_sequence[NETMADE_THREADS];

static inline void net_put(struct netmade *m, const void *p, size_t n)
{
	assert(m->n + n <= sizeof(m->bytes));
	memcpy(m->bytes + m->n, p, n);
	m->n += n;
}

static inline void net_u8(struct netmade *m, unsigned v)
{
	uint8_t byte = (uint8_t)v;

	net_put(m, &byte, 1);
}

static inline void net_u16(struct netmade *m, unsigned v)
{
	net_u8(m, v & 0xff);
	net_u8(m, v >> 8 & 0xff);
}

static inline void net_u32(struct netmade *m, uint32_t v)
{
	net_u16(m, v & 0xffff);
	net_u16(m, v >> 16);
}

static inline void net_u64(struct netmade *m, uint64_t v)
{
	net_u32(m, (uint32_t)v);
	net_u32(m, (uint32_t)(v >> 32));
}

static inline void net_var(struct netmade *m, uint64_t v)
{
	for (; v > 0x7f; v >>= 7)
		net_u8(m, (unsigned)(v & 0x7f) | 0x80);
	net_u8(m, (unsigned)v);
}

static inline void net_f64(struct netmade *m, double d)
{
	uint64_t v;

	memcpy(&v, &d, sizeof(v));
	net_u64(m, v);
}

/* A length of 7 bits a byte, then the bytes. */
static inline void net_text8(struct netmade *m, const char *text)
{
	net_var(m, strlen(text));
	net_put(m, text, strlen(text));
}

/* A length of 16 bits, then the bytes. */
static inline void netevent_kind_text(struct netmade *m, const char *text)
{
	net_u16(m, (unsigned)strlen(text));
	net_put(m, text, strlen(text));
}

static inline void net_wide(struct netmade *m, const char *text)
{
	for (; *text; text++)
		net_u16(m, (unsigned char)*text);
	net_u16(m, 0);
}

static inline struct str net_bytes(const struct netmade *m)
{
	return (struct str){ m->bytes, m->n };
}

/* "Nettrace" and the trace block: process 77, a microsecond a tick. */
static inline void net_begin4(struct netmade *m)
{
	static const char trace[] = "\5\5\1\4\0\0\0\4\0\0\0\5\0\0\0Trace\6";

	m->n = 0;
	memset(net_sequence, 0, sizeof(net_sequence));
	net_put(m, "Nettrace\x14\0\0\0!FastSerialization.1", 32);
	net_put(m, trace, sizeof(trace) - 1);
	net_put(m, "0123456789abcdef", 16);
	net_u64(m, 0);
	net_u64(m, 1000000);
	net_u32(m, 8);
	net_u32(m, 77);
	net_u32(m, 2);
	net_u32(m, 0);
	net_u8(m, 6);
}

static inline void net_begin6(struct netmade *m)
{
	m->n = 0;
	memset(net_sequence, 0, sizeof(net_sequence));
	net_put(m, "Nettrace\0\0\0\0\6\0\0\0\0\0\0\0", 20);
	net_u32(m, 1u << 24 | 40);
	net_put(m, "0123456789abcdef", 16);
	net_u64(m, 0);
	net_u64(m, 1000000000);
	net_u32(m, 8);
	net_u32(m, 0);
}

static inline void net_block4(struct netmade *m, const char *type,
                              const struct netmade *b)
{
	net_put(m, "\5\5\1\2\0\0\0\2\0\0\0", 11);
	net_u32(m, (uint32_t)strlen(type));
	net_put(m, type, strlen(type));
	net_u8(m, 6);
	net_u32(m, (uint32_t)b->n);
	while (m->n % 4)
		net_u8(m, 0);
	net_put(m, b->bytes, b->n);
	net_u8(m, 6);
}

static inline void net_block6(struct netmade *m, unsigned kind, const struct netmade *b)
{
	net_u32(m, kind << 24 | (uint32_t)b->n);
	net_put(m, b->bytes, b->n);
}

/* The header of an event block; compressed events follow. */
static inline void net_events(struct netmade *b)
{
	b->n = 0;
	b->sequence = 0;
	net_u16(b, 20);
	net_u16(b, 1);
	net_u64(b, 0);
	net_u64(b, 0);
}

/* An event that its thread could not keep. */
static inline void net_lose(unsigned thread)
{
	net_sequence[thread]++;
}

/* A compressed event that says all; ticks is what is added to those before. */
static inline void net_event(struct netmade *b, unsigned metadata, unsigned thread,
                             unsigned stack, uint64_t ticks,
                             const struct netmade *payload)
{
	net_u8(b, 1 | 2 | 4 | 8 | 128);
	net_var(b, metadata);
	net_var(b, metadata ? net_sequence[thread] - b->sequence : 0);
	b->sequence = metadata ? ++net_sequence[thread] : 0;
	net_var(b, thread);
	net_var(b, 1);
	net_var(b, thread);
	net_var(b, stack);
	net_var(b, ticks);
	net_var(b, payload->n);
	net_put(b, payload->bytes, payload->n);
}

#endif

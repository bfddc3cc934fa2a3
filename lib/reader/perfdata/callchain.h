/*
 * callchain - the words of a call chain: addresses, and markers that say in which mode
 * those behind them are.
 */
#ifndef READER_PERFDATA_CALLCHAIN_H
#define READER_PERFDATA_CALLCHAIN_H

#include "reader/event.h"

/* Values from here on are context markers. */
#define CALLCHAIN_MARKERS ((uint64_t)-4095)

enum {
	CONTEXT_HV = -32,
	CONTEXT_KERNEL = -128,
	CONTEXT_USER = -512,
	CONTEXT_USER_DEFERRED = -640, /* Linux 6.18: a cookie follows */
	CONTEXT_GUEST = -2048,
	CONTEXT_GUEST_KERNEL = -2176,
	CONTEXT_GUEST_USER = -2560,
};

/* A call chain as it is recorded. */
struct raw_chain {
	struct str words; /* of 8 bytes */
	bool swap;        /* they are of the other byte order */
};

/* Word i of c. */
static inline uint64_t callchain_word(const struct raw_chain *c, size_t i)
{
	uint64_t v;

	memcpy(&v, c->words.p + i * 8, 8);
	return c->swap ? __builtin_bswap64(v) : v;
}

static inline size_t callchain_words(const struct raw_chain *c)
{
	return c->words.n / 8;
}

/* The mode that a marker begins; an unknown marker changes nothing. */
uint8_t callchain_mode(uint64_t marker, uint8_t mode);

/*
 * Reads the addresses from word i up to the next marker or the end and returns how many.
 * Each becomes a copy of *like; the first is no caller.
 */
size_t callchain_run(const struct raw_chain *c, size_t i, const struct frame *like,
                     struct frame *to);

/* Reads the frames of the first `words` words of c and returns how many they are. */
size_t callchain_frames(const struct raw_chain *c, size_t words, struct frame *to);

/*
 * Number of words at the end of c whose frames are frames of `before` as well; none where a
 * cookie is among the words, which is no address.
 */
size_t callchain_same(const struct raw_chain *c, const struct raw_chain *before);

#endif

/*
 * decode - what is inside records of perf.data, by kind; private to reader/.
 *
 * record_decode has filled in what all have in common.  False: the lengths inside
 * do not fit.
 */
#ifndef READER_PERFDATA_DECODE_H
#define READER_PERFDATA_DECODE_H

#include "reader/perfdata/record.h"

static inline uint64_t record_word(const char *p, bool swap)
{
	uint64_t v;

	memcpy(&v, p, 8);
	return swap ? __builtin_bswap64(v) : v;
}

/* pc as for record_decode. */
bool decode_sample(const struct record *r, const struct event_attr *a, struct cursor *c,
                   int pc, struct room *room, struct event *ev);

/* CALLCHAIN_DEFERRED: sets room->cookie and room->later; c as below. */
bool decode_deferred(struct cursor *c, struct room *room);

/* A kind whose words are in struct other_fields; c is over its body without the sample id. */
bool decode_side(const struct record *r, struct cursor *c, struct room *room,
                 struct event *ev);

#endif

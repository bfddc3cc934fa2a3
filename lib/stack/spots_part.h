/*
 * spots_part - adds the weights of a worker, which has read a part of the profile (symbol/part.h).
 *
 * Call spots_part_take between spots_begin and spots_end.  A worker sends each new slot once, and
 * weights as differences.
 */
#ifndef STACK_SPOTS_PART_H
#define STACK_SPOTS_PART_H

#include "stack/spots.h"
#include "symbol/part.h"

/* The worker's number of slots when it started, and the number of those that its parent has now. */
struct spots_sent {
	size_t base, slots;
};

/* Prepares a worker.  Call it once after fork. */
void spots_part_begin(struct spots *s, struct spots_sent *sent);

/* Writes the weights that were added since the last call. */
void spots_part_send(struct spots *s, struct spots_sent *sent, struct out *to);

/* First parts of the slots that a worker has added.  Zero bytes are a valid empty state. */
struct spots_known {
	uint32_t *part;
	size_t n, cap;
};

/* Adds the weights of a worker.  frames: the frames that it has sent. */
void spots_part_take(struct spots *s, const struct profile *p,
                     const struct part_sent *frames, struct spots_known *known,
                     struct cursor *from);

#endif

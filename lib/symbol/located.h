/*
 * located - resolves the samples of a profile that has a table of locations.  Private to symbol/.
 *
 * Each location is resolved once.  Locations in JIT code are resolved for each sample, because
 * their names may depend on the process and the time.
 */
#ifndef SYMBOL_LOCATED_H
#define SYMBOL_LOCATED_H

#include "symbol/profile_private.h"

/*
 * Returns true if the frames of the sample can be resolved later, because samples with this stack
 * always have the same names.  Counts the sample and its repeats for located_delayed.
 */
bool located_delay(struct profile *p, const struct event *ev);

/*
 * Finds the first stack, from index *stack on, with samples that located_delay has counted.  Sets
 * *stack to its index and *uses to the number of these samples, and clears this count.  Returns
 * false if there is no such stack.
 */
bool located_delayed(struct profile *p, uint32_t *stack, uint64_t *uses);

/*
 * Resolves the frames of a sample into p->frames.sample.  Sets ev->stack to 0 if another sample
 * with this stack may get different names.
 */
void located_resolve(struct profile *p, struct event *ev, int32_t pid);

/* Returns true if the names of all frames are independent of the times of samples. */
bool located_is_fixed(const struct profile *p);

/* Implement profile_mapping and profile_location. */
const struct mapping *located_mapping(const struct profile *p, const struct frame *f);
frame_id located_name(struct profile *p, uint32_t number);

/* Returns true if callers in the mapping of f are recorded as return addresses. */
bool located_is_return(const struct profile *p, const struct frame *f);

/* Passes the unnamed frames of a sample to the binder. */
void located_note(struct profile *p, struct event *ev);

#endif

/*
 * ranges - which mapping covers which addresses; private to process/.
 *
 * A persistent treap: inserting makes new nodes along its path and leaves the old tree as
 * it was.  A forked process therefore shares its parent's tree at no cost, however many
 * mappings and forks a profile has.
 */
#ifndef PROCESS_RANGES_H
#define PROCESS_RANGES_H

#include "process/process.h"

struct range; /* NULL is the empty set */

/* Adds m over [m->start, m->end), in place of what was there. */
const struct range *ranges_insert(const struct range *root, const struct mapping *m,
                                  struct arena *run);

const struct mapping *ranges_find(const struct range *root, uint64_t ip);

/* The mapping that holds ip, else the next above it. */
const struct mapping *ranges_from(const struct range *root, uint64_t ip);

#endif

/*
 * ranges - which mapping covers which addresses; private to process/.
 *
 * A treap.  A forked process shares its parent's tree at no cost, however many mappings and
 * forks a profile has: a node is changed by its owner alone, and others put new nodes along
 * the path in place of it.
 */
#ifndef PROCESS_RANGES_H
#define PROCESS_RANGES_H

#include "process/process.h"

struct range; /* NULL is the empty set */

/* A change of a tree: its arena, and the owner whose nodes are changed in place. */
struct ranges_edit {
	struct arena *run;
	uint32_t owner; /* of the nodes that are changed in place and of new ones */
};

/*
 * Adds m over [m->start, m->end), in place of what was there.  The nodes of root whose owner
 * changes it are used up.
 */
struct range *ranges_insert(struct range *root, const struct mapping *m,
                            const struct ranges_edit *edit);

const struct mapping *ranges_find(const struct range *root, uint64_t ip);

/* The mapping that holds ip, else the next above it. */
const struct mapping *ranges_from(const struct range *root, uint64_t ip);

#endif

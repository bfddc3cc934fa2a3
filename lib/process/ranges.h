/*
 * ranges - the mapping of each address.  Private to process/.
 *
 * A treap.  A forked process shares its parent's tree at no cost, for any number of mappings and
 * forks.  A node is changed only by its owner.  Others copy the nodes along the path.
 */
#ifndef PROCESS_RANGES_H
#define PROCESS_RANGES_H

#include "process/process.h"

struct range; /* NULL is the empty set */

/* A change of a tree: its arena, and the owner of the nodes that are changed in place. */
struct ranges_edit {
	struct arena *run;
	uint32_t owner; /* of the nodes that are changed in place and of new ones */
};

/*
 * Adds m over [m->start, m->end) and replaces the earlier mappings there.  The old root must not
 * be used again by its owner.
 */
struct range *ranges_insert(struct range *root, const struct mapping *m,
                            const struct ranges_edit *edit);

const struct mapping *ranges_find(const struct range *root, uint64_t ip);

/* The mapping that holds ip, else the next above it. */
const struct mapping *ranges_from(const struct range *root, uint64_t ip);

#endif

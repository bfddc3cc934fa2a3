/*
 * ranges - finds the mapping of each address.  Private to process/.
 *
 * The data structure is a treap.  A forked process shares the tree of its parent without
 * a copy.  Only the owner of a node may change it.  Other processes copy the nodes along
 * the path that they change.
 */
#ifndef PROCESS_RANGES_H
#define PROCESS_RANGES_H

#include "process/process.h"

struct range; /* NULL is an empty set */

/* Who changes a tree, and the arena for new nodes. */
struct ranges_edit {
	struct arena *run;
	/* owner of new nodes, who may also change its existing nodes in place */
	uint32_t owner;
};

/*
 * Adds m over [m->start, m->end), and replaces the earlier mappings there.  Returns the
 * new root.  The owner of the old root must not use the old root again.
 */
struct range *ranges_insert(struct range *root, const struct mapping *m,
                            const struct ranges_edit *edit);

const struct mapping *ranges_find(const struct range *root, uint64_t ip);

/* Returns the mapping that contains ip, else the next mapping above ip, or NULL. */
const struct mapping *ranges_find_from(const struct range *root, uint64_t ip);

#endif

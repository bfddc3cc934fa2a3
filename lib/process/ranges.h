/*
 * ranges - finds the mapping of each address.  Private to process/.
 *
 * The data structure is a treap.  A forked process shares the tree of its parent.  Only the owner
 * of a node may change the node.  Other processes copy the nodes on the path to a change.
 */
#ifndef PROCESS_RANGES_H
#define PROCESS_RANGES_H

#include "process/process.h"

struct range; /* NULL is an empty set */

/* The owner of changes to a tree, and the arena for new nodes. */
struct ranges_edit {
	struct arena *run;
	/* owner of new nodes.  Nodes of this owner are changed in place */
	uint32_t owner;
};

/*
 * Adds m for [m->start, m->end), and replaces earlier mappings in this range.  Returns the new
 * root.  The owner of the old root must not use the old root any more.
 */
struct range *ranges_insert(struct range *root, const struct mapping *m,
                            const struct ranges_edit *edit);

const struct mapping *ranges_find(const struct range *root, uint64_t ip);

/*
 * Returns the mapping that contains ip.  If no mapping contains ip, returns the next mapping
 * above ip, or NULL.
 */
const struct mapping *ranges_find_from(const struct range *root, uint64_t ip);

#endif

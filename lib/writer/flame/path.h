/*
 * path - converts lines of folded stacks to rows of names.
 *
 * 	main;parse;read_token 12
 *
 * Folded files are sorted, so a line usually has a common prefix with the previous line.  The
 * names in this prefix are not looked up again.  Empty names ("a;;b", or a separator at either
 * end) are dropped, so "a;;b" is "a;b".  A line that has only empty names counts for the root.
 */
#ifndef WRITER_FLAME_PATH_H
#define WRITER_FLAME_PATH_H

#include "writer/flame/rows.h"

struct path {
	struct rows *rows; /* receives the rows */
	struct interner *names;
	/* store the leaf first, so callers are drawn above the functions they call */
	bool reverse;
	bool wakers; /* append "_[w]" to frames after a frame "--" (chain graphs) */
	struct arena *arena; /* holds the tables below */
	char *last;          /* the previous line */
	size_t last_n, last_cap;
	str_id *name; /* names in the previous line, in the order of the line */
	size_t *end;  /* indexed by name: the end of its text in the previous line */
	size_t n, names_cap, ends_cap;
	str_id *turned; /* names of the line in reverse order */
	size_t turned_cap;
	char *marked; /* the line with "_[w]" after wakers */
	size_t marked_cap;
};

void path_init(struct path *p, struct rows *rows, struct interner *names,
               struct arena *arena);

/*
 * Adds a stack, root first, with the weight, series and slot of `row`.  The bytes of `line` are
 * copied.  A stack with weight 0 is ignored.
 */
void path_add(struct path *p, struct str line, struct row row);

#endif

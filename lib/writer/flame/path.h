/*
 * path - lines of folded stacks become rows of names.
 *
 *	main;parse;read_token 12
 *
 * Folded files are sorted, so a line mostly begins as the one before it did: what
 * they share is not looked up again.  Empty names ("a;;b", a ';' at either end) are
 * dropped, so "a;;b" is "a;b"; a line of nothing else counts for the root.
 */
#ifndef WRITER_FLAME_PATH_H
#define WRITER_FLAME_PATH_H

#include "writer/flame/rows.h"

struct path {
	struct rows *rows; /* what grows */
	struct interner *names;
	bool reverse;        /* leaf first: who calls a function is above it */
	bool wakers;         /* frames behind a frame "--" get "_[w]": chain graphs */
	struct arena *arena; /* holds the tables below */
	char *last;          /* the line before */
	size_t last_n, last_cap;
	str_id *name; /* of the line before, from left to right */
	size_t *end;  /* of each: bytes of the line up to there, without the ';' behind */
	size_t n, names_cap, ends_cap;
	str_id *turned; /* from right to left */
	size_t turned_cap;
	char *marked; /* the line with its wakers marked */
	size_t marked_cap;
};

void path_init(struct path *p, struct rows *rows, struct interner *names,
               struct arena *arena);

/*
 * Adds a stack, root first, and the weight, series and slot of row.  Nothing is kept of
 * line; what weighs nothing is not added.
 */
void path_add(struct path *p, struct str line, struct row row);

#endif

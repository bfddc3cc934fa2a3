/*
 * path - lines of folded stacks become paths of the tree.
 *
 *	main;parse;read_token 12
 *
 * Folded files are sorted, so a line mostly begins as the one before it did: what
 * they share is not looked up again.  Empty names ("a;;b", a ';' at either end) are
 * dropped, so "a;;b" is "a;b"; a line of nothing else counts for the root.
 */
#ifndef STACK_PATH_H
#define STACK_PATH_H

#include "base/intern.h"
#include "stack/stack.h"

struct path_step {
	size_t end; /* bytes of the line up to here, without the ';' behind */
	stack_id id;
};

struct path {
	struct stacks *stacks; /* what grows */
	struct interner *names;
	bool reverse;        /* leaf first: who calls a function is above it */
	bool chart;          /* keeps the order of the lines: only neighbours merge */
	bool wakers;         /* frames behind a frame "--" get "_[w]": chain graphs */
	struct arena *arena; /* holds the tables below */
	char *last;          /* the line before */
	size_t last_n, last_cap;
	struct path_step *step; /* of the line before */
	size_t nsteps, steps_cap;
	str_id *name; /* of this line, when it is not taken from left to right */
	size_t names_cap;
	char *marked; /* the line with its wakers marked */
	size_t marked_cap;
};

void path_init(struct path *p, struct stacks *stacks, struct interner *names,
               struct arena *arena);

/*
 * Adds a stack, root first, and its weight; returns where it ends.  Nothing is kept of
 * line.
 */
stack_id path_add(struct path *p, struct str line, uint64_t weight, uint32_t fraction);

#endif

/*
 * flame - a tree of stacks laid out as boxes.
 *
 *	|        all         |	level 0
 *	| main        | idle |	level 1
 *	| parse | run |		level 2
 *
 * A box is as wide as the weight of all stacks that go through it, and stands above
 * (or below) its caller.  Siblings are in the order of their names' bytes, so a
 * picture does not depend on the order of the input.  What is too narrow is left out,
 * and stands as one box without a name behind its siblings.
 *
 * Of several series a box is as wide as the sum of its shares of them, in units of
 * 1 / FLAME_SHARE.
 */
#ifndef WRITER_FLAME_H
#define WRITER_FLAME_H

#include "base/intern.h"
#include "writer/series.h"

enum { FLAME_SHARE = 1 << 30 };

enum box_kind {
	BOX_FRAME,
	BOX_OWN,     /* of a chart: time of the parent itself, where it stands */
	BOX_OMITTED, /* of the parent: boxes that were left out, together */
};

struct box {
	uint32_t level; /* 0: the root */
	stack_id id;    /* of a frame */
	str_id name;    /* 0: the root, and all but frames */
	enum box_kind kind;
	struct weight start; /* from the left edge */
	struct weight total;
};

struct flame_opts {
	bool chart;          /* siblings in order of appearance; see path.chart */
	struct weight total; /* width of the root, if more than what is there */
	double least;        /* share of the root below which a box is left out, 0 to 1 */
	const struct series *series;
	size_t nseries; /* 0: the weights are those of the stacks */
};

struct flame {
	struct box
	        *box; /* each before its children, from left to right; [0] is the root */
	size_t n, cap;
	size_t nframes;      /* of them, the root included */
	uint32_t levels;     /* of the boxes, 1 for the root alone */
	struct weight total; /* of the root */
	struct weight sum;   /* of the stacks: less than total when that was given */
	const struct stacks *stacks;
	const struct series *series;
	size_t nseries;
	struct weight **total_of; /* by series and stack_id, of all stacks */
	struct arena *arena;
};

/* Boxes live in arena.  No recursion: stacks may be as deep as they like. */
void flame_layout(struct flame *f, const struct stacks *s, const struct interner *names,
                  const struct flame_opts *opts, struct arena *arena);

#endif

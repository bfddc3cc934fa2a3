/*
 * flame - stacks laid out as boxes.
 *
 * 	|	all	 |  level 0
 * 	| main	| idle |  level 1
 * 	| parse | run |	 level 2
 *
 * The width of a box is the weight of all stacks that go through it.  A box is above (or below)
 * its caller.  Siblings are sorted by the bytes of their names, so a picture does not depend on
 * the order of the input.  Narrow boxes are left out, and replaced by one box without a name
 * after their siblings.  If there are too many boxes, the lightest are left out.  Boxes of equal
 * weight are all kept or all left out.
 *
 * If there are several series, the width of a box is the sum of its shares of them, or of its
 * weights times a factor for each series, in units of 1 / FLAME_SHARE of the widest series.
 *
 * Stacks come in the order of the tree, so a box is complete after its last stack.  For narrow
 * boxes, only the weights of their names are kept.
 */
#ifndef WRITER_FLAME_FLAME_H
#define WRITER_FLAME_FLAME_H

#include "writer/flame/rows.h"

enum { FLAME_SHARE = 1 << 30 };

enum box_kind {
	BOX_FRAME,
	BOX_OWN,     /* of a chart: time of the parent itself, in its place */
	BOX_OMITTED, /* of the parent: boxes that were left out, together */
};

struct box {
	uint32_t level; /* 0: the root */
	str_id name;    /* 0: the root, and all but frames */
	enum box_kind kind;
	struct weight start; /* from the left edge */
	struct weight total;
};

/* Several are tabs, or the two sides of a difference. */
struct series {
	struct str name;      /* may be empty */
	struct str unit;      /* of its weights; empty: unknown */
	struct str event;     /* empty: unknown */
	uint64_t samples;     /* number of samples in its header, or 0 */
	uint64_t duration_us; /* in its header, or 0 */
	unsigned cpus;        /* the same */
};

/* Weights of a box or name: of the stacks that end there, and of all through it. */
struct share {
	struct weight self, total;
};

/* The weight of a stack in a slot of time. */
struct slot {
	uint32_t slot;
	uint32_t box;  /* the box in which it ends */
	bool left_out; /* it ends in the box of omitted children of that box */
	struct weight weight;
};

struct flame_opts {
	bool reversed; /* stacks begin at the leaf: selves of names are at the root */
	struct weight total; /* width of the root, if it exceeds the sum */
	double least;        /* share of the root below which a box is left out, 0 to 1 */
	size_t most; /* boxes; if there are more, the lightest are left out; 0: no limit */
	const struct series *series;
	size_t nseries;       /* at least 1 */
	const double *factor; /* by series, or NULL for shares */
};

struct flame {
	/* each before its children, from left to right.  [0] is the root */
	struct box *box;
	size_t n, cap;
	size_t nframes;      /* of them, the root included */
	size_t missing;      /* frames that were left out */
	double least;        /* share of the root that all of those do not exceed */
	uint32_t levels;     /* of the boxes, 1 for the root alone */
	struct weight total; /* of the root */
	struct weight sum;   /* of the stacks: less than total when that was given */
	const struct series *series;
	size_t nseries;
	struct share *share; /* by box and series of frames */
	size_t shares_cap;
	struct share **names; /* by series and str_id, of all stacks */
	struct slot *slot;    /* of one series */
	size_t nslots, slots_cap;
	/* the greatest common divisor of self weights, or 0 */
	unsigned __int128 divisor;
	bool fractions; /* it is in billionths, as some weights have a fraction */
	struct arena *arena;
};

/*
 * Boxes live in arena.  No recursion: stacks may be as deep as they like.  names: how many
 * there are.
 */
void flame_layout(struct flame *f, struct rows *rows, size_t names,
                  const struct flame_opts *opts, struct arena *arena);

/* Weights of box i, a frame, in a series. */
static inline const struct share *flame_share(const struct flame *f, size_t i,
                                              size_t series)
{
	return &f->share[i * f->nseries + series];
}

#endif

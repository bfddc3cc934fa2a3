/*
 * flame - computes the boxes of a flame graph.
 *
 * 	|       all      |  level 0
 * 	| main  | idle |  level 1
 * 	| parse | run |  level 2
 *
 * The width of a box is the weight of all stacks through it.  A box is above (or below) its
 * caller. Siblings are sorted by the bytes of their names, so a picture does not depend on the
 * order of the input.  Narrow boxes are omitted.  A box without a name replaces them after their
 * siblings.  If there are too many boxes, the lightest are omitted.  Boxes of equal weight are
 * either all kept or all omitted.
 *
 * If there are several series, the width of a box is a sum over the series, of either its shares
 * or its weights times a factor for each series.  The unit is 1 / FLAME_SHARE of the widest
 * series.
 *
 * Stacks arrive in the order of the tree, so a box is complete after its last stack.  If a box is
 * narrow, only the weight of its name is kept.
 */
#ifndef WRITER_FLAME_FLAME_H
#define WRITER_FLAME_FLAME_H

#include "writer/flame/rows.h"

enum { FLAME_SHARE = 1 << 30 };

enum box_kind {
	BOX_FRAME,
	BOX_OWN,     /* in a chart: time in the parent's own code, in order of time */
	BOX_OMITTED, /* the sum of omitted siblings */
};

struct box {
	uint32_t level; /* 0 for the root */
	str_id name;    /* 0 for the root, and for boxes that are not frames */
	enum box_kind kind;
	struct weight start; /* distance from the left edge */
	struct weight total;
};

/* An input.  If there are several, each has a tab, or they are the two sides of a difference. */
struct series {
	struct str name;      /* may be empty */
	struct str unit;      /* empty if unknown */
	struct str event;     /* empty if unknown */
	uint64_t samples;     /* from the header, or 0 */
	uint64_t duration_us; /* from the header, or 0 */
	unsigned cpus;        /* from the header, or 0 */
};

/* Weights of a box or name.  self: stacks that end in it.  total: stacks through it. */
struct share {
	struct weight self, total;
};

/* The weight of a stack in a time slot. */
struct slot {
	uint32_t slot;
	uint32_t box;  /* the box in which the stack ends */
	bool left_out; /* the stack ends in an omitted child of `box` */
	struct weight weight;
};

struct flame_opts {
	bool reversed; /* stacks begin at the leaf, so selves of names are on level 1 */
	struct weight total; /* width of the root if greater than the sum */
	double least; /* boxes with a smaller share of the root are omitted, 0 to 1 */
	/* maximum number of boxes, or 0.  The heaviest are kept */
	size_t most;
	const struct series *series;
	size_t nseries; /* at least 1 */
	/* factor[i] multiplies weights of series i.  NULL: shares are compared */
	const double *factor;
	struct weight sum; /* for several series: the result of flame_count */
};

struct flame {
	/* boxes in preorder, from left to right.  box[0] is the root */
	struct box *box;
	size_t n, cap;
	size_t nframes;      /* number of boxes that are frames, including the root */
	size_t missing;      /* number of omitted frames */
	double least;        /* greatest share of the root that an omitted frame has */
	uint32_t levels;     /* number of levels.  The root is one */
	struct weight total; /* weight of the root */
	/* weight of all stacks, less than `total` if opts->total is greater */
	struct weight sum;
	const struct series *series;
	size_t nseries;
	struct share *share; /* indexed by box and series: weights of the boxes */
	size_t shares_cap;
	/* indexed by series and str_id: weights of the names in all stacks */
	struct share **names;
	struct slot *slot; /* weights by time if there is only one series */
	size_t nslots, slots_cap;
	/* the greatest common divisor of self weights, or 0 */
	unsigned __int128 divisor;
	bool fractions; /* divisor is in billionths: some weights have a fraction */
	struct arena *arena;
};

/*
 * Lays out the stacks of `rows`, which may have any depth.  names: number of names.  Boxes live
 * in arena.
 */
void flame_layout(struct flame *f, struct rows *rows, size_t names,
                  const struct flame_opts *opts, struct arena *arena);

/*
 * Sets only the sum and the weights of names.  For several series, call it before their factors
 * are known.
 */
void flame_count(struct flame *f, struct rows *rows, size_t names,
                 const struct flame_opts *opts, struct arena *arena);

/* Returns the weights of box i in a series.  The box must be a frame. */
static inline const struct share *flame_share(const struct flame *f, size_t i,
                                              size_t series)
{
	return &f->share[i * f->nseries + series];
}

#endif

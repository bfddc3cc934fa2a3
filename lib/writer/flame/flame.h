/*
 * flame - computes the boxes of a flame graph.
 *
 * 	|       all      |  level 0
 * 	| main  | idle |  level 1
 * 	| parse | run |  level 2
 *
 * The width of a box is the weight of all stacks that contain it.  A box is above (or below) its
 * caller.  Siblings are sorted by the bytes of their names, so a picture does not depend on the
 * order of the input.  Narrow boxes are left out.  One box without a name replaces them, and
 * follows their siblings.  If there are too many boxes, the lightest are left out.  Boxes of
 * equal weight are all kept or all left out.
 *
 * If there are several series, the width of a box is the sum of its shares of the series.  With
 * factors, the weight of the box in each series is multiplied by the factor of the series, and
 * the width is the sum of these products.  The widest series then has width FLAME_SHARE.
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
	BOX_OWN,     /* in a chart: time in which the parent runs its own code */
	BOX_OMITTED, /* sum of the siblings that were left out */
};

struct box {
	uint32_t level; /* 0: the root */
	str_id name;    /* name of a frame, or 0 */
	enum box_kind kind;
	struct weight start; /* distance from the left edge */
	struct weight total;
};

/*
 * The stacks of one input.  Several series are shown as tabs, or as the two sides of a
 * difference.
 */
struct series {
	struct str name;  /* may be empty */
	struct str unit;  /* unit of the weights, or empty if unknown */
	struct str event; /* empty: unknown */
	/* number of samples that the header of the input states, or 0 */
	uint64_t samples;
	uint64_t duration_us; /* as stated in the header of the input, or 0 */
	unsigned cpus;        /* as stated in the header of the input, or 0 */
};

/*
 * Weights of a box or name: self is the weight of all stacks that end in it, and total is the
 * weight of all stacks that contain it.
 */
struct share {
	struct weight self, total;
};

/* The weight of a stack in a time slot. */
struct slot {
	uint32_t slot;
	uint32_t box;  /* index of the box in which the stack ends */
	bool left_out; /* the stack ends in a child of `box` that was left out */
	struct weight weight;
};

struct flame_opts {
	/* stacks are merged from the leaf, so boxes on level 1 are leaves */
	bool reversed;
	struct weight total; /* width of the root, if it exceeds the sum of the weights */
	/* boxes with a smaller share of the root (0 to 1) are left out */
	double least;
	/* maximum number of boxes (the heaviest are kept), or 0 for no limit */
	size_t most;
	const struct series *series;
	size_t nseries; /* at least 1 */
	/* factor[i] multiplies weights of series i.  NULL: shares are compared */
	const double *factor;
	struct weight sum; /* if nseries > 1: the sum that flame_count set, otherwise 0 */
};

struct flame {
	/* boxes in preorder, from left to right.  box[0] is the root */
	struct box *box;
	size_t n, cap;
	size_t nframes; /* number of boxes that are frames, including the root */
	size_t missing; /* number of frames that were left out */
	/* highest share of the root that a left-out frame can have */
	double least;
	uint32_t levels;     /* number of levels, at least 1 for the root */
	struct weight total; /* weight of the root */
	/* weight of the stacks, which is less than `total` if opts->total is larger */
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
	bool fractions; /* at least one weight has a fraction, so `divisor` is in billionths */
	struct arena *arena;
};

/*
 * Lays out the stacks of `rows`, which may have any depth.  names: number of names.  Boxes live
 * in arena.
 */
void flame_layout(struct flame *f, struct rows *rows, size_t names,
                  const struct flame_opts *opts, struct arena *arena);

/* Sets only f->sum and f->names.  Used to find the factors of the series. */
void flame_count(struct flame *f, struct rows *rows, size_t names,
                 const struct flame_opts *opts, struct arena *arena);

/* Returns the weights of box i in a series.  The box must be a frame. */
static inline const struct share *flame_share(const struct flame *f, size_t i,
                                              size_t series)
{
	return &f->share[i * f->nseries + series];
}

/* Returns the greatest common divisor. */
unsigned __int128 flame_divisor(unsigned __int128 a, unsigned __int128 b);

#endif

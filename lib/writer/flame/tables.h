/*
 * tables - what the script of a picture reads (share/flame/tables.js): each in an
 * element <metadata class="...">, as text; numbers in a CDATA section, which is read faster.
 *
 *	names   a line for each name, sorted: bytes shared with the line before, sort,
 *	        shade, rest; every 64th shares none, so that one can be read without all
 *	tree    stacks, each before its children, and what ends at each
 *	extra   what names weigh in boxes that were left out
 *	slots   weights by time
 *
 * Numbers are written in digits that XML leaves alone, the lowest first: 46 that end a
 * number and 44 that do not.  Weights are multiples of what divides all of them.
 */
#ifndef WRITER_FLAME_TABLES_H
#define WRITER_FLAME_TABLES_H

#include "base/out.h"
#include "writer/flame/flame.h"
#include "writer/flame/palette.h"

/* One distinct name of the picture. */
struct shown {
	struct str text; /* safe to show */
	unsigned kinds;  /* KIND_* */
	enum sort sort;
	uint8_t group, shade;
	bool used;  /* it is in the table */
	bool fixed; /* color is no palette's */
	struct rgb color;
	uint32_t number; /* in the table of names */
};

struct tables {
	struct out *out;
	const struct flame *f;
	struct shown *shown;  /* by str_id; of those in use text to color are set */
	size_t nshown;        /* interned names */
	bool chart, reversed; /* of the stacks */
	bool by_sort;         /* the palette goes by sort alone */
	double least;         /* share, as of the layout */
	struct weight scale;  /* set: of the numbers */
	/* Private. */
	struct arena scratch;
	struct share **drawn; /* by series and str_id: names in stacks that have boxes */
	str_id *order;
	size_t used;
	unsigned __int128 divisor;
	bool fractions;
};

/* Finds the names that are used and what divides all weights; sets scale. */
void tables_begin(struct tables *t);

/* The share of a series that ends in the names in use of that sort. */
double tables_share(const struct tables *t, size_t series, enum sort sort);

/* names is what tables_begin has marked, with all else filled in. */
void tables_write(struct tables *t);

#endif

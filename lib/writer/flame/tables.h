/*
 * tables - the data for the script of a picture (share/flame/tables.js).  Each table is text in
 * an element <metadata class="...">.  Numbers use a CDATA section, which is read faster.
 *
 * 	names   a line for each name, sorted: number of bytes shared with the previous line,
 * 		sort, shade, rest.  Every 64th line shares no bytes, so a name can be read
 * 		without all earlier ones
 * 	tree    stacks, each before its children, and the weight that ends in each
 * 	extra   weights of names in boxes that were left out
 * 	slots   weights by time
 * 	verdicts  of pdiff on names, if there are any
 *
 * Numbers use digits that XML does not escape, the lowest first: 46 digits end a number and 44 do
 * not.  Weights are divided by their greatest common divisor.
 */
#ifndef WRITER_FLAME_TABLES_H
#define WRITER_FLAME_TABLES_H

#include "base/out.h"
#include "writer/flame/flame.h"
#include "writer/flame/palette.h"
#include "writer/flame/verdicts.h"

/* One distinct name of the picture. */
struct shown {
	struct str text; /* safe to show */
	unsigned kinds;  /* KIND_* */
	enum sort sort;
	uint8_t group, shade;
	bool used;  /* true if the name is in the table */
	bool fixed; /* color is not from a palette */
	struct rgb color;
	uint32_t number; /* index in the table of names */
};

struct tables {
	struct out *out;
	const struct flame *f;
	/*
	 * indexed by str_id.  The fields from `text` to `color` are set if the name is
	 * used
	 */
	struct shown *shown;
	size_t nshown;                   /* interned names */
	bool chart, reversed;            /* of the stacks */
	bool by_sort;                    /* result of palette_depends_on_sort */
	double least;                    /* flame_opts.least of the layout */
	const struct verdicts *verdicts; /* or NULL */
	struct weight scale; /* set by tables_begin: the weight that is written as 1 */
	/* Private. */
	struct arena scratch;
	/* indexed by series and str_id: weights of names in the boxes that are drawn */
	struct share **drawn;
	str_id *order;
	size_t used;
	unsigned __int128 divisor;
	bool fractions;
};

/* Finds the names that are used, and the divisor of all weights.  Sets scale. */
void tables_begin(struct tables *t);

/* Returns the share of a series that is self weight of names of that sort. */
double tables_share(const struct tables *t, size_t series, enum sort sort);

/* Begins an element of numbers.  Other modules also use it for their tables. */
void tables_open(struct tables *t, const char *name);
void tables_number(struct tables *t, uint64_t v);
void tables_close(struct tables *t);

/* Writes the names that tables_begin has marked.  All other fields must be set. */
void tables_write(struct tables *t);

#endif

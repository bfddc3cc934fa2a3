/*
 * tables - writes the data for the script of a picture (share/flame/tables.js).  Each table is
 * the text of an element <metadata class="...">.  Numbers are in a CDATA section, which browsers
 * parse faster.
 *
 * 	names   a line for each name, sorted: number of bytes shared with the previous line,
 * 		sort, shade, rest.  Every 64th line shares no bytes, so a name can be read
 * 		without all earlier ones
 * 	tree    boxes in preorder, and the self weight of each
 * 	extra   weights of names in omitted boxes
 * 	slots   weights by time
 * 	verdicts  pdiff's verdicts on names, if there are any
 *
 * Digits are characters that XML does not escape.  The lowest digit of a number is first.  The
 * last digit is one of 46 characters, and each other digit is one of 44 other characters.
 * Weights are divided by their greatest common divisor.
 */
#ifndef WRITER_FLAME_TABLES_H
#define WRITER_FLAME_TABLES_H

#include "base/out.h"
#include "writer/flame/flame.h"
#include "writer/flame/palette.h"
#include "writer/flame/verdicts.h"

/* A distinct name in the picture. */
struct shown {
	struct str text; /* displayable */
	unsigned kinds;  /* set of MARK_* */
	enum sort sort;
	uint8_t group, shade;
	bool used;  /* the table contains the name */
	bool fixed; /* the colour does not come from a palette */
	struct rgb color;
	uint32_t number; /* index in the table of names */
};

struct tables {
	struct out *out;
	const struct flame *f;
	/* indexed by str_id.  If the name is used, the fields from `text` to `color` are set */
	struct shown *shown;
	size_t nshown;                   /* number of interned names */
	bool chart, reversed;            /* as in struct svg_opts */
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

/* Finds the used names, and the divisor of all weights.  Sets scale. */
void tables_begin(struct tables *t);

/* Returns the self weight of names of this kind of code, as a share of the series' weight. */
double tables_share(const struct tables *t, size_t series, enum sort sort);

/*
 * Returns the name with the most self weight in a series.  Returns 0 if no name has self
 * weight, or if this name is not in the table of names.  Sets *share to the greatest self
 * weight of a name in this table, divided by the weight of the series.
 */
str_id tables_hottest(const struct tables *t, size_t series, double *share);

/*
 * Begin an element, add a number to it, and end it.  Other modules use these functions for their
 * own tables.
 */
void tables_open(struct tables *t, const char *name);
void tables_number(struct tables *t, uint64_t v);
void tables_close(struct tables *t);

/*
 * Writes the tables, with the names that tables_begin found.  All other fields must be set.
 */
void tables_write(struct tables *t);

#endif

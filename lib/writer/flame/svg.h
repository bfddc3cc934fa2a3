/*
 * svg - writes a flame graph as a self-contained, interactive SVG file.
 *
 * Without scripts, the file shows the widest boxes with labels and tooltips.  Scripts of
 * share/flame/ replace these by views of the tables in the file (tables.h).  Names never become
 * part of a script. The file uses no ids, so that a page can contain several pictures.
 */
#ifndef WRITER_FLAME_SVG_H
#define WRITER_FLAME_SVG_H

#include "base/out.h"
#include "writer/flame/flame.h"
#include "writer/flame/palette.h"
#include "writer/flame/places.h"
#include "writer/flame/spans.h"
#include "writer/flame/tables.h"
#include "writer/flame/verdicts.h"
#include "compare/compare.h"
#include "writer/unit.h"

enum { SVG_MARGIN = 12 /* margin in pixels to the left and right of the boxes */ };

/* The colour of a name that a file sets (flamegraph.pl --cp). */
struct fixed_color {
	bool given;
	struct rgb color;
};

/* Strings may contain any bytes. */
struct svg_opts {
	struct str title, subtitle;
	/* text for people who read the file itself */
	struct str notes;
	struct str countname; /* name of the unit, or empty */
	struct str nametype;  /* text before the name in the details, or empty */
	struct str fonttype;  /* CSS font family */
	struct str hit; /* colour of search results, "#rrggbb".  Empty: the default */
	double width;   /* in pixels */
	/* the script adapts the width to the window */
	bool fluid;
	double height;    /* height of a box in pixels */
	double fontsize;  /* in pixels */
	double fontwidth; /* width of a character, as a multiple of fontsize */
	const struct palette *palette;
	enum palette_shading shading;
	const struct fixed_color *fixed; /* indexed by str_id, or NULL */
	/*
	 * "yellow", "blue", "green", "grey" or "#rrggbb".  Empty: white, or dark if the
	 * reader prefers dark pages
	 */
	struct str background;
	bool inverted;  /* put the root at the top */
	bool chart;     /* keep the boxes in the order of the input */
	bool reversed;  /* stacks start at the leaf */
	bool cut_right; /* truncate labels only at the end */
	double factor;  /* multiplier of displayed counts */
	double least;   /* boxes with a smaller share were omitted */
	struct unit unit;
	bool diff;                 /* the two series are the sides of a difference */
	bool negate;               /* red means less, and blue means more */
	struct comparison compare; /* comparison of the two series */
	double threshold;          /* ignore changes below this share of the whole */
	/* verdicts on names, or NULL.  Names without a verdict are grey */
	const struct verdicts *verdicts;
	bool timed;                /* stacks have time slots */
	unsigned per_second;       /* number of slots in a second */
	const struct spans *spans; /* marks, or NULL */
	struct places places;      /* origins of names */
	bool page;                 /* write an HTML page around the picture */
	/* for fuzzing: omit script, style and palettes, which never change */
	bool no_code;
};

/* Returns true if opts.background may have this value. */
bool svg_is_background(struct str name);

/* Returns true for "#rrggbb". */
bool svg_is_color(struct str name);

/* Returns the width of the root box in pixels. */
static inline double svg_plot_width(const struct svg_opts *opts)
{
	return opts->width > 2 * SVG_MARGIN + 1 ? opts->width - 2 * SVG_MARGIN : 1;
}

/* Writes a picture of f, which must have a series.  out->error is set after an error. */
void svg_write(struct out *out, const struct flame *f, const struct interner *names,
               const struct svg_opts *opts);

#endif

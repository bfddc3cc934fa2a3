/*
 * svg - writes a flame graph as a self-contained, interactive SVG file.
 *
 * Without scripts it shows the widest boxes with their labels and tooltips.  The scripts of
 * share/flame/ replace these boxes by views of the tables in the file (tables.h).  Names are
 * always text, never script.  The file uses no ids, so a page can contain several pictures.
 */
#ifndef WRITER_FLAME_SVG_H
#define WRITER_FLAME_SVG_H

#include "writer/flame/flame.h"
#include "writer/flame/palette.h"
#include "writer/flame/places.h"
#include "writer/flame/spans.h"
#include "writer/flame/tables.h"
#include "writer/flame/verdicts.h"
#include "compare/compare.h"
#include "writer/unit.h"

enum { SVG_MARGIN = 12 /* margin in pixels to the left and right of the boxes */ };

/* The colour that palette.map sets for a name (flamegraph.pl --cp). */
struct fixed_color {
	bool given;
	struct rgb color;
};

/* Strings may contain any bytes. */
struct svg_opts {
	struct str title, subtitle;
	/* text for people who read the source of the file */
	struct str notes;
	struct str countname; /* the name of the unit, or empty */
	/* text that precedes the name of a box in the details, or empty */
	struct str nametype;
	struct str fonttype; /* a CSS font family */
	/* colour of search results, "#rrggbb", or empty for the default */
	struct str hit;
	double width; /* pixels */
	/* true if the script makes the picture as wide as the window */
	bool fluid;
	double height;    /* height of a box in pixels */
	double fontsize;  /* pixels */
	double fontwidth; /* width of a character, as a share of fontsize */
	const struct palette *palette;
	enum palette_shading shading;
	const struct fixed_color *fixed; /* indexed by str_id, or NULL */
	/*
	 * "yellow", "blue", "green", "grey", "#rrggbb", or empty.  Empty is white, or
	 * dark if the browser prefers a dark background
	 */
	struct str background;
	bool inverted;  /* the root is at the top */
	bool chart;     /* boxes are in the order of the input */
	bool reversed;  /* stacks are merged from the leaf */
	bool cut_right; /* labels are cut only at their end */
	double factor;  /* multiplies the displayed counts */
	double least;   /* boxes with a smaller share of the root were left out */
	struct unit unit;
	bool diff;   /* draw a difference: series 0 is before and series 1 is after */
	bool negate; /* red is less, blue is more */
	struct comparison compare; /* unit and factor for comparing the two series */
	double threshold;          /* changes below this share of the root are ignored */
	/* verdicts on names, or NULL.  Changes of names without a verdict are grey */
	const struct verdicts *verdicts;
	bool timed;                /* stacks have slots of time */
	unsigned per_second;       /* slots per second */
	const struct spans *spans; /* marked times, or NULL */
	struct places places;      /* modules, files and lines of names */
	bool page;                 /* write a page of HTML that contains the SVG */
	/* for fuzzing: omit the script, the style and the palettes */
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

/*
 * Writes a picture of f, which must have at least one series.  Write errors are stored in out.
 */
void svg_write(struct out *out, const struct flame *f, const struct interner *names,
               const struct svg_opts *opts);

#endif

/*
 * svg - a flame graph as one self-contained, interactive SVG file.
 *
 * Without scripts it is a picture: the widest boxes, their labels, a tooltip each.
 * With scripts, share/flame/flame.js replaces these by what the window shows at the
 * time, from two tables in the file (<metadata>): the names, and the boxes as
 * numbers.  Names are text everywhere, never script.  Nothing is referred to by id,
 * so several pictures can stand in one page.
 */
#ifndef WRITER_SVG_H
#define WRITER_SVG_H

#include "base/out.h"
#include "writer/flame.h"
#include "writer/palette.h"

/* Strings may hold any bytes. */
struct svg_opts {
	struct str title, subtitle;
	struct str notes;     /* for whoever reads the file; not shown */
	struct str countname; /* "samples" */
	struct str nametype;  /* stands before the name in the details; may be empty */
	struct str fonttype;  /* a CSS font family */
	double width;         /* pixels */
	bool fluid;           /* with scripts, as wide as the window */
	double height;        /* of a box, pixels */
	double fontsize;      /* pixels */
	double fontwidth;     /* of a character, as a share of fontsize */
	const struct palette *palette;
	bool by_start;         /* names that begin alike get like colours */
	struct str background; /* "yellow", "blue", "green", "grey", "#rrggbb"; empty:
	                          white, and dark where the reader prefers that */
	bool inverted;         /* the root is at the top */
	bool cut_right;        /* labels are cut at their end only */
	double factor;         /* counts are multiplied by it when shown */
};

/* True when it is a colour for opts.background. */
bool svg_is_background(struct str name);

/* Width of the boxes' area: what a width of 100 % is in pixels. */
double svg_plot_width(const struct svg_opts *opts);

/* Errors are in out. */
void svg_write(struct out *out, const struct flame *f, const struct interner *names,
               const struct svg_opts *opts);

#endif

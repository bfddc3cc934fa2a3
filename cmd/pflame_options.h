/* pflame_options - the options of pflame; private to pflame.c. */
#ifndef CMD_PFLAME_OPTIONS_H
#define CMD_PFLAME_OPTIONS_H

#include "cmd.h"
#include "writer/flame/colormap.h"
#include "writer/flame/svg.h"

#define PFLAME_COLORS_FILE "palette.map"

struct pflame {
	struct svg_opts svg;
	struct weight total;
	double minwidth;  /* negative: not given */
	double boxes;     /* negative: not given */
	double threshold; /* negative: not given */
	bool percent;     /* is minwidth's unit */
	enum compare_unit unit;
	bool reverse, chart, diff, keep_colors, colors_loaded;
	/* colors from palette.map and from the pictures that were drawn */
	struct colormap colors;
	struct arena arena;
	struct str *base;
	size_t nbase, base_cap;
};

/* The table of options. */
extern const struct cmd_tool pflame_options_tool;

#endif

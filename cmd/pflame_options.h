/* pflame_options - parses the options of pflame.  Private to pflame.c. */
#ifndef CMD_PFLAME_OPTIONS_H
#define CMD_PFLAME_OPTIONS_H

#include "cmd.h"
#include "writer/flame/colormap.h"
#include "writer/flame/svg.h"

#define PFLAME_COLORS_FILE "palette.map"

struct pflame {
	struct svg_opts svg;
	struct weight total;
	double minwidth;  /* negative if not given */
	double boxes;     /* negative if not given */
	double threshold; /* negative if not given */
	bool percent;     /* minwidth is in percent */
	enum compare_unit unit;
	bool reverse, chart, diff, keep_colors, colors_loaded;
	/* colours from palette.map, and from earlier pictures */
	struct colormap colors;
	struct arena arena;
	struct str *base;
	size_t nbase, base_cap;
};

/* The table of options. */
extern const struct cmd_tool pflame_options_tool;

#endif

/* help - what --help prints of the options that a filter takes; private to options.c. */
#ifndef CMD_HELP_H
#define CMD_HELP_H

#include "cmd.h"

/* The options of a filter in the order of --help=all: its own, then the common ones. */
struct help {
	const struct cmd_tool *tool;
	const struct cmd_option *const *all;
	size_t n;
};

/*
 * arg is that of --help: NULL prints the options that are needed most, on one screen; "all"
 * prints all of them; "table" a line for each, with tabs between letter, name, argument, the
 * words it may be, and text: the completions are made of it.  -1: another word, reported.
 */
int help_print(const struct help *h, struct cmd *c, const char *arg);

#endif

/* help - prints the options of a filter for --help.  Private to options.c. */
#ifndef CMD_HELP_H
#define CMD_HELP_H

#include "cmd.h"

/* The options of a filter in the order of --help=all: its own options, then common ones. */
struct help {
	const struct cmd_tool *tool;
	const struct cmd_option *const *all;
	size_t n;
};

/*
 * Prints help.  arg is the argument of --help.  NULL: the usual options, on one screen.  "all":
 * all options.  "table": a line for each option, with letter, name, argument, allowed words and
 * text, separated by tabs.  Shell completions are made from this table.  For other arguments,
 * reports an error and returns -1.
 */
int help_print(const struct help *h, struct cmd *c, const char *arg);

#endif

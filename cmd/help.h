/* help - prints the options of a filter for --help; private to options.c. */
#ifndef CMD_HELP_H
#define CMD_HELP_H

#include "cmd.h"

/* The options of a filter in the order of --help=all: first its own, then the common ones. */
struct help {
	const struct cmd_tool *tool;
	const struct cmd_option *const *all;
	size_t n;
};

/*
 * Prints the help for the argument of --help.  NULL prints the usual options on one screen, and
 * "all" prints all options.  "table" prints a line for each option, from which the completions
 * are made: letter, name, argument, allowed words, and text, separated by tabs.  Returns -1 after
 * a report for other arguments.
 */
int help_print(const struct help *h, struct cmd *c, const char *arg);

#endif

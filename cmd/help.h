/* help - prints the options of a filter for --help; private to options.c. */
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
 * Prints the help for the argument of --help: NULL prints the usual options, on one screen, "all"
 * prints all of them, and "table" prints a line for each option, with tabs between letter, name,
 * argument, possible words, and text, from which the completions are made.  Returns -1 after a
 * report for other arguments.
 */
int help_print(const struct help *h, struct cmd *c, const char *arg);

#endif

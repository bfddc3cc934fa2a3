/* options - the options that the filters share; private to cmd.c. */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include "cmd.h"

/*
 * Sets c's fields, and by the filter's `set` its own.  1: go on, optind is the first operand.
 * 0: --help or --version was printed.  -1: reported.
 */
int options_parse(struct cmd *c, void *ctx, int argc, char **argv);

#endif

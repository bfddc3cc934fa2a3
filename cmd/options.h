/* options - parses the common options of the filters.  Private to cmd.c. */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include "cmd.h"

/*
 * Parses the command line.  Sets fields of c, and passes the filter's own options to `set`.
 * Returns 1 with optind at the first operand, 0 if --help or --version was printed, or -1 after
 * it has reported an error.
 */
int options_parse(struct cmd *c, void *ctx, int argc, char **argv);

#endif

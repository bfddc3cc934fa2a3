/* options - the common options of the filters; private to cmd.c. */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include "cmd.h"

/*
 * Parses the command line.  Sets the fields of c, and uses `set` for the filter's own options.
 * Returns 1 if optind is at the first operand, 0 if --help or --version was printed, and -1 after
 * a report.
 */
int options_parse(struct cmd *c, void *ctx, int argc, char **argv);

#endif

/* options - parses the common options of the filters, and words that options accept. */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include "cmd.h"

/*
 * Parses the command line.  Sets fields of c, and passes the filter's own options to `set`.
 * Returns 1 with optind at the first operand, 0 if --help or --version was printed, or -1 after
 * it has reported an error.
 */
int options_parse(struct cmd *c, void *ctx, int argc, char **argv);

/* Returns the index of `arg` among the words that the option accepts, or -1. */
int options_word(const struct cmd_words *words, const char *option, const char *arg);

#endif

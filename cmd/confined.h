/*
 * confined - restricts a filter after its options are read; private to cmd.c, except
 * confined_output.
 */
#ifndef CMD_CONFINED_H
#define CMD_CONFINED_H

#include "cmd.h"

/* Returns -1 after a report. */
int confined_enter(struct cmd *c, void *ctx);

/* Allows cmd_open_file to create path once, without further writing to its directory. */
void confined_output(struct cmd *c, struct confine *to, const char *path);

#endif

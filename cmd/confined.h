/*
 * confined - what a filter may still do once its options are read; private to cmd.c, but for
 * confined_output.
 */
#ifndef CMD_CONFINED_H
#define CMD_CONFINED_H

#include "cmd.h"

/* -1: it failed, reported. */
int confined_enter(struct cmd *c, void *ctx);

/* Allows cmd_open_file to put a file at path, once; its directory is not written otherwise. */
void confined_output(struct cmd *c, struct confine *to, const char *path);

#endif

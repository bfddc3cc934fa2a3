/*
 * confined - the rights of a filter once its options are read.  Private to cmd.c and kept.c.
 */
#ifndef CMD_CONFINED_H
#define CMD_CONFINED_H

#include "cmd.h"
#include "reader/ctf/ctf_stream.h"

/* Returns -1, after a report, on failure, or if --confine=must lacks a layer. */
int confined_enter(struct cmd *c, void *ctx);

/* The same for a worker that reads CTF, which is allowed even less. */
void confined_worker(const struct ctf_order *order);

#endif

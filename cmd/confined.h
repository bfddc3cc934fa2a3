/*
 * confined - reduces the rights of a filter after its options were read.  Private to cmd.c and
 * kept.c.
 */
#ifndef CMD_CONFINED_H
#define CMD_CONFINED_H

#include "cmd.h"
#include "reader/ctf/ctf_stream.h"

/*
 * Confines the filter.  Returns -1 after a report if that fails, or if --confine=must lacks a
 * layer.
 */
int confined_enter(struct cmd *c, void *ctx);

/* Confines a worker that reads CTF.  It gets even fewer rights. */
void confined_worker(const struct ctf_order *order);

#endif

/*
 * confined - drops the rights of a filter after its options were read.  Private to cmd.c, kept.c
 * and makers.c.
 */
#ifndef CMD_CONFINED_H
#define CMD_CONFINED_H

#include "cache/order.h"
#include "cmd.h"
#include "reader/ctf/ctf_stream.h"

/*
 * Confines the filter.  If this fails, or if --confine=must is given and a layer is missing,
 * reports this and returns -1.
 */
int confined_enter(struct cmd *c, void *ctx);

/* Confines a worker that reads CTF, which needs even fewer rights. */
void confined_worker(const struct ctf_order *order);

/* Confines a maker to the files in its order.  channel: its connection to the keeper. */
void confined_maker(const struct order *order, int channel);

#endif

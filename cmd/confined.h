/*
 * confined - after the options are parsed, drops the rights that a filter does not need.  Private
 * to cmd.c, kept.c and makers.c.
 */
#ifndef CMD_CONFINED_H
#define CMD_CONFINED_H

#include "cache/order.h"
#include "cmd.h"
#include "reader/ctf/ctf_stream.h"

/*
 * Confines the filter.  Returns -1 after a report if that fails, or if --confine=must is given
 * and a layer is not active.
 */
int confined_enter(struct cmd *c, void *ctx);

/* Confines a worker that reads CTF.  It keeps fewer rights than the filter. */
void confined_worker(const struct ctf_order *order);

/* Confines a maker to the files of its order.  `channel` is its socket to the keeper. */
void confined_maker(const struct order *order, int channel);

#endif

/*
 * prescan - the passes over the profile before the first name, which bind maps, images and
 * recorded texts to processes.  Private to symbol/.
 */
#ifndef SYMBOL_PRESCAN_H
#define SYMBOL_PRESCAN_H

#include "symbol/profile_private.h"

/* Comes back to the first event. */
void prescan_run(struct profile *p);

#endif

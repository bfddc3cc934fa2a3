/*
 * prescan - reads the profile before the first frame is named, to bind maps, images and recorded
 * texts to processes.  Private to symbol/.
 */
#ifndef SYMBOL_PRESCAN_H
#define SYMBOL_PRESCAN_H

#include "symbol/profile_private.h"

/* Makes all passes, and returns to the first event. */
void prescan_run(struct profile *p);

/* Reads through the profile to count its events. */
void prescan_count(struct profile *p);

#endif

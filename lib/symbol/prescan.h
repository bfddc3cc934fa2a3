/*
 * prescan - the passes over the profile before the first name, which bind maps, images and
 * recorded texts to processes.  Private to symbol/.
 */
#ifndef SYMBOL_PRESCAN_H
#define SYMBOL_PRESCAN_H

#include "symbol/profile_private.h"

/* Makes the passes.  Then the profile is at its first event again. */
void prescan_run(struct profile *p);

/* Reads through the profile to count its events. */
void prescan_count(struct profile *p);

#endif

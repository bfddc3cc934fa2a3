/*
 * prescan - looks through the profile before the first name is given, and binds maps, images
 * and recorded texts to processes; private to symbol/.
 */
#ifndef SYMBOL_PRESCAN_H
#define SYMBOL_PRESCAN_H

#include "symbol/profile_private.h"

/* Comes back to the first event. */
void prescan_run(struct profile *p);

#endif

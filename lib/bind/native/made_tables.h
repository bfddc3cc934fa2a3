/*
 * made_tables - makes cache entries that a confined program has requested (cache/order.h).  An
 * entry contains the functions of ELF files, or data from the DWARF of these files.
 */
#ifndef BIND_NATIVE_MADE_TABLES_H
#define BIND_NATIVE_MADE_TABLES_H

#include "base/arena.h"
#include "base/budget.h"
#include "cache/order.h"

/* Returns true if made_tables can make entries of this kind. */
bool made_tables_kind(char kind);

/* Makes the cache entry that o requests.  o contains file descriptors of the files to read. */
void made_tables(struct cache *c, const struct order *o, struct budget *budget,
                 struct arena *a);

#endif

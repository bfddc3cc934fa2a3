/*
 * made_tables - makes entries of the cache that a confined program ordered (cache/order.h):
 * the functions of ELF files, and their DWARF.
 */
#ifndef BIND_NATIVE_MADE_TABLES_H
#define BIND_NATIVE_MADE_TABLES_H

#include "base/arena.h"
#include "base/budget.h"
#include "cache/order.h"

/* Returns true for the kinds of these entries. */
bool made_tables_kind(char kind);

/* Makes the entry from the descriptors of its files. */
void made_tables(struct cache *c, const struct order *o, struct budget *budget,
                 struct arena *a);

#endif

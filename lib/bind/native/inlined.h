/*
 * inlined - the functions that were inlined at an address, and source lines, from DWARF.  Private
 * to bind/.
 */
#ifndef BIND_NATIVE_INLINED_H
#define BIND_NATIVE_INLINED_H

#include "bind/bind.h"

/*
 * Returns true if there is an ELF file with DWARF of m.  m may be NULL.  Symbols are not read.
 */
bool inlined_is_known(struct binder *b, const struct mapping *m);

/* Returns the functions at q, innermost first, as bind_places does, or 0. */
size_t inlined_find(struct binder *b, const struct bind_query *q, struct dwarf_place *out,
                    size_t max);

/* Reports the files of split debug information that were not found. */
void inlined_report(const struct binder *b);

/* Writes the tables to the cache, and closes the DWARF of all files. */
void inlined_close(struct binder *b);

#endif

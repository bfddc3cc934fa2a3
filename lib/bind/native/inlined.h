/* inlined - finds inlined functions and source lines in DWARF.  Private to bind/. */
#ifndef BIND_NATIVE_INLINED_H
#define BIND_NATIVE_INLINED_H

#include "bind/bind.h"

/* Returns true if an ELF file of m has DWARF.  m may be NULL.  Does not read symbols. */
bool inlined_is_known(const struct binder *b, const struct mapping *m);

/* Finds the functions at q, innermost first, for bind_places.  Returns their number, or 0. */
size_t inlined_find(const struct binder *b, const struct bind_query *q,
                    struct dwarf_place *out, size_t max);

/* Implements bind_visit_places. */
void inlined_visit(const struct binder *b, const struct bind_query *q, bool all);

/* Reports missing files with split debug data. */
void inlined_report(const struct binder *b);

/*
 * Writes to the cache the functions and lines that were read.  Closes the DWARF of all files.
 */
void inlined_close(struct binder *b);

#endif

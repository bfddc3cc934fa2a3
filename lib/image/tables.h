/* tables - names of items for entries of the cache, which contain their tables. */
#ifndef IMAGE_TABLES_H
#define IMAGE_TABLES_H

#include "image/locate.h"

/*
 * Sets the name of an entry that describes items that were read.  Elements of `it` may be
 * NULL.  If all items are files of this machine, the entry has this kind, else the kind in
 * capitals.  Returns false if the items cannot be identified.
 */
bool tables_name(const struct locator *l, struct item *const *it, size_t n, char kind,
                 struct cache_name *out);

/* Orders the entry for these items (cache/order.h). */
void tables_order(const struct locator *l, struct item *const *it, size_t n,
                  const struct cache_name *name, struct str list);

#endif

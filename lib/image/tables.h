/* tables - determines the names of cache entries that contain tables of items. */
#ifndef IMAGE_TABLES_H
#define IMAGE_TABLES_H

#include "image/locate.h"

/*
 * Sets the name of a cache entry for items that were read.  Elements of `it` may be NULL.  If not
 * all items are files of this machine, the kind in the name is a capital letter.  Returns false
 * if the items cannot be identified.
 */
bool tables_name(const struct locator *l, struct item *const *it, size_t n, char kind,
                 struct cache_name *out);

/* Sends an order to make the entry for these items (cache/order.h). */
void tables_order(const struct locator *l, struct item *const *it, size_t n,
                  const struct cache_name *name, struct str list);

#endif

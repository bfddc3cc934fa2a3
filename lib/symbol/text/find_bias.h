/*
 * find_bias - finds the load address of a module, if a text prints run-time addresses and has no
 * mappings.  Private to symbol/.
 *
 * A loader moves a file by whole pages, and the .NET runtime moves an image by multiples of 64
 * KiB.  So there are a few thousand possible places.  Return addresses follow calls only at the
 * right place.  For images before .NET 9, perfinfo has the place.
 */
#ifndef SYMBOL_TEXT_FIND_BIAS_H
#define SYMBOL_TEXT_FIND_BIAS_H

#include "symbol/session.h"

struct sought;

/* Modules with unknown places.  If all bytes except s are zero, the list is empty. */
struct find_bias {
	struct session *s;
	struct sought *of;
	size_t n, cap;
	struct table index; /* (module, pid) -> index + 1 of the last place in `of` */
};

/*
 * Notes an address of pid in module that cannot be placed otherwise.  caller: the address is a
 * return address.
 */
void find_bias_note(struct find_bias *b, int32_t pid, str_id module, uint64_t ip,
                    bool caller);

/* Finds the place of each noted module. */
void find_bias_search(struct find_bias *b);

/* Returns the mapping of module that contains ip, or NULL if its place was not found. */
const struct mapping *find_bias_mapping(const struct find_bias *b, int32_t pid,
                                        str_id module, uint64_t ip);

/*
 * Returns true if the result of a search is certain.  At a wrong place, one address in fifteen
 * follows a call.  The chance that all `addresses` follow calls at one of `places` wrong places
 * must be below one percent.
 */
bool find_bias_is_certain(size_t places, size_t addresses);

#endif

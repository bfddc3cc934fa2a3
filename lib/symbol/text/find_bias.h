/*
 * find_bias - the load address of a module, if a text prints run-time addresses and there is no
 * mapping.  Private to symbol/.
 *
 * A loader moves a file by whole pages, the .NET runtime an image by 64 KiB.  Among the few
 * thousand remaining places, return addresses follow calls only at the right one.  For images
 * before .NET 9 perfinfo has the place.
 */
#ifndef SYMBOL_TEXT_FIND_BIAS_H
#define SYMBOL_TEXT_FIND_BIAS_H

#include "symbol/session.h"

struct sought;

/* Modules with an unknown place.  All zero except for s is empty. */
struct find_bias {
	struct session *s;
	struct sought *of;
	size_t n, cap;
	struct table index; /* (module, pid) -> index of `of` + 1 */
};

/*
 * Adds an address of pid in module that cannot be placed otherwise.  caller: it is a return
 * address.
 */
void find_bias_note(struct find_bias *b, int32_t pid, str_id module, uint64_t ip,
                    bool caller);

/* Looks for the place of each module that was noted. */
void find_bias_search(struct find_bias *b);

/* Returns the mapping of module that contains ip, if its place was found, or NULL. */
const struct mapping *find_bias_mapping(const struct find_bias *b, int32_t pid,
                                        str_id module, uint64_t ip);

/*
 * At a wrong place, one address in fifteen follows a call.  Returns true if the chance that one
 * of so many places lets all of so few addresses follow calls is below one percent.
 */
bool find_bias_is_certain(size_t places, size_t addresses);

#endif

/*
 * find_bias - where a module lay of which a text prints run-time addresses, when no mapping
 * tells it; private to symbol/.
 *
 * A loader moves a file by whole pages, the .NET runtime an image by 64 KiB: of the few
 * thousand places that leaves, return addresses follow calls in one alone.  For images
 * before .NET 9 perfinfo tells the place.
 */
#ifndef SYMBOL_TEXT_FIND_BIAS_H
#define SYMBOL_TEXT_FIND_BIAS_H

#include "symbol/session.h"

struct sought;

/* Modules whose place is looked for; all zero but s: none. */
struct find_bias {
	struct session *s;
	struct sought *of;
	size_t n, cap;
	struct table index; /* (module, pid) -> index of `of` + 1 */
};

/* An address of pid in module, which nothing else places; caller: it is a return address. */
void find_bias_note(struct find_bias *b, int32_t pid, str_id module, uint64_t ip,
                    bool caller);

/* Looks for the place of each module that was noted. */
void find_bias_search(struct find_bias *b);

/* The mapping of module that holds ip, if its place was found; or NULL. */
const struct mapping *find_bias_mapping(const struct find_bias *b, int32_t pid,
                                        str_id module, uint64_t ip);

/*
 * One address in fifteen follows a call where the file does not lie: would so many places
 * hold one where all of so few addresses follow calls in less than one of a hundred cases?
 */
bool find_bias_is_certain(size_t places, size_t addresses);

#endif

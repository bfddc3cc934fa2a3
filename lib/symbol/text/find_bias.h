/*
 * find_bias - finds the load address of a module if a text prints run-time addresses but no
 * mappings.  Private to symbol/.
 *
 * A loader moves an ELF file by whole pages, and the .NET runtime moves an image by multiples of
 * 64 KiB.  So only a few thousand load addresses are possible.  At the right load address, and
 * only there, all return addresses of the text follow call instructions.  For images before .NET
 * 9, perfinfo contains the load address.
 */
#ifndef SYMBOL_TEXT_FIND_BIAS_H
#define SYMBOL_TEXT_FIND_BIAS_H

#include "symbol/session.h"

struct sought;

/* The modules with unknown load addresses.  If all bytes except s are zero, the list is empty. */
struct find_bias {
	struct session *s;
	struct sought *of;
	size_t n, cap;
	/* (module, pid) -> index + 1 of the pair's newest element in `of` */
	struct table index;
};

/*
 * Notes an address in a module with an unknown load address.  caller: the address is a return
 * address.
 */
void find_bias_note(struct find_bias *b, int32_t pid, str_id module, uint64_t ip,
                    bool caller);

/* Finds the load address of each noted module. */
void find_bias_search(struct find_bias *b);

/* Returns the mapping of module that contains ip, or NULL if its load address was not found. */
const struct mapping *find_bias_mapping(const struct find_bias *b, int32_t pid,
                                        str_id module, uint64_t ip);

/*
 * Returns true if the result of a search is certain.  places: number of load addresses that
 * were tried.  addresses: number of return addresses.  A random address follows a call with
 * probability 1/15, so a wrong load address passes with probability (1/15)^addresses.  The
 * result is certain if the probability that any wrong load address passes is below one percent.
 */
bool find_bias_is_certain(size_t places, size_t addresses);

#endif

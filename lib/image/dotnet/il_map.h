/*
 * il_map - a table that assigns offsets in the IL of a method to offsets in its native
 * code.
 */
#ifndef IMAGE_DOTNET_IL_MAP_H
#define IMAGE_DOTNET_IL_MAP_H

#include "base/arena.h"

/* Values of il_entry.il that are not offsets. */
enum {
	IL_NONE = -1, /* code that the compiler added */
	IL_PROLOG = -2,
	IL_EPILOG = -3,
};

struct il_entry {
	uint32_t native; /* offset of the first byte in the code of the method */
	int32_t il;
};

/* Entries ascend by native offset.  If several have one offset, the last one is used. */
struct il_map {
	const struct il_entry *entry;
	size_t n;
};

/*
 * Reads the event MethodILToNativeMap of .NET: `il` and `native` have a 32-bit number
 * for each entry.  Sorts the entries.
 */
struct il_map il_map_of_event(struct str il, struct str native, struct arena *a);

/*
 * Sets *il to the offset in the IL for the byte at a native offset, or to IL_PROLOG.  Returns
 * false if no entry has the byte, or if the compiler added this code.
 */
bool il_map_find(const struct il_map *map, uint64_t native, int32_t *il);

#endif

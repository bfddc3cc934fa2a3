/* il_map - maps offsets in the native code of a method to offsets in its IL. */
#ifndef IMAGE_DOTNET_IL_MAP_H
#define IMAGE_DOTNET_IL_MAP_H

#include "base/arena.h"

/* Values of il_entry.il that do not represent an offset. */
enum {
	IL_NONE = -1, /* code without IL, added by the compiler */
	IL_PROLOG = -2,
	IL_EPILOG = -3,
};

struct il_entry {
	uint32_t native; /* offset in the native code of the method */
	int32_t il;
};

/*
 * Entries are sorted by native offset.  If several have the same offset, the last entry is used.
 */
struct il_map {
	const struct il_entry *entry;
	size_t n;
};

/*
 * Reads the event MethodILToNativeMap of .NET.  `il` and `native` contain one 32-bit number for
 * each entry.  Sorts the entries.
 */
struct il_map il_map_of_event(struct str il, struct str native, struct arena *a);

/*
 * Sets *il to the IL offset of the byte at a native offset, or to IL_PROLOG.  Returns false if no
 * entry contains the byte, or if the compiler added the code.
 */
bool il_map_find(const struct il_map *map, uint64_t native, int32_t *il);

#endif

/* clr_lines - lists the code that .NET compiled or loaded at run time, from a nettrace. */
#ifndef IMAGE_DOTNET_CLR_LINES_H
#define IMAGE_DOTNET_CLR_LINES_H

#include "image/dotnet/il_map.h"

/* An assembly, with the PDB that its compiler wrote. */
struct clr_assembly {
	struct str image, pdb; /* paths */
	struct str guid;       /* GUID of the PDB, or empty */
};

struct clr_code {
	uint64_t start; /* ip */
	/* time when the code was made, or 0 if it is older than the trace */
	uint64_t time_ns;
	uint32_t method; /* row of the MethodDef table */
	const struct clr_assembly *assembly;
	/* used by il_map_of_event.  Empty for precompiled code */
	struct str il, native;
};

struct clr_lines {
	struct clr_code *code; /* sorted by start, then by time */
	size_t n, cap;
};

/* Sorts the code.  Call it once, after all code was added. */
void clr_lines_sort(struct clr_lines *t);

/*
 * Returns the newest code that begins at start and existed at time_ns.  If no code existed at
 * that time, returns the first code that was made later.  Returns NULL if no code begins at
 * start.
 */
const struct clr_code *clr_lines_find(const struct clr_lines *t, uint64_t start,
                                      uint64_t time_ns);

#endif

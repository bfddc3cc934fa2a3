/*
 * clr_lines - the methods of code that .NET made or loaded at run time, from a nettrace.
 */
#ifndef IMAGE_DOTNET_CLR_LINES_H
#define IMAGE_DOTNET_CLR_LINES_H

#include "image/dotnet/il_map.h"

/* An assembly, with the PDB that was written when it was compiled. */
struct clr_assembly {
	struct str image, pdb; /* paths */
	struct str guid;       /* of the PDB, or empty */
};

struct clr_code {
	uint64_t start;   /* ip */
	uint64_t time_ns; /* 0 if the code existed before the trace */
	uint32_t method;  /* row of MethodDef */
	const struct clr_assembly *assembly;
	struct str il, native; /* for il_map_of_event.  Empty for precompiled code */
};

struct clr_lines {
	struct clr_code *code; /* by start, then by time */
	size_t n, cap;
};

void clr_lines_add(struct clr_lines *t, struct arena *a, const struct clr_code *code);

/* Sorts the code.  Call it once, after the last clr_lines_add. */
void clr_lines_sort(struct clr_lines *t);

/*
 * Returns the code that begins at start: the newest code that existed at time_ns, or else the
 * first code that was made later.  Returns NULL if no code begins there.
 */
const struct clr_code *clr_lines_find(const struct clr_lines *t, uint64_t start,
                                      uint64_t time_ns);

#endif

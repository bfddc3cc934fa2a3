/* r2r_name - makes the names of precompiled methods. */
#ifndef IMAGE_DOTNET_R2R_NAME_H
#define IMAGE_DOTNET_R2R_NAME_H

#include "image/dotnet/r2r.h"

enum r2r_spelling {
	R2R_AS_JIT, /* the runtime's spelling in perf maps and jitdumps */
	R2R_AS_MAP, /* crossgen2's spelling in an r2rmap */
};

/*
 * Returns the name of code range `index`, in `a`.  The name is never empty.  If another assembly is
 * missing, the name is incomplete, and r2r_lacking counts it.
 */
struct str r2r_name(struct r2r *r, size_t index, struct arena *a, enum r2r_spelling how);

/* The definition of a method, in the image itself or in another assembly. */
struct r2r_definition {
	const struct metadata *md;
	bool own;     /* md belongs to the image itself */
	uint32_t row; /* row of MethodDef */
};

/*
 * Sets *out to the definition of the method of code range `index`.  Returns false if the assembly
 * with the definition is missing.
 */
bool r2r_name_definition(struct r2r *r, size_t index, struct r2r_definition *out);

#endif

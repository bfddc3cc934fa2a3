/*
 * r2r_modules - finds the assemblies to which a ReadyToRun image refers.  Private to
 * image/dotnet/.
 */
#ifndef IMAGE_DOTNET_R2R_MODULES_H
#define IMAGE_DOTNET_R2R_MODULES_H

#include "image/dotnet/r2r_private.h"

/* An assembly.  md is NULL if only its name is known. */
struct clr_module {
	struct str name;
	struct metadata *md;
};

/* A module that signatures refer to by number. */
struct r2r_slot {
	struct clr_module module;
	const unsigned char *mvid; /* NULL if the image does not contain this MVID */
	bool looked;               /* md was requested */
};

/* Numbers the modules.  mvids: the MVIDs that the image contains, 16 bytes each. */
void r2r_modules_open(struct r2r *r, struct str mvids);

/* Sets *out to the module with that number.  Returns false if the number is invalid. */
bool r2r_modules_get(struct r2r *r, uint32_t slot, struct clr_module *out);

/* A TypeDef and its module.  If row is 0, the type should be in module `in`, but was not found. */
struct clr_type {
	struct clr_module in;
	uint32_t row;
};
struct clr_type r2r_modules_resolve(struct r2r *r, struct clr_module from,
                                    uint32_t coded);

/* Returns the name of the module or assembly that `scope` refers to. */
struct str r2r_modules_ref_name(struct r2r *r, const struct metadata *md, uint32_t scope);

/* Returns the core library, which defines the primitive types. */
struct clr_module r2r_modules_core(struct r2r *r);

#endif

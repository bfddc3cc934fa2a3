/*
 * r2r_modules - the assemblies that a ReadyToRun image refers to; private to
 * image/dotnet/.
 */
#ifndef IMAGE_DOTNET_R2R_MODULES_H
#define IMAGE_DOTNET_R2R_MODULES_H

#include "image/dotnet/r2r_private.h"

/* An assembly as far as it is known; md is NULL when only its name is. */
struct clr_module {
	struct str name;
	struct metadata *md;
};

/* Signatures name modules by number. */
struct r2r_slot {
	struct clr_module module;
	const unsigned char *mvid; /* NULL when the image does not say */
	bool looked;               /* md was asked for */
};

/* Numbers the modules; mvids are those that the image says, 16 bytes each. */
void r2r_modules_open(struct r2r *r, struct str mvids);

/* A module by number; false: there is none of that number. */
bool r2r_modules_get(struct r2r *r, uint32_t slot, struct clr_module *out);

/* A TypeDef with the module it is in; row 0: not found, and in is where it should be. */
struct clr_type {
	struct clr_module in;
	uint32_t row;
};
struct clr_type r2r_modules_resolve(struct r2r *r, struct clr_module from,
                                    uint32_t coded);

/* The name of the module or assembly that a scope refers to. */
struct str r2r_modules_ref_name(struct r2r *r, const struct metadata *md, uint32_t scope);

/* The core library: where primitive types are defined. */
struct clr_module r2r_modules_core(struct r2r *r);

#endif

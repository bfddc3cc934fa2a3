/*
 * r2r - the precompiled methods of a ReadyToRun image, from the image alone.
 *
 * The place of each method's code is read when the image is opened.  A name is made on request.
 * A name may need the tables of another assembly (composite images, instances of a framework's
 * generics), which is looked up by name.  Without it, the bounds are still exact and the name is
 * shorter.
 *
 * Specifications: dotnet/runtime docs/design/coreclr/botr/readytorun-format.md,
 * src/coreclr/inc/readytorun.h, and ECMA-335 II.23.2 for signatures.
 */
#ifndef IMAGE_DOTNET_R2R_H
#define IMAGE_DOTNET_R2R_H

#include "image/dotnet/metadata.h"
#include "image/dotnet/pe.h"

/* Code of one method: hot code with its funclets, or its cold part, or thunks. */
struct r2r_range {
	uint32_t begin, end; /* rva */
	bool cold;
	bool thunk; /* calls through import cells: code of no method */
};

/*
 * Returns the assembly with that simple name, and with that MVID if mvid is not NULL, or NULL.
 * The result must live as long as the image.
 */
typedef struct metadata *r2r_find_assembly(void *ctx, struct str simple_name,
                                           const unsigned char *mvid);

struct r2r;

/* Returns true if the image may contain precompiled code.  Fast. */
bool r2r_bid(const struct pe *pe);

/*
 * A "fragile" native image of .NET Core 1 and 2: precompiled code in other tables,
 * which are not read.
 */
bool r2r_is_fragile(const struct pe *pe);

/*
 * Returns the file name of the composite image that has the code of this component.  Empty if it
 * is not a component.
 */
struct str r2r_owner(const struct pe *pe);

/*
 * pe must live as long as the image.  file is the name of its file, without path.  Returns NULL
 * if the image has no precompiled code, or if its tables are invalid.
 */
struct r2r *r2r_open(const struct pe *pe, struct str file, struct arena *a,
                     r2r_find_assembly *find, void *ctx);

/* Ranges are numbered from 0, ascending, without overlaps. */
size_t r2r_count(const struct r2r *r);
struct r2r_range r2r_range(const struct r2r *r, size_t index);

/* Returns false if no method has that byte. */
bool r2r_find(const struct r2r *r, uint64_t rva, size_t *index);

/* The number of signatures that could not be read.  Their methods have no bounds of their own. */
size_t r2r_unread(const struct r2r *r);

/* Names printed that lack something: another assembly is not there, or differs. */
size_t r2r_lacking(const struct r2r *r);

/* Returns true for a composite image, whose components are other files. */
bool r2r_is_composite(const struct r2r *r);

/*
 * Sets the signature of its r2rmap from the image, or computes it from the MVIDs of the compiled
 * assemblies.  Returns false if one of them is unknown.
 */
bool r2r_signature(struct r2r *r, unsigned char out[16]);

/* Numbers in the header of an r2rmap. */
struct r2r_target {
	unsigned os, arch, abi;
};
struct r2r_target r2r_target(const struct r2r *r);

#endif

/*
 * r2r - reads the precompiled methods of a ReadyToRun image.
 *
 * r2r_open reads the bounds of all methods.  r2r_name makes the name of a method when it is
 * called.  In composite images, and for instances of a framework's generics, the name may
 * depend on the metadata of another assembly.  If that assembly is missing, the bounds are
 * still exact, but the name is incomplete.
 *
 * Specifications: dotnet/runtime docs/design/coreclr/botr/readytorun-format.md,
 * src/coreclr/inc/readytorun.h, and ECMA-335 II.23.2 for signatures.
 */
#ifndef IMAGE_DOTNET_R2R_H
#define IMAGE_DOTNET_R2R_H

#include "image/dotnet/metadata.h"
#include "image/dotnet/pe.h"

/* A range of code: a method with its funclets, the cold part of a method, or thunks. */
struct r2r_range {
	uint32_t begin, end; /* rva */
	bool cold;
	/* code that calls through import cells and does not belong to a method */
	bool thunk;
};

/*
 * A callback that returns the metadata of the assembly with that simple name, or NULL.  If mvid is
 * not NULL, the assembly must have that MVID.  The result must live as long as the image.
 */
typedef struct metadata *r2r_find_assembly(void *ctx, struct str simple_name,
                                           const unsigned char *mvid);

struct r2r;

/* Returns true if the image may contain precompiled code.  This check is fast. */
bool r2r_bid(const struct pe *pe);

/*
 * Returns true for a "fragile" native image of .NET Core 1 or 2.  Its precompiled code has a
 * different format, which this module cannot read.
 */
bool r2r_is_fragile(const struct pe *pe);

/*
 * If the image is a component of a composite image, returns the file name of the composite image,
 * which contains the code.  Otherwise returns an empty string.
 */
struct str r2r_owner(const struct pe *pe);

/*
 * Opens an image.  pe must live as long as the result.  file: file name without directory.
 * Returns NULL if the image has no precompiled code, or if its tables are invalid.
 */
struct r2r *r2r_open(const struct pe *pe, struct str file, struct arena *a,
                     r2r_find_assembly *find, void *ctx);

/* Returns the number of ranges.  They are sorted and do not overlap.  Indices start at 0. */
size_t r2r_count(const struct r2r *r);
struct r2r_range r2r_range(const struct r2r *r, size_t index);

/* Sets *index to the range that contains rva.  Returns false if there is no such range. */
bool r2r_find(const struct r2r *r, uint64_t rva, size_t *index);

/* Returns the number of unreadable signatures.  The bounds of their methods are unknown. */
size_t r2r_unread(const struct r2r *r);

/*
 * Returns how many names were incomplete so far, because an assembly to which they refer is
 * missing or is from a different build.
 */
size_t r2r_lacking(const struct r2r *r);

/* Returns true for a composite image, whose components are in other files. */
bool r2r_is_composite(const struct r2r *r);

/*
 * Sets `out` to the signature of the image's r2rmap.  The signature is in the image, or is
 * computed from the MVIDs of all compiled assemblies.  Returns false if an MVID is unknown.
 */
bool r2r_signature(struct r2r *r, unsigned char out[16]);

/* Returns the numbers by which the header of an r2rmap describes the target. */
struct r2r_target {
	unsigned os, arch, abi;
};
struct r2r_target r2r_target(const struct r2r *r);

#endif

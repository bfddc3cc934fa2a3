/*
 * assembly - reads the tables of .NET images on first use, and finds the assemblies that an image
 * refers to.
 *
 * The code searches for a referenced assembly in the image's bundle or directory, then in all
 * sources (source/source.h), and then in the directory of the file that the command line names.
 */
#ifndef IMAGE_DOTNET_ASSEMBLY_H
#define IMAGE_DOTNET_ASSEMBLY_H

#include "image/locate.h"

/*
 * Returns the precompiled code of an image, with the metadata for its names.  Returns NULL if the
 * image has no precompiled code.
 */
struct r2r *assembly_code(struct locator *l, struct item *it);

/*
 * Returns the item whose metadata is md, or NULL.  md belongs to an assembly to which the image
 * refers.
 */
struct item *assembly_with(struct locator *l, const struct item *image,
                           const struct metadata *md);

/* Returns the bundle of a single-file program, or NULL. */
struct bundle *assembly_bundle(struct locator *l, struct item *it);

/*
 * Returns an entry of the bundle in the program `host` as an image.  The image's name is the
 * path of the entry in the bundle.  Returns NULL if the entry is not an assembly.
 */
struct item *assembly_carried(struct locator *l, struct item *host, size_t entry);

#endif

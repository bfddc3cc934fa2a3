/*
 * assembly - tables of a .NET image, read on first use, and the assemblies that it refers to.
 *
 * A reference is looked up in the image's bundle or directory, then in all sources, then next to
 * the file that the command line names.
 */
#ifndef IMAGE_DOTNET_ASSEMBLY_H
#define IMAGE_DOTNET_ASSEMBLY_H

#include "image/locate.h"

/*
 * Returns the precompiled code of an image with the tables that name it, or NULL if it has no
 * such code.
 */
struct r2r *assembly_code(struct locator *l, struct item *it);
struct metadata *assembly_tables(struct locator *l, struct item *it);

/* Returns the bundle of a single-file program, or NULL. */
struct bundle *assembly_bundle(struct locator *l, struct item *it);

/*
 * Returns an entry of host's bundle as an image whose name is its path in the bundle.  Returns
 * NULL if it is not an assembly.
 */
struct item *assembly_carried(struct locator *l, struct item *host, size_t entry);

#endif

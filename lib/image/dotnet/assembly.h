/*
 * assembly - what is read of a .NET image on first use, and the assemblies it refers to.
 *
 * A reference is looked for in the image's bundle or folder, then among all that the
 * sources hold, then beside the file that was named.
 */
#ifndef IMAGE_DOTNET_ASSEMBLY_H
#define IMAGE_DOTNET_ASSEMBLY_H

#include "image/locate.h"

/* Precompiled code of an image, and the tables that name it; NULL: it has none. */
struct r2r *assembly_code(struct locator *l, struct item *it);
struct metadata *assembly_tables(struct locator *l, struct item *it);

/* The bundle of a single-file program; NULL: none. */
struct bundle *assembly_bundle(struct locator *l, struct item *it);

/*
 * An entry of host's bundle as an image, whose name is its path in the bundle.  NULL: it
 * is no assembly.
 */
struct item *assembly_carried(struct locator *l, struct item *host, size_t entry);

#endif

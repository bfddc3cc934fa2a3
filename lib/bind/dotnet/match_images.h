/*
 * match_images - which .NET image is mapped where; private to bind/.
 *
 * A ReadyToRun image names its own code, and a map of crossgen names it too; both are
 * relative to the image.  The sections of the image, or the base in perfinfo, say where the
 * image lies; the length of the mapping, the calls before return addresses, signature and
 * MVID say which image it is.
 *
 * A framework is installed as a whole: shared/Microsoft.NETCore.App/10.0.12 holds one build.
 * A text has no lengths of mappings, and in most images too few return addresses are
 * sampled to tell the version: where one image of such a directory is verified, those
 * beside it are, too.  A self-contained program has the framework among its own files, which
 * may be newer: there the file version, which counts builds, must be that of the core
 * library.
 */
#ifndef BIND_DOTNET_MATCH_IMAGES_H
#define BIND_DOTNET_MATCH_IMAGES_H

#include "base/table.h"
#include "bind/bind.h"

struct image_matches {
	struct table later; /* mapping id -> 1: its image is looked for on demand */
	struct refused_image *refused;
	size_t nrefused, refused_cap;
	struct table refused_of; /* mapping id -> index of refused + 1 */
	struct table stems;      /* of the images that relative maps describe -> 1.. */
	bool learned;            /* stems are known */
};

/*
 * Finds the images of the mappings that frames lie in, or of all mappings; reports the maps
 * and images that were not used.
 */
void match_images(struct binder *b, bool all);

/* The image bound to m, looked for now if it was left for later; NULL: none. */
const struct bound_image *match_images_of(struct binder *b, const struct mapping *m);

/* NULL: no image was refused for m. */
const struct refused_image *match_images_refused(const struct binder *b,
                                                 const struct mapping *m);

#endif

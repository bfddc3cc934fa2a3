/*
 * match_images - assigns .NET images to mappings.  Private to bind/.
 *
 * A ReadyToRun image names its own code, and a map made by crossgen names it too.  Both have
 * addresses relative to the image.  The sections of the image, or the base in perfinfo, give the
 * address at which it was loaded.  The length of the mapping, the calls before return addresses,
 * signature and MVID identify the image.
 *
 * A framework is installed as a whole: shared/Microsoft.NETCore.App/10.0.12 has one build.  A
 * text has no lengths of mappings, and most images have too few sampled return addresses to
 * identify the version.  If one image of such a directory is verified, the other images in it
 * are, too.  A self-contained program has the framework among its own files, which may be newer.
 * There the file version, which counts builds, must equal the version of the core library.
 */
#ifndef BIND_DOTNET_MATCH_IMAGES_H
#define BIND_DOTNET_MATCH_IMAGES_H

#include "base/table.h"
#include "bind/bind.h"

struct image_matches {
	/* mapping id -> 1 if the search for its image was postponed */
	struct table later;
	struct refused_image *refused;
	size_t nrefused, refused_cap;
	struct table refused_of; /* mapping id -> index of refused + 1 */
	struct table stems;      /* stem of a relative map -> its number, from 1 */
	bool learned;            /* stems are known */
};

/*
 * Finds the images of the mappings with frames, or of all mappings if `all` is set.  Reports
 * unused maps and images.
 */
void match_images(struct binder *b, bool all);

/* Returns the image bound to m, or NULL.  First looks for the image if that was postponed. */
const struct bound_image *match_images_of(struct binder *b, const struct mapping *m);

/* Returns the image that was refused for m, or NULL. */
const struct refused_image *match_images_refused(const struct binder *b,
                                                 const struct mapping *m);

#endif

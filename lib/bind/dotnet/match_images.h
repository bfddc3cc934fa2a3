/*
 * match_images - assigns .NET images to mappings.  Private to bind/.
 *
 * The code of a ReadyToRun image is named by the image or by a map of crossgen.  Both contain
 * addresses relative to the image.  The load address follows from the sections of the image, or
 * is in perfinfo.  The image is identified by the length of the mapping, by call instructions
 * before the sampled return addresses, by its signature, and by its MVID.
 *
 * A framework is installed as a whole: all files in shared/Microsoft.NETCore.App/10.0.12 are from
 * one build.  If one image of such a directory is verified, the others are verified, too.  This
 * matters for texts, because texts lack the lengths of mappings, and few images have enough
 * sampled return addresses.  The directory of a self-contained program contains the framework and
 * other files, which may be newer.  In this directory, a file must have the same file version as
 * the core library.
 */
#ifndef BIND_DOTNET_MATCH_IMAGES_H
#define BIND_DOTNET_MATCH_IMAGES_H

#include "bind/bind.h"

struct image_matches {
	/* mapping id -> 1 if the search for its image was postponed */
	struct table later;
	struct refused_image *refused;
	size_t nrefused, refused_cap;
	struct table refused_of; /* mapping id -> index of the refused_image + 1 */
	struct table stems; /* stem of a map of crossgen -> its number, starting at 1 */
	bool learned;       /* `stems` is complete */
};

/*
 * Finds the images of mappings with frames.  If `all` is set, also finds the images of other
 * mappings.  Reports unused maps and images.
 */
void match_images(struct binder *b, bool all);

/* Returns the image bound to m, or NULL.  If the search was postponed, searches now. */
const struct bound_image *match_images_of(const struct binder *b,
                                          const struct mapping *m);

/* Returns the image that was refused for m, or NULL. */
const struct refused_image *match_images_refused(const struct binder *b,
                                                 const struct mapping *m);

#endif

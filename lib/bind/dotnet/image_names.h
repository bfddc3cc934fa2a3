/*
 * image_names - names of code in .NET images.  Private to bind/.
 *
 * The image itself names its methods, in the spelling of the runtime.  If it does not, the
 * relative map of crossgen names them.
 */
#ifndef BIND_DOTNET_IMAGE_NAMES_H
#define BIND_DOTNET_IMAGE_NAMES_H

#include "bind/bind.h"

/*
 * Finds the name at ip in m, and the offset in it.  First looks for the image of m if that was
 * postponed.  Returns false if there is no name.
 */
bool image_names_find(struct binder *b, const struct mapping *m, uint64_t ip, bool caller,
                      struct bound_name *out);

/* Precompiled code in an image. */
struct image_code {
	struct r2r *methods;
	struct item *image;
	size_t index; /* of the code range */
	uint64_t rva;
};

/*
 * Finds the code of the byte at ip, or before it if caller is true.  Returns false if the methods
 * of the image are unknown.
 */
bool image_names_code(struct binder *b, const struct mapping *m, uint64_t ip, bool caller,
                      struct image_code *out);

/* Sets the name of the whole image, if its methods are unknown. */
bool image_names_whole(struct binder *b, const struct mapping *m, uint64_t ip,
                       struct bound_name *out);

#endif

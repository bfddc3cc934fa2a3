/*
 * image_names - names of code in .NET images.  Private to bind/.
 *
 * The image names its methods in the spelling of the runtime.  Without the image, crossgen's map
 * names them.
 */
#ifndef BIND_DOTNET_IMAGE_NAMES_H
#define BIND_DOTNET_IMAGE_NAMES_H

#include "bind/bind.h"

/*
 * Finds the name at ip in m, and the offset in the method.  If the search for the image of m was
 * postponed, searches now.  Returns false if there is no name.
 */
bool image_names_find(const struct binder *b, const struct mapping *m, uint64_t ip,
                      bool caller, struct bound_name *out);

/* Precompiled code in an image. */
struct image_code {
	struct r2r *methods;
	struct item *image;
	size_t index; /* index of the code range */
	uint64_t rva;
};

/*
 * Finds the code at ip or, if caller is true, at the byte before ip.  Returns false if the
 * methods of the image are unknown.
 */
bool image_names_code(const struct binder *b, const struct mapping *m, uint64_t ip,
                      bool caller, struct image_code *out);

/* Names ip after the whole image if the methods of the image are unknown. */
bool image_names_whole(const struct binder *b, const struct mapping *m, uint64_t ip,
                       struct bound_name *out);

#endif

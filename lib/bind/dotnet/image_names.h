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

/* Sets the name of the whole image, if its methods are unknown. */
bool image_names_whole(struct binder *b, const struct mapping *m, uint64_t ip,
                       struct bound_name *out);

#endif

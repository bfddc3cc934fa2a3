/*
 * image_names - names of code in .NET images.  Private to bind/.
 *
 * An image names its own methods, in the spelling of the runtime.  If it cannot, the relative map
 * of crossgen does.
 */
#ifndef BIND_DOTNET_IMAGE_NAMES_H
#define BIND_DOTNET_IMAGE_NAMES_H

#include "bind/bind.h"

/*
 * Finds name and offset at ip in m, and looks for the image of m if that was not done.  Returns
 * false if there is no name.
 */
bool image_names_find(struct binder *b, const struct mapping *m, uint64_t ip, bool caller,
                      struct bound_name *out);

/* The name of the whole image, for one of which no methods are known. */
bool image_names_whole(struct binder *b, const struct mapping *m, uint64_t ip,
                       struct bound_name *out);

#endif

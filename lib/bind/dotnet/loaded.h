/*
 * loaded - what perfinfo-PID.map says of the images that a process loaded; private to
 * symbol/.
 */
#ifndef BIND_DOTNET_LOADED_H
#define BIND_DOTNET_LOADED_H

#include "bind/binder.h"

/* The MVID of that path; NULL: none, or several. */
const unsigned char *bind_loaded_mvid(const struct binder *b, str_id path);

/* The image that was loaded from path, right below ip; NULL: none. */
const struct image_load *bind_loaded_below(struct binder *b, str_id path, uint64_t ip);

#endif

/*
 * local_image - .NET images and single-file programs of this machine; private to bind/.
 *
 * The rules are those for ELF files (image/host.h): an image is used if device and inode are those
 * of the mapped file and it was not changed since.  If that is unsure, return addresses decide.
 */
#ifndef BIND_DOTNET_LOCAL_IMAGE_H
#define BIND_DOTNET_LOCAL_IMAGE_H

#include "bind/bind.h"
#include "image/host.h"

/*
 * Makes the image at the path of m known to the locator if it may be used for m, else sets *why.
 * NULL: there is none, or it is of another kind.
 */
struct item *local_image_add(struct binder *b, const struct mapping *m, const char **why);

/* How it, an item of this machine, compares with the file that m was mapped from. */
enum host_likeness local_image_compare(struct binder *b, const struct mapping *m,
                                       const struct item *it);

/* The single-file program at the path of m, by its build-id or as above; NULL: there is none. */
struct item *local_image_program(struct binder *b, const struct mapping *m);

#endif

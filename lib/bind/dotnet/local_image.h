/*
 * local_image - .NET images and single-file programs of this machine.  Private to bind/.
 *
 * The rules are those for ELF files (image/host.h): an image is used if device and inode agree
 * with the mapped file and it did not change since.  If that is unsure, return addresses decide.
 */
#ifndef BIND_DOTNET_LOCAL_IMAGE_H
#define BIND_DOTNET_LOCAL_IMAGE_H

#include "bind/bind.h"
#include "image/host.h"

/*
 * Adds the image at the path of m to the locator if it may be used for m, else sets *why. Returns
 * NULL if there is no file, or if it is of another kind.
 */
struct item *local_image_add(struct binder *b, const struct mapping *m, const char **why);

/* How it, an item of this machine, compares with the file that m was mapped from. */
enum host_likeness local_image_compare(struct binder *b, const struct mapping *m,
                                       const struct item *it);

/* Returns the single-file program at the path of m, by its build-id or as above, or NULL. */
struct item *local_image_program(struct binder *b, const struct mapping *m);

#endif

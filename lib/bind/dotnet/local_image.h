/*
 * local_image - .NET images and single-file programs of this machine.  Private to bind/.
 *
 * The rules for ELF files (image/host.h) apply: an image is used if it has the device and inode
 * of the mapped file and has not changed since the recording.  If this is uncertain, the
 * sampled return addresses must follow calls in the image.
 */
#ifndef BIND_DOTNET_LOCAL_IMAGE_H
#define BIND_DOTNET_LOCAL_IMAGE_H

#include "bind/bind.h"
#include "image/host.h"

/*
 * Adds this machine's image at the path of m to the locator.  If the image may not be used for m,
 * sets *why.  Returns NULL if there is no file, or if the file is not an image.
 */
struct item *local_image_add(const struct binder *b, const struct mapping *m,
                             const char **why);

/* Compares `it`, a file of this machine, with the file that m maps. */
enum host_likeness local_image_compare(const struct binder *b, const struct mapping *m,
                                       const struct item *it);

/*
 * Returns this machine's single-file program at the path of m, or NULL.  The file must have the
 * build-id of m.  If m has no build-id, host_compare must prove that m maps this file.
 */
struct item *local_image_program(struct binder *b, const struct mapping *m);

#endif

/* loaded - the images that a process loaded, from perfinfo-PID.map. */
#ifndef BIND_DOTNET_LOADED_H
#define BIND_DOTNET_LOADED_H

#include "base/table.h"
#include "bind/bind.h"

/* One line of a perfinfo. */
struct loaded_image {
	struct image_load load;
	int32_t pid;   /* in the name of the perfinfo, or -1 */
	uint32_t next; /* of the same path: index + 1 */
};

struct loaded {
	bool read; /* every perfinfo of the sources */
	struct loaded_image *image;
	size_t n, cap;
	size_t files;         /* perfinfos */
	struct table of_path; /* path -> index of its last image + 1 */
};

/* Reads every perfinfo of the sources, once. */
void loaded_read(struct binder *b);

/* Return the first and the next address at which images were loaded from path, or NULL. */
const struct loaded_image *loaded_from(const struct binder *b, str_id path);
const struct loaded_image *loaded_next(const struct binder *b,
                                       const struct loaded_image *image);

/* Returns the MVID of that path, or NULL if there are none or several. */
const unsigned char *loaded_mvid(const struct binder *b, str_id path);

/*
 * The same for a process: from its own perfinfo, or from the only one, whose pid may be the pid
 * in a container.
 */
const unsigned char *loaded_mvid_in(const struct binder *b, int32_t pid, str_id path);

/* Returns true if the image may contain ip.  Images are at most 4 GiB. */
bool loaded_reaches(const struct image_load *load, uint64_t ip);

/* Returns the image that was loaded from path, closest below ip, or NULL. */
const struct image_load *loaded_below(struct binder *b, str_id path, uint64_t ip);

#endif

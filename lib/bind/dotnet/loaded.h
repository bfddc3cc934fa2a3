/* loaded - the images that a process loaded, from perfinfo-PID.map. */
#ifndef BIND_DOTNET_LOADED_H
#define BIND_DOTNET_LOADED_H

#include "base/table.h"
#include "bind/bind.h"

/* One line of a perfinfo. */
struct loaded_image {
	struct image_load load;
	int32_t pid;   /* the pid in the name of the perfinfo, or -1 */
	uint32_t next; /* index + 1 of the next image with the same path, or 0 */
};

struct loaded {
	bool read; /* every perfinfo of the sources was read */
	struct loaded_image *image;
	size_t n, cap;
	size_t files;         /* number of perfinfos */
	struct table of_path; /* path -> index of its last image + 1 */
};

/* Reads every perfinfo of the sources, once. */
void loaded_read(struct binder *b);

/* Return the first and the next load of an image from path, or NULL. */
const struct loaded_image *loaded_find(const struct binder *b, str_id path);
const struct loaded_image *loaded_next(const struct binder *b,
                                       const struct loaded_image *image);

/* Returns the MVID of the images loaded from path, or NULL if it is unknown or ambiguous. */
const unsigned char *loaded_find_mvid(const struct binder *b, str_id path);

/*
 * Returns the MVID of the image that process pid loaded from path, or NULL.  Uses the perfinfo
 * of that process, or the only perfinfo, whose pid may be the pid in a container.
 */
const unsigned char *loaded_find_process_mvid(const struct binder *b, int32_t pid,
                                              str_id path);

/* Returns true if the image may contain ip.  Images are at most 4 GiB. */
bool loaded_reaches(const struct image_load *load, uint64_t ip);

/* Returns the image with the greatest address below ip that was loaded from path, or NULL. */
const struct image_load *loaded_find_below(struct binder *b, str_id path, uint64_t ip);

#endif

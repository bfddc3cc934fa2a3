/* loaded - reads which images a process loaded, from perfinfo-PID.map. */
#ifndef BIND_DOTNET_LOADED_H
#define BIND_DOTNET_LOADED_H

#include "bind/bind.h"

/* One line of a perfinfo. */
struct loaded_image {
	struct image_load load;
	int32_t pid;   /* pid in the file name of the perfinfo, or -1 */
	uint32_t next; /* index + 1 of the next load from the same path, or 0 */
};

struct loaded {
	bool read; /* all perfinfos among the input files were read */
	struct loaded_image *image;
	size_t n, cap;
	size_t files;         /* number of perfinfos */
	struct table of_path; /* path -> index + 1 of its last load */
};

/* Reads all perfinfos among the input files on the first call. */
void loaded_read(struct binder *b);

/* Return the first and the next image loaded from path, or NULL at the end. */
const struct loaded_image *loaded_find(const struct binder *b, str_id path);
const struct loaded_image *loaded_next(const struct binder *b,
                                       const struct loaded_image *image);

/*
 * Returns the MVID of the images loaded from path, or NULL if the MVID is unknown or ambiguous.
 */
const unsigned char *loaded_find_mvid(const struct binder *b, str_id path);

/*
 * Returns the MVID of the image that process pid loaded from path, or NULL.  Uses the perfinfo of
 * that process.  If there is only one perfinfo, uses it for any pid, because the pid in its file
 * name may be the pid in a container.
 */
const unsigned char *loaded_find_process_mvid(const struct binder *b, int32_t pid,
                                              str_id path);

/* Returns true if ip is at most 4 GiB above the load address.  No image is larger. */
bool loaded_reaches(const struct image_load *load, uint64_t ip);

/* Returns the image loaded from path at the greatest address below ip, or NULL. */
const struct image_load *loaded_find_below(struct binder *b, str_id path, uint64_t ip);

#endif

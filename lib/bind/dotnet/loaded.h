/*
 * loaded - the images that a process loaded, from perfinfo-PID.map.
 */
#ifndef BIND_DOTNET_LOADED_H
#define BIND_DOTNET_LOADED_H

#include "base/table.h"
#include "bind/bind.h"

/* One line of a perfinfo. */
struct loaded_image {
	struct image_load load;
	int32_t pid;   /* in the name of the perfinfo; -1: it has none */
	uint32_t next; /* of the same path; index + 1 */
};

struct loaded {
	bool read; /* every perfinfo of the sources */
	struct loaded_image *image;
	size_t n, cap;
	size_t files; /* perfinfos */
	struct table of_path; /* path -> index of its last image + 1 */
};

/* Reads every perfinfo of the sources, once. */
void loaded_read(struct binder *b);

/* Where images were loaded from path, first and next; NULL: nothing (more) says it. */
const struct loaded_image *loaded_from(const struct binder *b, str_id path);
const struct loaded_image *loaded_next(const struct binder *b,
                                       const struct loaded_image *image);

/* The MVID of that path; NULL: none, or several. */
const unsigned char *loaded_mvid(const struct binder *b, str_id path);

/*
 * The same for a process: of its own perfinfo, or of the only one, whose pid may be that of a
 * container.
 */
const unsigned char *loaded_mvid_in(const struct binder *b, int32_t pid, str_id path);

/* May the image hold ip?  Images are at most 4 GiB. */
bool loaded_reaches(const struct image_load *load, uint64_t ip);

/* The image that was loaded from path, right below ip; NULL: none. */
const struct image_load *loaded_below(struct binder *b, str_id path, uint64_t ip);

#endif

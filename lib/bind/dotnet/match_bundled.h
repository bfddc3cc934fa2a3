/*
 * match_bundled - finds images inside single-file programs.  Private to bind/.
 *
 * The runtime maps an uncompressed image from the program's file, section by section.  The file
 * offset identifies the image's entry in the program, and the mapping must have the length of the
 * section.  The runtime unpacks a compressed image into anonymous memory.  In this case, the
 * length of an executable mapping identifies the image.  In addition, the sampled addresses must
 * be in methods, and sampled return addresses must follow call instructions.
 */
#ifndef BIND_DOTNET_MATCH_BUNDLED_H
#define BIND_DOTNET_MATCH_BUNDLED_H

#include "bind/bind.h"

/* A single-file program and a process that runs it. */
struct bundled_program {
	struct item *item;
	int32_t pid;
	/* indexed by entry.  NULL before the code is first needed */
	struct bundled_code *code;
	size_t found; /* number of images found in anonymous memory */
};

struct bundled {
	struct item **file; /* programs that may contain images */
	size_t nfiles, files_cap;
	bool listed; /* the programs among the input files were already added to `file` */
	struct bundled_program *program;
	size_t n, cap;
};

/* Binds the images inside running programs, and reports missing ones. */
void match_bundled(struct binder *b);

/*
 * Finds the image that contains the file offset of ip, in the program of im.  Two adjacent images
 * may share a page of the file, so the page is in the mappings of both.  Returns false if the
 * image is im, or if there is no image.
 */
bool match_bundled_neighbour(const struct binder *b, const struct bound_image *im,
                             uint64_t ip, struct bound_image *out);

/*
 * Returns the next image with file name `file` inside a program, or NULL.  *at is the program at
 * which the search continues.
 */
struct item *match_bundled_next(const struct binder *b, struct str file, size_t *at);

#endif

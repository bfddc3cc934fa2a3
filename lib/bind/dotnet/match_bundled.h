/*
 * match_bundled - images inside single-file programs.  Private to bind/.
 *
 * Uncompressed images are mapped from the program's file, section by section.  The file offset
 * identifies the entry of the image, and the mapping must be as long as the entry's section.
 * Compressed images are unpacked into anonymous memory.  There the length of an executable
 * mapping identifies them, and the sampled addresses must be in methods and follow calls.
 */
#ifndef BIND_DOTNET_MATCH_BUNDLED_H
#define BIND_DOTNET_MATCH_BUNDLED_H

#include "base/table.h"
#include "bind/bind.h"

/* A single-file program and a process that runs it. */
struct bundled_program {
	struct item *item;
	int32_t pid;
	/* indexed by entry.  NULL until the code is requested */
	struct bundled_code *code;
	size_t found; /* number of images found in anonymous memory */
};

struct bundled {
	struct item **file; /* programs that may carry images */
	size_t nfiles, files_cap;
	bool listed; /* file already has the programs among the sources */
	struct bundled_program *program;
	size_t n, cap;
};

/* Binds the images inside running programs, and reports missing ones. */
void match_bundled(struct binder *b);

/*
 * Finds the image that contains ip, by its file offset.  Adjacent images in a program's file
 * share a page, so both mappings contain it.  Returns false if the image is im itself, or if
 * there is no such image.
 */
bool match_bundled_neighbour(struct binder *b, const struct bound_image *im, uint64_t ip,
                             struct bound_image *out);

/*
 * Returns the next image with that file name inside a program, or NULL.  Continues at program
 * *at.
 */
struct item *match_bundled_next(struct binder *b, struct str file, size_t *at);

#endif

/*
 * match_bundled - images inside single-file programs.  Private to bind/.
 *
 * Stored ones are mapped from the program's file, section by section: the file offset identifies
 * the entry, and the mapping must be as long as the entry's section.  Compressed ones are
 * unpacked into anonymous memory.  There the length of an executable mapping distinguishes them,
 * and the sampled addresses must be in methods and follow calls.
 */
#ifndef BIND_DOTNET_MATCH_BUNDLED_H
#define BIND_DOTNET_MATCH_BUNDLED_H

#include "base/table.h"
#include "bind/bind.h"

/* A single-file program, and a process that runs it. */
struct bundled_program {
	struct item *item;
	int32_t pid;
	struct bundled_code *code; /* by entry, or NULL until requested */
	size_t found;              /* images found in anonymous memory */
};

struct bundled {
	struct item **file; /* programs that may carry images */
	size_t nfiles, files_cap;
	bool listed; /* file has the entries of the sources */
	struct bundled_program *program;
	size_t n, cap;
};

/* Binds the images inside running programs, and reports missing ones. */
void match_bundled(struct binder *b);

/*
 * Adjacent images in such a program's file share pages, so both mappings contain them.  Sets the
 * image that contains ip, by its file offset.  Returns false if it is im itself, or if there is
 * no such image.
 */
bool match_bundled_neighbour(struct binder *b, const struct bound_image *im, uint64_t ip,
                             struct bound_image *out);

/* Returns the next image with that file name, from *at on, inside a program, or NULL. */
struct item *match_bundled_next(struct binder *b, struct str file, size_t *at);

#endif

/*
 * match_bundled - images inside single-file programs; private to bind/.
 *
 * Stored ones are mapped from the program's file, section by section: the file offset says
 * which entry it is, and the mapping must be as long as the entry's section.  Compressed ones
 * are unpacked into anonymous memory: there the length of an executable mapping tells them
 * apart, and the sampled addresses must lie in methods and follow calls.
 */
#ifndef BIND_DOTNET_MATCH_BUNDLED_H
#define BIND_DOTNET_MATCH_BUNDLED_H

#include "base/table.h"
#include "bind/bind.h"

/* A single-file program, and a process that runs it. */
struct bundled_program {
	struct item *item;
	int32_t pid;
	struct bundled_code *code; /* by entry; NULL until asked for */
	size_t found;              /* images found in anonymous memory */
};

struct bundled {
	struct item **file; /* programs that may carry images */
	size_t nfiles, files_cap;
	bool listed; /* file has those of the sources */
	struct bundled_program *program;
	size_t n, cap;
};

/* Binds the images that running programs carry; reports what was not found. */
void match_bundled(struct binder *b);

/*
 * Neighbours in such a program's file share pages, and so both mappings hold them: the image
 * that ip, by its file offset, is really in.  False: im itself, or none.
 */
bool match_bundled_neighbour(struct binder *b, const struct bound_image *im, uint64_t ip,
                             struct bound_image *out);

/* The next image of that file name, from *at on, that a program carries; NULL: none. */
struct item *match_bundled_next(struct binder *b, struct str file, size_t *at);

#endif

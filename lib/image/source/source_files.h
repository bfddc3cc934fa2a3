/*
 * source_files - the lines of source files.
 *
 * A file is read only if the user gave it: by a source_path, in a PDB that contains it, or in a
 * directory among the sources.  A path that a compiler recorded is never opened by itself.  If
 * directories contain several files with the name, the file with the longest common end of the
 * path is used, and at least one directory of the path must agree.
 */
#ifndef IMAGE_SOURCE_SOURCE_FILES_H
#define IMAGE_SOURCE_SOURCE_FILES_H

#include "base/intern.h"
#include "image/locate.h"
#include "image/source/source_path.h"

/* The lines of a file.  n is 0 if the file was not found. */
struct source_text {
	struct str bytes;
	uint32_t *begin; /* offset of each line, and of the end */
	uint32_t n;
	bool tried;
};

struct source_files {
	struct arena *arena;
	struct source_paths paths;
	struct interner names;
	struct source_text *text; /* by name */
	size_t cap;
	struct source **opened;
	size_t nopened, opened_cap;
	size_t embedded; /* bytes of the texts that came from PDBs */
	struct diag silent;
};

void source_files_init(struct source_files *s, struct arena *arena);

/* Returns a file, read on first use.  l: the sources, which must stay open, or NULL. */
const struct source_text *source_files_find(struct source_files *s, struct locator *l,
                                            struct str path);

/* Returns a line, counted from 1, without its end, or an empty string. */
struct str source_files_line(const struct source_text *t, uint32_t line);

void source_files_close(struct source_files *s);

#endif

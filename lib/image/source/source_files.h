/*
 * source_files - reads lines of source files.
 *
 * A file is read only if the user has provided it: through a path replacement (source_path.h), in
 * a PDB, or in a directory that the command line names.  A path that a compiler recorded is never
 * opened directly.  If several files have the right name, the file with the most matching
 * directories is used, and at least one directory must match.
 */
#ifndef IMAGE_SOURCE_SOURCE_FILES_H
#define IMAGE_SOURCE_SOURCE_FILES_H

#include "image/locate.h"
#include "image/source/source_path.h"

/* The lines of a file.  n is 0 if the file was not found. */
struct source_text {
	struct str bytes;
	uint32_t *begin; /* offset of each line, and of the end of the text */
	uint32_t n;
	bool tried;
};

struct source_files {
	struct arena *arena;
	struct source_paths paths;
	struct interner names;
	struct source_text *text; /* sorted by name */
	size_t cap;
	struct source **opened;
	size_t nopened, opened_cap;
	size_t embedded; /* total bytes of texts from PDBs */
	struct diag silent;
};

void source_files_init(struct source_files *s, struct arena *arena);

/*
 * Returns the lines of a file.  The first call reads the file.  l: contains the directories of
 * the command line.  Must stay open.  May be NULL.
 */
const struct source_text *source_files_find(struct source_files *s, struct locator *l,
                                            struct str path);

/* Returns a line without its line end, or an empty string.  The first line is 1. */
struct str source_files_line(const struct source_text *t, uint32_t line);

void source_files_close(struct source_files *s);

#endif

/*
 * listing - the instructions and source lines of one function, with their weights.
 *
 * The rows are the instructions of the function, and where it was inlined, those that belong to
 * it there.  If no file has the code, the addresses that have a weight are used as rows.  The sums of the rows,
 * and of the lines, are the weight of the function.
 */
#ifndef WRITER_ANNOTATE_LISTING_H
#define WRITER_ANNOTATE_LISTING_H

#include "image/code/disasm.h"
#include "image/source/source_files.h"
#include "stack/spots.h"

struct listing_row {
	uint64_t addr;   /* as objdump prints it */
	struct str text; /* the instruction, or empty if the code is unknown */
	enum code_kind kind;
	uint64_t target; /* of a direct branch or call, or 0 */
	/* its function, or empty if it is unknown.  target_off: offset in it */
	struct str target_name;
	uint64_t target_off;
	struct str inlined; /* innermost function that was inlined here, or empty */
	struct str path;    /* the source of the instruction, or empty */
	uint32_t line;
	uint32_t block; /* number of the piece of code */
	struct spot_weight weight;
};

/* A source line of the function itself: an inlined function counts where it was called. */
struct listing_line {
	struct str path; /* or empty if the line is unknown */
	uint32_t line;
	struct spot_weight weight;
};

/* A function that was inlined into this one. */
struct listing_inlined {
	struct str name;
	struct spot_weight weight; /* of the function with it as the innermost one */
};

struct listing {
	const struct spots *spots;
	const struct spot_function *function;
	struct str name, module,
	        path;            /* path: of the file in which it begins, or empty */
	uint32_t begins;         /* its line in path, or 0 */
	struct listing_row *row; /* by block and address */
	size_t n, cap;
	struct listing_line *line; /* by path and line; an unknown one is last */
	size_t nlines;
	struct listing_inlined *inlined; /* by weight */
	size_t ninlined;
	struct source_files *files;
	struct locator *sources;
};

struct listing_opts {
	struct profile *const *profiles; /* by number; NULL if closed */
	struct source_files *files;
	bool lines;     /* only source lines, without rows */
	bool weighted;  /* only rows that have a weight */
	bool no_inline; /* inlined functions are not distinguished */
};

/* The listing lives as long as `a` and the profiles. */
void listing_make(struct listing *l, const struct spots *s, const struct spot_function *f,
                  const struct listing_opts *opts, struct arena *a);

/* Returns a line of the source, or an empty string. */
struct str listing_source(const struct listing *l, struct str path, uint32_t line);

#endif

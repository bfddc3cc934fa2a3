/*
 * listing - lists the instructions and source lines of a function, with weights.
 *
 * The rows are the instructions of the function.  If the function was inlined into another
 * function, the rows omit the instructions of the other function.  If no file has the code, each
 * address with a weight has a row.  The weights of all rows add up to the weight of the function,
 * and so do the weights of all lines.
 */
#ifndef WRITER_ANNOTATE_LISTING_H
#define WRITER_ANNOTATE_LISTING_H

#include "image/code/disasm.h"
#include "image/source/source_files.h"
#include "stack/spots.h"

struct listing_row {
	uint64_t addr;   /* address as objdump prints it */
	struct str text; /* the instruction, or empty if the code is unknown */
	enum code_kind kind;
	uint64_t target; /* target of a direct branch or call, or 0 */
	/*
	 * function at `target`, or empty if unknown.  target_off: offset of `target` in
	 * this function
	 */
	struct str target_name;
	uint64_t target_off;
	/* innermost function that is inlined at this address, or empty */
	struct str inlined;
	struct str path; /* source file of the instruction, or empty */
	uint32_t line;
	uint32_t block; /* number of the block (piece of code) of this row */
	struct spot_weight weight;
};

/*
 * A source line of the function.  The weight of an inlined function counts for the line that
 * calls it.
 */
struct listing_line {
	struct str path; /* empty if the line is unknown */
	uint32_t line;
	struct spot_weight weight;
};

/* A function that was inlined into the listed function. */
struct listing_inlined {
	struct str name;
	/* weight of the rows that have this function in `inlined` */
	struct spot_weight weight;
};

struct listing {
	const struct spots *spots;
	const struct spot_function *function;
	struct str name, module,
	        path;            /* path: file in which the function begins, or empty */
	uint32_t begins;         /* line in `path` at which the function begins, or 0 */
	struct listing_row *row; /* sorted by block and address */
	size_t n, cap;
	struct listing_line *line; /* sorted by path and line; the unknown line is last */
	size_t nlines;
	struct listing_inlined *inlined; /* sorted by weight */
	size_t ninlined;
	struct source_files *files;
	struct locator *sources;
};

struct listing_opts {
	struct profile *const
	        *profiles; /* indexed by number of the input; NULL if closed */
	struct source_files *files;
	struct disasm **disasms; /* list of disasm_find, which the caller closes */
	struct arena *arena;     /* of this list */
	bool lines;              /* make only source lines, no rows */
	bool weighted;           /* make only rows that have a weight */
	bool no_inline;          /* ignore the names of inlined functions */
};

/* Makes a listing, which lives as long as `a` and the profiles. */
void listing_make(struct listing *l, const struct spots *s, const struct spot_function *f,
                  const struct listing_opts *opts, struct arena *a);

/* Returns the text of a source line, or an empty string if it is unknown. */
struct str listing_source(const struct listing *l, struct str path, uint32_t line);

#endif

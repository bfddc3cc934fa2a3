/*
 * listing - lists the instructions and source lines of a function, with weights.
 *
 * The rows are the function's own instructions, and its inlined instructions in other functions.
 * If no file contains the code, the rows are the addresses with a weight.  The sum of all rows,
 * and the sum of all lines, is the weight of the function.
 */
#ifndef WRITER_ANNOTATE_LISTING_H
#define WRITER_ANNOTATE_LISTING_H

#include "image/code/disasm.h"
#include "image/source/source_files.h"
#include "stack/spots.h"

struct listing_row {
	uint64_t addr;   /* as objdump prints it */
	struct str text; /* the instruction.  Empty if the code is unknown */
	enum code_kind kind;
	uint64_t target; /* target of a direct branch or call, or 0 */
	/* function at the target, or empty if unknown.  target_off: offset in it */
	struct str target_name;
	uint64_t target_off;
	struct str inlined; /* innermost function inlined here, or empty */
	struct str path;    /* source file of the instruction, or empty */
	uint32_t line;
	uint32_t block; /* number of the block of code */
	struct spot_weight weight;
};

/* A source line of the function itself.  An inlined function counts at the line of its call. */
struct listing_line {
	struct str path; /* empty if the line is unknown */
	uint32_t line;
	struct spot_weight weight;
};

/* A function inlined into the listed one. */
struct listing_inlined {
	struct str name;
	/* weight of samples in which it is the innermost function */
	struct spot_weight weight;
};

struct listing {
	const struct spots *spots;
	const struct spot_function *function;
	struct str name, module, path; /* file of its declaration, or empty */
	uint32_t begins;               /* line of its declaration, or 0 */
	struct listing_row *row;       /* sorted by block and address */
	size_t n, cap;
	struct listing_line *line; /* sorted by path and line.  An unknown line is last */
	size_t nlines;
	struct listing_inlined *inlined; /* sorted by weight */
	size_t ninlined;
	struct source_files *files;
	struct locator *sources;
};

struct listing_opts {
	struct profile *const *profiles; /* indexed by number.  NULL if closed */
	struct source_files *files;
	bool lines;     /* list only source lines, no rows */
	bool weighted;  /* list only rows with a weight */
	bool no_inline; /* do not distinguish inlined functions */
};

/* Makes a listing, which lives as long as `a` and the profiles. */
void listing_make(struct listing *l, const struct spots *s, const struct spot_function *f,
                  const struct listing_opts *opts, struct arena *a);

/* Returns a line of the source, or an empty string. */
struct str listing_source(const struct listing *l, struct str path, uint32_t line);

#endif

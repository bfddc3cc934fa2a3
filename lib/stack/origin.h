/*
 * origin - keeps the module of each name, and the file and line at which the function begins.
 * Folded stacks have them as comments after the header, one line for each module of a name.
 * Fields are separated by tabs, and may be empty:
 *
 * 	# pfold frame   parse   /srv/app/web    /srv/app/parse.c	17      end
 *
 * The last word is not a number, so other programs, which read the last number of a line as its
 * weight, skip it.
 */
#ifndef STACK_ORIGIN_H
#define STACK_ORIGIN_H

#include "base/intern.h"
#include "base/out.h"

struct origin {
	struct str name, module;
	struct str file; /* path of the source file, or empty if unknown */
	uint32_t line;   /* 0 if unknown */
};

/* An origin whose strings are ids of origins.texts, or 0 if unknown. */
struct origin_ids {
	str_id label; /* id in the names of the stacks */
	str_id module, file;
	uint32_t line;
};

struct origins {
	struct interner texts; /* modules and files */
	/* set of origins.  Each string is the bytes of a struct origin_ids */
	struct interner known;
};

void origin_init(struct origins *p, struct arena *arena);

/*
 * Adds an origin of a label.  `label` is its id in the names of the stacks, so at->name is not
 * used.
 */
void origin_add(struct origins *p, str_id label, const struct origin *at);

/* Parses a line of this form.  *out points into it.  Returns false for other lines. */
bool origin_parse(struct str line, struct origin *out);

/*
 * Returns the *n origins of the labels for which used[] is true, sorted by name, module and file.
 * Each module and file of a name occurs once.  The result is in `scratch`.
 */
const struct origin_ids *origin_list(const struct origins *p,
                                     const struct interner *names, const bool *used,
                                     struct arena *scratch, size_t *n);

/* Writes the lines of the labels for which used[] is true. */
void origin_write(struct out *o, const struct origins *p, const struct interner *names,
                  const bool *used, struct arena *scratch);

#endif

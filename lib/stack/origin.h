/*
 * origin - stores the module of a name, and the file and line of its function.
 *
 * Folded stacks contain origins as comments after the header, one line for each module of a name.
 * Tabs separate the fields, which may be empty:
 *
 * 	# pfold frame   parse   /srv/app/web    /srv/app/parse.c	17      end
 *
 * The last word is not a number.  Programs that take the last number of a line as its weight
 * therefore skip the line.
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

/* An origin with ids instead of strings.  Ids refer to origins.texts.  0 means unknown. */
struct origin_ids {
	str_id label; /* refers to the names of the stacks */
	str_id module, file;
	uint32_t line;
};

struct origins {
	struct interner texts; /* modules and files */
	/* set of origins.  Each string contains the bytes of a struct origin_ids */
	struct interner known;
};

void origin_init(struct origins *p, struct arena *arena);

/*
 * Adds an origin of a label.  `label` is an id in the names of the stacks.  It is used instead of
 * at->name.
 */
void origin_add(struct origins *p, str_id label, const struct origin *at);

/* Parses a line with an origin.  *out points into it.  Returns false for other lines. */
bool origin_parse(struct str line, struct origin *out);

/*
 * Returns the origins of all labels with used[] set, sorted by name, module and file, and sets
 * *n.  Each module and file of a name occurs once.  The result is in `scratch`.
 */
const struct origin_ids *origin_list(const struct origins *p,
                                     const struct interner *names, const bool *used,
                                     struct arena *scratch, size_t *n);

/* Writes a line for each origin of labels with used[] set. */
void origin_write(struct out *o, const struct origins *p, const struct interner *names,
                  const bool *used, struct arena *scratch);

#endif

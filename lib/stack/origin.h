/*
 * origin - the module of a name, and the file and line at which its function begins.
 *
 * Folded stacks have them as comments after the header, a line for each module of a name.  Fields
 * are separated by tabs, and may be empty:
 *
 * 	# pfold frame	parse	/srv/app/web	/srv/app/parse.c	17	end
 *
 * The last word is not a number, so readers that take the last number of a line as its weight
 * skip it.
 */
#ifndef STACK_ORIGIN_H
#define STACK_ORIGIN_H

#include "base/intern.h"
#include "base/out.h"

struct origin {
	struct str name, module;
	struct str file; /* its path, or empty if unknown */
	uint32_t line;   /* 0 if unknown */
};

/* Numbers of strings are ids of origins.texts, or 0 if unknown. */
struct origin_ids {
	str_id label; /* in the names of the stacks */
	str_id module, file;
	uint32_t line;
};

struct origins {
	struct interner texts; /* modules and files */
	struct interner known; /* each the bytes of one struct origin_ids */
};

void origin_init(struct origins *p, struct arena *arena);

/* label is the number of the name in the names of the stacks.  at->name is not used. */
void origin_add(struct origins *p, str_id label, const struct origin *at);

/* Returns false if line is not such a line.  *out points into line. */
bool origin_parse(struct str line, struct origin *out);

/*
 * Returns the origins of the labels that used marks, one for each module and file of a name,
 * sorted by name, module and file.  Sets *n.  In scratch.
 */
const struct origin_ids *origin_list(const struct origins *p,
                                     const struct interner *names, const bool *used,
                                     struct arena *scratch, size_t *n);

/* Writes the lines of the labels that used marks. */
void origin_write(struct out *o, const struct origins *p, const struct interner *names,
                  const bool *used, struct arena *scratch);

#endif

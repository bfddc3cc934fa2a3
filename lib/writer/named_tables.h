/*
 * named_tables - the strings, functions and lines that named_pprof and named_otlp have in common.
 *
 * Their messages differ only in the first field of a function: in pprof this is its number.
 */
#ifndef WRITER_NAMED_TABLES_H
#define WRITER_NAMED_TABLES_H

#include "symbol/profile.h"
#include "writer/wireput.h"

/* What the names of a location have. */
enum { HAS_FUNCTIONS = 1, HAS_LINES = 2 };

struct named_tables {
	struct profile *p;
	struct arena *arena;
	bool numbered; /* functions have their number in field 1 */
	/* Writes a function when it is first used. */
	void (*put_function)(void *ctx, struct str message);
	void *ctx;
	/* numbers of the first added ones */
	uint64_t first_string, first_function;
	struct interner strings;   /* added strings.  The first one is empty */
	struct interner functions; /* (name, file and line of its beginning) -> number */
	struct wireput part, inner;
};

/* Begins empty tables.  The fields up to first_function must be set. */
void named_tables_begin(struct named_tables *t);

/* Returns the number of a string, 0 if it is empty. */
uint64_t named_tables_string(struct named_tables *t, struct str s);

/*
 * Writes the names of a frame as field `field` of its location.  Returns HAS_FUNCTIONS and
 * HAS_LINES, or 0 if it has no name.
 */
uint32_t named_tables_lines(struct named_tables *t, struct wireput *to, uint32_t field,
                            const struct resolved *r);

/*
 * Returns the names that location `number` of the input gets, or NULL if it has names already, or
 * gets none.
 */
const struct resolved *named_tables_new(const struct named_tables *t, size_t number);

/*
 * Return the name and the unit of a type of values for readers of pprof, which know "cpu" and
 * "samples".  A type that has a unit in the input stays as it is.
 */
struct str named_tables_type(const struct attr *attr);
struct str named_tables_unit(const struct attr *attr);

#endif

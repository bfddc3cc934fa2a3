/*
 * named_tables - the strings, functions and lines that named_pprof and named_otlp have in common.
 *
 * Both formats encode strings, functions and lines in the same way, except that pprof has the
 * number of a function in field 1.
 */
#ifndef WRITER_NAMED_TABLES_H
#define WRITER_NAMED_TABLES_H

#include "symbol/profile.h"
#include "reader/wireput.h"

/* Bits for a location: its names have functions, or source lines. */
enum { HAS_FUNCTIONS = 1, HAS_LINES = 2 };

struct named_tables {
	struct profile *p;
	struct arena *arena;
	bool numbered; /* field 1 of a function is its number (pprof) */
	/* Called for each function when it is first used. */
	void (*put_function)(void *ctx, struct str message);
	void *ctx;
	/* numbers of the first string and the first function that are added */
	uint64_t first_string, first_function;
	struct interner strings; /* added strings.  String 0 is empty */
	/* key: name, and file and line at which the function begins */
	struct interner functions;
	struct buffer part, inner;
};

/* Begins empty tables.  The fields up to first_function must be set. */
void named_tables_begin(struct named_tables *t);

/* Returns the number of a string, 0 if it is empty. */
uint64_t named_tables_string(struct named_tables *t, struct str s);

/*
 * Writes the names of a frame to its location, as field number `field`.  Returns HAS_FUNCTIONS
 * and HAS_LINES, or 0 if the frame has no name.
 */
uint32_t named_tables_lines(struct named_tables *t, struct buffer *to, uint32_t field,
                            const struct resolved *r);

/*
 * Returns the new names of location `number` of the input.  Returns NULL if the location has a
 * name in the input, or if no name was found.
 */
const struct resolved *named_tables_new(const struct named_tables *t, size_t number);

/*
 * Return the name and the unit of an event's values.  Readers of pprof know the names "cpu" and
 * "samples", which are used unless the input states a unit.
 */
struct str named_tables_type(const struct attr *attr);
struct str named_tables_unit(const struct attr *attr);

#endif

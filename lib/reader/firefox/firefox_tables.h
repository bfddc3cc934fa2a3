/*
 * firefox_tables - converts the tables of a Firefox Profiler profile to rows of code locations,
 * struct located_place.  Private to firefox/.
 *
 * Since version 60, a profile has one set of tables.  In older versions, each thread has a set.
 */
#ifndef READER_FIREFOX_FIREFOX_TABLES_H
#define READER_FIREFOX_FIREFOX_TABLES_H

#include "base/table.h"
#include "reader/located.h"

/* A cell that is missing, null or negative. */
#define FIREFOX_NONE UINT64_MAX

enum firefox_column {
	STACK_FRAME,
	STACK_PREFIX,
	STACK_OFFSET,
	FRAME_ADDRESS,
	FRAME_FUNC,
	FRAME_LIB,
	FRAME_LINE,
	FRAME_DEPTH,
	FRAME_FLAGS,
	FUNC_NAME,
	FUNC_RESOURCE,
	FUNC_SOURCE,
	FUNC_FILE,
	FUNC_LINE,
	FUNC_FLAGS,
	RESOURCE_LIB,
	RESOURCE_NAME,
	SOURCE_NAME,
	FIREFOX_COLUMNS
};

/* A stack.  Functions that are inlined into each other share one place. */
struct firefox_stack {
	uint32_t place; /* index of the place of the last frame, or UINT32_MAX */
	uint32_t next;  /* 1 + index of the stack of the caller, or 0 */
};

struct firefox_tables {
	struct {
		uint64_t *cell;
		size_t n, cap;
	} column[FIREFOX_COLUMNS]; /* empty after firefox_tables_settle */
	struct firefox_stack *stack;
	size_t nstacks;
};

/*
 * A function of a place.  The functions of a place form a chain that begins with the innermost
 * function.
 */
struct firefox_function {
	uint32_t name, file; /* indices of strings, or UINT32_MAX if missing */
	uint32_t line, begins;
	uint32_t next; /* 1 + index of the place of the outer function, or 0 */
};

struct firefox_places {
	struct located *l;
	struct str *string;
	size_t nstrings, strings_cap;
	/* version of the format, or 0 if the profile does not contain it */
	uint64_t version;
	/* number of libraries.  The libraries are the first mappings */
	size_t nlibs;
	struct firefox_function *function; /* by place */
	size_t functions_cap;
	/*
	 * (outer place, inlined place) -> 1 + the joined place
	 * (UINT64_MAX, string) -> 1 + the mapping of a resource with this name
	 */
	struct table joined;
};

/* Adds a cell of a column. */
void firefox_tables_cell(struct firefox_places *p, struct firefox_tables *t,
                         enum firefox_column column, uint64_t cell);

/*
 * Makes the stacks and places of t.  Call it when all tables are known.  shared: the tables with
 * the names of source files.
 */
void firefox_tables_settle(struct firefox_places *p, struct firefox_tables *t,
                           const struct firefox_tables *shared);

#endif

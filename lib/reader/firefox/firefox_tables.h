/*
 * firefox_tables - the tables of a profile of Firefox Profiler, as places of located.h.  Private to
 * firefox/.
 *
 * A profile has one set of tables, or one for each thread before version 60.
 */
#ifndef READER_FIREFOX_FIREFOX_TABLES_H
#define READER_FIREFOX_FIREFOX_TABLES_H

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

/* A stack without the frames that are inlined into its last frame. */
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

/* The functions of a place, which follow in a chain from the innermost one. */
struct firefox_function {
	uint32_t name, file; /* indices of strings.  file: or UINT32_MAX */
	uint32_t line, begins;
	uint32_t next; /* 1 + index of the place into which it is inlined, or 0 */
};

struct firefox_places {
	struct located *l;
	struct str *string;
	size_t nstrings, strings_cap;
	uint64_t version;                  /* of the format, or 0 if it was not found */
	size_t nlibs;                      /* they are the first mappings */
	struct firefox_function *function; /* by place */
	size_t functions_cap;
	struct table *joined; /* (place, place inlined into it) -> 1 + their place */
};

/* Adds a cell of a column. */
void firefox_tables_cell(struct firefox_places *p, struct firefox_tables *t,
                         enum firefox_column column, uint64_t cell);

/*
 * Makes the stacks and places of t, when all tables are known.  shared: the tables that have the
 * sources.
 */
void firefox_tables_settle(struct firefox_places *p, struct firefox_tables *t,
                           const struct firefox_tables *shared);

#endif

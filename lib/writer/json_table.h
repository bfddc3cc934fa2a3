/*
 * json_table - a table of distinct rows of numbers, written as an object of JSON with an array for
 * each column.
 */
#ifndef WRITER_JSON_TABLE_H
#define WRITER_JSON_TABLE_H

#include "base/intern.h"
#include "base/out.h"

struct json_column {
	const char *name;
	/* if not NULL, the text of all cells in the column.  Rows then do not contain the cell */
	const char *always;
	/*
	 * true if each cell is 1 + the index of an earlier row, or 0.  The distance to the
	 * earlier row is written instead
	 */
	bool distance;
};

struct json_table {
	const char *name;
	const struct json_column *columns; /* the last column has no name */
	struct interner rows;
};

void json_table_init(struct json_table *t, const char *name,
                     const struct json_column *columns, struct arena *arena);

/*
 * Returns the index of the row with these n cells.  Adds the row if it is new.  A cell may be
 * JSON_NONE.
 */
uint32_t json_table_row(struct json_table *t, const int64_t *cells, size_t n);

/* Returns a cell of a row. */
int64_t json_table_cell(const struct json_table *t, uint32_t row, size_t cell);

size_t json_table_rows(const struct json_table *t);

/* Writes "NAME":{"COLUMN":[CELL,...],...,"length":ROWS}. */
void json_table_write(const struct json_table *t, struct out *o);

#endif

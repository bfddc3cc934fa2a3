/*
 * annotated_rows - writes listings as CSV, TSV or JSON for other programs.  Each instruction or
 * source line with a weight has a row.
 */
#ifndef WRITER_ANNOTATE_ANNOTATED_ROWS_H
#define WRITER_ANNOTATE_ANNOTATED_ROWS_H

#include "writer/annotate/annotated.h"

struct annotated_rows {
	struct out *o;
	const struct annotated_look *look;
	bool json;     /* JSON instead of CSV */
	uint64_t rows; /* number of rows so far */
};

void annotated_rows_begin(struct annotated_rows *r, const struct spots *s);
void annotated_rows_put(struct annotated_rows *r, const struct listing *l);
void annotated_rows_end(struct annotated_rows *r);

/* Writes a CSV row for one file of the index. */
void annotated_rows_index(struct out *o, struct str file, const char *suffix,
                          const struct spots *s, const struct spot_function *f);

#endif

/*
 * annotated_rows - writes listings for other programs: a row for each instruction or source line
 * with a weight.
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

/* Writes a row of the index of files, in CSV. */
void annotated_rows_index(struct out *o, struct str file, const char *suffix,
                          const struct spots *s, const struct spot_function *f);

#endif

/*
 * spans - marked spans of time, which are drawn on the time strip.  pfold writes them after the
 * header of a table by second (measure/marks.h):
 *
 * 	# pfold mark from=12.340125 to=12.361000 [GC gen2 Induced]
 */
#ifndef WRITER_FLAME_SPANS_H
#define WRITER_FLAME_SPANS_H

#include "base/arena.h"

/* maximum number of spans.  The longest spans are kept */
enum { SPANS_MOST = 2000 };

struct span {
	/* in ns since the beginning of the table's first second */
	uint64_t from_ns, to_ns;
	struct str text;
};

struct spans {
	struct span *span;
	size_t n, cap;
	uint64_t read; /* number of spans that were read, including dropped ones */
};

/* Parses a time such as "12.34", with at most nine decimals.  Returns false for other text. */
bool spans_time(struct str s, uint64_t *ns);

/*
 * Reads a line "# pfold mark ...".  Returns false for other lines.  Returns true for a damaged
 * mark, but does not add a span.  Copies the text to `a`.
 */
bool spans_read(struct spans *s, struct str line, struct arena *a);

/* Keeps the longest spans, and sorts them by time. */
void spans_sort(struct spans *s);

#endif

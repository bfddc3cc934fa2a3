/*
 * format_check - tells whether the text of a tracepoint format can be given to
 * libtraceevent; private to reader/.
 *
 * The library crashes on text that is no format, recurses over the expressions in it and
 * computes addresses from them.  So a format is first parsed here, by the grammar that
 * Linux's own formats follow; any other is refused.
 */
#ifndef READER_TRACEPOINT_FORMAT_CHECK_H
#define READER_TRACEPOINT_FORMAT_CHECK_H

#include "base/str.h"

enum {
	FORMAT_SIZE =
	        16 << 10,     /* bytes of a format; the longest of Linux 6.18 has 5.5 k */
	FORMAT_LENGTH = 8192, /* elements printed of an array */
	FORMAT_LENGTHS = 4,
	FORMAT_NAME = 64,
};

/* Fields that give the number of elements to print; to be checked in each payload. */
struct format_lengths {
	char name[FORMAT_LENGTHS][FORMAT_NAME];
	size_t n;
};

bool format_check(struct str text, struct format_lengths *out);

/* The format without its print format; empty when even that part fails the check. */
struct str format_check_head(struct str text);

/* True: the text is lines of fields alone (header_page). */
bool format_check_fields(struct str text);

#endif

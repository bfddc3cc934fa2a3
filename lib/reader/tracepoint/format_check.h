/*
 * format_check - can the text of a tracepoint format be given to libtraceevent?  Private to
 * reader/.
 *
 * The library crashes on other text, recurses over expressions and computes addresses from them.
 * So a format is first parsed here, by the grammar of Linux's own formats, and other text is
 * refused.
 */
#ifndef READER_TRACEPOINT_FORMAT_CHECK_H
#define READER_TRACEPOINT_FORMAT_CHECK_H

#include "base/str.h"

enum {
	FORMAT_SIZE =
	        /* bytes of a format.  The longest of Linux 6.18 has 5.5 k */
	16 << 10,
	FORMAT_LENGTH = 8192, /* elements printed of an array */
	FORMAT_LENGTHS = 4,
	FORMAT_NAME = 64,
};

/* Fields with the number of elements to print, which are checked in each payload. */
struct format_lengths {
	char name[FORMAT_LENGTHS][FORMAT_NAME];
	size_t n;
};

bool format_check(struct str text, struct format_lengths *out);

/* Returns the format without its print format.  Empty if even that part fails the check. */
struct str format_check_head(struct str text);

/* Returns true if the text is lines of fields alone (header_page). */
bool format_check_fields(struct str text);

#endif

/*
 * format_check - checks if libtraceevent can safely use the text of a tracepoint format.  Private
 * to reader/.
 *
 * The library crashes on other text.  It recurses over expressions, and computes addresses from
 * them.  The text is therefore parsed here first, by the grammar of Linux's own formats.  Other
 * text is refused.
 */
#ifndef READER_TRACEPOINT_FORMAT_CHECK_H
#define READER_TRACEPOINT_FORMAT_CHECK_H

#include "base/str.h"

enum {
	/* Maximum bytes of a format.  The longest format of Linux 6.18 has 5.5 k. */
	FORMAT_SIZE = 16 << 10,
	/* maximum number of elements of an array that are printed */
	FORMAT_LENGTH = 8192,
	FORMAT_LENGTHS = 4,
	FORMAT_NAME = 64,
};

/*
 * Names of the fields that hold numbers of elements to print.  They are checked in each payload.
 */
struct format_lengths {
	char name[FORMAT_LENGTHS][FORMAT_NAME];
	size_t n;
};

bool format_check(struct str text, struct format_lengths *out);

/*
 * Returns the format without its print format, or an empty string if this part fails the check.
 */
struct str format_check_head(struct str text);

/* Returns true if the text consists only of lines of fields, as header_page does. */
bool format_check_fields(struct str text);

#endif

/*
 * format_check - checks whether libtraceevent can safely parse a tracepoint format.  Private to
 * reader/.
 *
 * The library may crash on malicious formats, because it recurses over expressions, and computes
 * addresses from them.  Therefore this module first parses the format by the grammar of Linux's
 * own formats, and refuses all others.
 */
#ifndef READER_TRACEPOINT_FORMAT_CHECK_H
#define READER_TRACEPOINT_FORMAT_CHECK_H

#include "base/str.h"

enum {
	/* maximum size in bytes.  The longest format of Linux 6.18 has 5.5 kB */
	FORMAT_SIZE = 16 << 10,
	/* maximum number of printed elements of an array */
	FORMAT_LENGTH = 8192,
	FORMAT_LENGTHS = 4,
	FORMAT_NAME = 64,
};

/*
 * Names of fields that contain a number of elements to print.  Their values are checked in each
 * payload.
 */
struct format_lengths {
	char name[FORMAT_LENGTHS][FORMAT_NAME];
	size_t n;
};

bool format_check(struct str text, struct format_lengths *out);

/*
 * Returns the part of a format before the print format, or an empty string if that part is
 * refused.
 */
struct str format_check_head(struct str text);

/* Returns true if the text consists only of lines that describe fields, as header_page does. */
bool format_check_fields(struct str text);

#endif

/*
 * format_check - is the text of a tracepoint format one that libtraceevent can be given?
 * Private to reader/.
 *
 * The library crashes on what is no format, recurses over the expressions in it
 * and computes addresses from them.  So a format is first parsed here, by the
 * grammar that Linux's own follow; what is not of it is refused.
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

/* Fields that say how many elements are printed, to be tested with each payload. */
struct format_lengths {
	char name[FORMAT_LENGTHS][FORMAT_NAME];
	size_t n;
};

bool format_check(struct str text, struct format_lengths *out);

/* The format up to its print format; empty when already that fails the check. */
struct str format_check_head(struct str text);

/* The lines of fields alone (header_page). */
bool format_check_fields(struct str text);

#endif

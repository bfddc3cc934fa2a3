/*
 * tame - is the text of a tracepoint format one that libtraceevent can be given?
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
	TAME_SIZE = 16 << 10, /* bytes of a format; the longest of Linux 6.18 has 5.5 k */
	TAME_LENGTH = 8192,   /* elements printed of an array */
	TAME_LENGTHS = 4,
	TAME_NAME = 64,
};

/* Fields that say how many elements are printed, to be tested with each payload. */
struct tame {
	char lengths[TAME_LENGTHS][TAME_NAME];
	size_t nlengths;
};

bool tame_check(struct str text, struct tame *out);

/* The format up to its print format; empty when already that is not tame. */
struct str tame_head(struct str text);

/* The lines of fields alone (header_page). */
bool tame_is_fields(struct str text);

#endif

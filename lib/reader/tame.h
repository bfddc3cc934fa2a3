/*
 * tame - is the text of a tracepoint format one that libtraceevent can be given?
 * Private to reader/.
 *
 * The library recurses over the expressions in it and computes addresses from
 * them.  Real formats are short and simple; what is deeper, longer or cleverer
 * than any of Linux's is refused.
 */
#ifndef READER_TAME_H
#define READER_TAME_H

#include "base/str.h"

enum {
	TAME_SIZE = 64 << 10, /* bytes of a format; the longest of Linux 6.18 has 5.5 k */
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

/* For what has no expressions (header_page): short, printable, no brackets. */
bool tame_is_plain(struct str text);

#endif

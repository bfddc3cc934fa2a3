/*
 * name_offset - compares a named frame of a text with the ELF file of its module, to find whether
 * the text prints file offsets or run-time addresses.  symbol/text/ decides.
 *
 * The text prints an address, a function name and an offset.  The address minus the offset is the
 * start of the function.  If the text prints file offsets, this start is the file offset of the
 * function's symbol.  If the text prints run-time addresses, the start differs from the symbol's
 * va by a whole number of pages.
 */
#ifndef BIND_NATIVE_NAME_OFFSET_H
#define BIND_NATIVE_NAME_OFFSET_H

#include "bind/bind.h"
#include "reader/perftext/frameline.h"

/*
 * The result of a comparison.  If neither offset nor absolute is set, the function has moved, so
 * the file is from another build.
 */
struct name_offset {
	bool offset;   /* the address is a file offset */
	bool absolute; /* the address is a run-time address with this bias */
	/* private: several functions have this name, and their addresses differ by whole pages */
	bool ambiguous;
	uint64_t bias; /* address minus file offset */
};

/*
 * Compares ft with the ELF file at the path of m.  Returns false if ft is not usable as evidence.
 */
bool name_offset_compare(struct binder *b, const struct mapping *m,
                         const struct frame_text *ft, struct name_offset *out);

/*
 * Marks the ELF file of m, an assumed mapping, as verified by named frames, so that it may name
 * other frames.
 */
void name_offset_confirm(struct binder *b, const struct mapping *m);

#endif

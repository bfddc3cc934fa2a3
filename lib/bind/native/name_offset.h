/*
 * name_offset - compares a named frame with the ELF file of its module, to learn the form of a
 * text's addresses.
 *
 * The ELF file has the place of the named function.  The printed address minus the offset after
 * the name is the start of the function.  In one form this is its offset in the file.  In the
 * other form it is a whole number of pages away from the va of the function.
 */
#ifndef BIND_NATIVE_NAME_OFFSET_H
#define BIND_NATIVE_NAME_OFFSET_H

#include "bind/bind.h"
#include "reader/perftext/frameline.h"

/*
 * The result of a comparison.  If neither offset nor absolute is set, the function is at another
 * place, so the file is of another build.
 */
struct name_offset {
	bool offset;    /* the address is an offset in the file */
	bool absolute;  /* the address is a run-time address, moved by bias */
	bool ambiguous; /* private: functions of that name are whole pages apart */
	uint64_t bias;  /* address - file offset */
};

/* Compares ft with the ELF file at the path of m.  Returns false if ft is not evidence. */
bool name_offset_compare(struct binder *b, const struct mapping *m,
                         const struct frame_text *ft, struct name_offset *out);

/*
 * Marks the ELF file of m, an assumed mapping, as verified by named frames.  It may name other
 * frames.
 */
void name_offset_confirm(struct binder *b, const struct mapping *m);

#endif

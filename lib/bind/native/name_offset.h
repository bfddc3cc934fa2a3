/*
 * name_offset - evidence about a text's addresses from a named frame.
 *
 * The file of the frame's module has the place of the named function.  The printed address minus
 * the offset after the name is that place in the file, or a whole number of pages away from the
 * place at which a loader would put it.
 */
#ifndef BIND_NATIVE_NAME_OFFSET_H
#define BIND_NATIVE_NAME_OFFSET_H

#include "bind/bind.h"
#include "reader/perftext/frameline.h"

/* Neither offset nor absolute: the function is elsewhere, so the file is another build. */
struct name_offset {
	bool offset;    /* the address is an offset in the file */
	bool absolute;  /* it is the run-time address, moved by bias */
	bool ambiguous; /* private: functions of that name are pages apart */
	uint64_t bias;  /* address - file offset */
};

/* Compares ft with the ELF file that has the path of m.  Returns false if ft is not evidence. */
bool name_offset_compare(struct binder *b, const struct mapping *m,
                         const struct frame_text *ft, struct name_offset *out);

/* Named frames agree with the ELF file of m, an assumed mapping: it may name others. */
void name_offset_confirm(struct binder *b, const struct mapping *m);

#endif

/*
 * calibrate - what names in a text show of its numbers; private to symbol/.
 */
#ifndef BIND_NATIVE_NAME_OFFSET_H
#define BIND_NATIVE_NAME_OFFSET_H

#include "bind/bind.h"
#include "reader/perftext/frameline.h"

/*
 * What the number of a text's frame that has a name is, by the ELF file called as m, of
 * which nothing else may be known.  Neither offset nor absolute: the function is
 * elsewhere in that file, so it is another build.  False: the frame shows nothing.
 */
struct calibration {
	bool offset;   /* in the file */
	bool absolute; /* the address it ran at, moved by bias */
	bool torn;     /* private: there are functions of that name pages apart */
	uint64_t bias; /* address - file offset */
};
bool bind_calibrate(struct binder *b, const struct mapping *m,
                    const struct frame_text *ft, struct calibration *out);

/* m, an assumed one, is of the ELF file called so: names of the text agree with it. */
void bind_shown(struct binder *b, const struct mapping *m);

#endif

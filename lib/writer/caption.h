/*
 * caption - makes the text of a box from a name.
 *
 * A name may contain any bytes.  A caption is valid UTF-8, and contains neither control
 * characters nor annotations of folded stacks ("_[k]").
 */
#ifndef WRITER_CAPTION_H
#define WRITER_CAPTION_H

#include "base/arena.h"

enum {
	CAPTION_KERNEL = 1,   /* _[k] */
	CAPTION_INLINED = 2,  /* _[i] */
	CAPTION_JIT = 4,      /* _[j] */
	CAPTION_WAKER = 8,    /* _[w] */
	CAPTION_RUNTIME = 16, /* _[r] */
};

/* Returns name without annotations, and sets *kinds to their CAPTION_* bits. */
struct str caption_strip(struct str name, unsigned *kinds);

/*
 * Returns s with escapes such as "\x1b" for control characters, bytes that are not UTF-8, marks
 * of text direction, and noncharacters.  Returns s itself if it needs no escape.
 */
struct str caption_clean(struct arena *a, struct str s);

/*
 * Writes the part of text that fits into `most` characters to out (of size >= text.n + 4).  If the
 * whole text does not fit, an ellipsis (here "~") replaces leading namespaces:
 * "~Dictionary::TryInsert", "~TryInsert".  If the last name is still too long, its end is cut:
 * "TryIn~".  With `right`, only the end of the text is cut.  The result is empty if no useful
 * part fits.
 */
struct str caption_fit(struct str text, size_t most, bool right, char *out);

#endif

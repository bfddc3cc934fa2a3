/*
 * caption - the text of a box: a name that is safe to display.
 *
 * Names are arbitrary bytes.  A caption is valid UTF-8 without control characters and without the
 * annotations of folded stacks ("_[k]").
 */
#ifndef WRITER_CAPTION_H
#define WRITER_CAPTION_H

#include "base/arena.h"

enum {
	KIND_KERNEL = 1,   /* _[k] */
	KIND_INLINED = 2,  /* _[i] */
	KIND_JIT = 4,      /* _[j] */
	KIND_WAKER = 8,    /* _[w] */
	KIND_RUNTIME = 16, /* _[r] */
};

/* name without its annotations, of which *kinds gets a bit each. */
struct str caption_strip(struct str name, unsigned *kinds);

/*
 * Returns s with control characters, bytes outside UTF-8, marks of direction and noncharacters as
 * "\x1b".  Returns s itself if it has none of them.
 */
struct str caption_clean(struct arena *a, struct str s);

/*
 * Writes the part of text that fits into `most` characters to out (of size >= text.n + 4): all of
 * it, or without leading namespaces, with "~" for the ellipsis: "~Dictionary::TryInsert",
 * "~TryInsert", or the last name cut, "TryIn~".  With `right` only the end is cut.  Empty if no
 * useful part fits.
 */
struct str caption_fit(struct str text, size_t most, bool right, char *out);

#endif

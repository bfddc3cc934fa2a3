/*
 * caption - what a box says: a name as text that is safe to show.
 *
 * Names are bytes from anywhere.  A caption is valid UTF-8 without control
 * characters, and the annotations of folded stacks ("_[k]") are off it.
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
 * Control characters, and bytes that are not UTF-8, as "\x1b"; likewise what turns
 * the direction of writing or is no character.  s itself when all is well.
 */
struct str caption_clean(struct arena *a, struct str s);

/*
 * Of text, what fits in `most` characters, into out (of size >= text.n + 4): all of
 * it; or without the namespaces in front, "~" standing for the ellipsis:
 * "~Dictionary::TryInsert", "~TryInsert"; or the last name cut, "TryIn~".  With
 * `right` only the end is cut.  Empty when nothing sensible fits.
 */
struct str caption_fit(struct str text, size_t most, bool right, char *out);

#endif

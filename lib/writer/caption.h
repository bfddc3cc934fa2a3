/*
 * caption - makes displayable text from a name, which may contain any bytes: valid UTF-8 without
 * control characters.  Also shortens text so that it fits into a box.
 */
#ifndef WRITER_CAPTION_H
#define WRITER_CAPTION_H

#include "base/arena.h"
#include "base/out.h"

/*
 * Returns s with escapes such as "\x1b" for control characters, bytes that are not UTF-8, marks
 * of text direction, and noncharacters.  Returns s itself if it needs no escape.
 */
struct str caption_clean(struct arena *a, struct str s);

/* Writes caption_clean(s). */
void caption_put(struct out *o, struct str s);

/*
 * Writes the part of text that fits into `most` characters to out (of size >= text.n + 4).  If the
 * whole text does not fit, an ellipsis (here "~") replaces leading namespaces:
 * "~Dictionary::TryInsert", "~TryInsert".  If the last name is still too long, its end is cut:
 * "TryIn~".  With `right`, only the end of the text is cut.  The result is empty if no useful
 * part fits.
 */
struct str caption_fit(struct str text, size_t most, bool right, char *out);

#endif

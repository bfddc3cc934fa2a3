/*
 * known_lines - remembers the fields of recently parsed frame lines of a text.  Private to reader/.
 *
 * Most lines of a text, including their address, are equal to a recent line.  The address and the
 * start of the name select a remembered line.  If all bytes are equal, the end and fields of that
 * line are reused.  Memory is bounded, because a new line replaces the old line in its slot.
 */
#ifndef READER_PERFTEXT_KNOWN_LINES_H
#define READER_PERFTEXT_KNOWN_LINES_H

#include "base/arena.h"
#include "reader/event.h"

struct known_lines;

/* Returns a new object, which lives as long as `run`. */
struct known_lines *known_lines_new(struct arena *run);

/*
 * Call this before the first line of an event.  Lines of the same event do not replace each
 * other.
 */
void known_lines_begin(struct known_lines *k);

/*
 * Fills the array f with the frames of at most `most` known lines at the start of `text`.  Sets
 * *n to their number.  Returns their length, including line ends.
 */
size_t known_lines_take(struct known_lines *k, struct str text, struct frame *f,
                        size_t most, size_t *n);

/*
 * Remembers a line that frameline_split parsed, if it is short enough and occurs for the second
 * time.  Sets f->known if the line is remembered.
 */
void known_lines_keep(struct known_lines *k, struct frame *f);

/* Returns the array for event.notes. */
uint32_t *known_lines_notes(struct known_lines *k);

#endif

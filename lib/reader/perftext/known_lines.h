/*
 * known_lines - recent frame lines of a text.  Private to reader/.
 *
 * Most lines of a text repeat one of the thousands of lines before, with the same address.  The
 * address and the start of the name are used to find such a line, and it is compared completely.
 * Then its end and its fields are known.  Memory is bounded: each line has one place, and another
 * line with the same place replaces it.
 */
#ifndef READER_PERFTEXT_KNOWN_LINES_H
#define READER_PERFTEXT_KNOWN_LINES_H

#include "base/arena.h"
#include "reader/event.h"

struct known_lines;

/* Lives as long as run. */
struct known_lines *known_lines_new(struct arena *run);

/* Before the first line of each event: lines of one event do not replace each other. */
void known_lines_begin(struct known_lines *k);

/*
 * Takes the lines at the front of text that are known, at most `most`, into f.  Returns their
 * bytes with the line ends, and their number in *n.
 */
size_t known_lines_take(struct known_lines *k, struct str text, struct frame *f,
                        size_t most, size_t *n);

/*
 * Remembers a line that frameline_split has taken, if it fits and is met a second time: then sets
 * f->known.
 */
void known_lines_keep(struct known_lines *k, struct frame *f);

/* For event.notes. */
uint32_t *known_lines_notes(struct known_lines *k);

#endif

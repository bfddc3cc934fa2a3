/*
 * textline - the frames of a text, line by line: named once for each distinct line and,
 * where it says [unknown], for each mapping that it may lie in; private to symbol/.
 */
#ifndef SYMBOL_TEXT_TEXTLINE_H
#define SYMBOL_TEXT_TEXTLINE_H

#include "symbol/resolve.h"
#include "symbol/text/textplace.h"

struct text_line;

/* The lines of a text. */
struct textlines {
	struct session *s;
	struct frames *frames;
	struct textplace place;
	struct interner lines;
	struct text_line *line; /* by str_id of lines */
	size_t lines_cap;
	struct table by_line; /* (line and caller, mapping or pid) -> frame_id + 1 */
	uint64_t unplaced;    /* frames of JIT code whose ip nothing tells, */
	uint64_t unowned;     /* and those of them whose process nothing tells */
	uint64_t unmapped;    /* frames of files, likewise */
};

void textline_init(struct textlines *t, struct session *s, struct frames *frames);

/* The frames of a sample, into frames->ids; returns the number of its callers' chain. */
uint32_t textline_resolve(struct textlines *t, const struct event *ev, int32_t pid);

/* Tells the binder which frames of ev, a sample, have no name. */
void textline_note(struct textlines *t, const struct event *ev);

/* After textline_note of all: says which mappings would name more. */
void textline_say_unplaced(const struct textlines *t);

/* Counts the frames of a text that is copied as it is, because nothing can name one. */
void textline_count(struct textlines *t, const struct event *ev);

#endif

/*
 * textline - the frames of a text, line by line: made once for each distinct name.  Where a
 * line says [unknown] and a source may name it, its address is looked up in the mapping that it
 * may lie in, unless it was met lately.  Private to symbol/.
 */
#ifndef SYMBOL_TEXT_TEXTLINE_H
#define SYMBOL_TEXT_TEXTLINE_H

#include "symbol/resolve.h"
#include "symbol/text/textplace.h"

struct line_name;
struct unnamed_line;

/* The lines of a text. */
struct textlines {
	struct session *s;
	struct frames *frames;
	struct textplace place;
	uint64_t seed;
	struct table by_name; /* (hash of the name, source line and inlined) -> name + 1 */
	struct line_name *name;
	size_t nnames, names_cap;
	uint32_t *quick; /* name + 1 by the ends of lines; NULL: none yet */
	struct unnamed_line *unnamed; /* those met lately, by a hash; NULL: none yet */
	struct interner prefixes;
	frame_id none;     /* + 1: of a line that is no frame */
	uint64_t unplaced; /* frames of JIT code whose ip nothing tells, */
	uint64_t unowned;  /* and those of them whose process nothing tells */
	uint64_t unmapped; /* frames of files, likewise */
};

void textline_init(struct textlines *t, struct session *s, struct frames *frames);

/* The frames of a sample, into frames->ids. */
void textline_resolve(struct textlines *t, const struct event *ev, int32_t pid);

/* Tells the binder which frames of ev, a sample, have no name. */
void textline_note(struct textlines *t, const struct event *ev);

/* After textline_note of all: says which mappings would name more. */
void textline_say_unplaced(const struct textlines *t);

#endif

/*
 * textline - makes frames from the lines of a text, each distinct name once.  If a line is
 * [unknown] and a source may name it, its address is looked up in the mapping that may contain
 * it, unless the result is cached.  Private to symbol/.
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
	/* (hash of the name, source line and inlined) -> index of name + 1 */
	struct table by_name;
	struct line_name *name;
	size_t nnames, names_cap;
	uint32_t *quick; /* index of name + 1, by a hash of parts of the line, or NULL */
	struct unnamed_line *unnamed; /* recent unnamed lines, by a hash, or NULL */
	struct interner prefixes;
	frame_id none;     /* frame_id + 1 of lines that are not frames, or 0 */
	uint64_t unplaced; /* frames of JIT code with an unknown run-time address */
	uint64_t unowned;  /* frames of `unplaced` with an unknown process */
	uint64_t unmapped; /* frames in files with an unknown place */
};

void textline_init(struct textlines *t, struct session *s, struct frames *frames);

/* Resolves the frames of a sample into t->frames->sample. */
void textline_resolve(struct textlines *t, const struct event *ev, int32_t pid);

/* Passes the unnamed frames of a sample to the binder. */
void textline_note(struct textlines *t, const struct event *ev);

/* Reports which mappings would name more frames.  Call it after textline_note of all samples. */
void textline_report_unplaced(const struct textlines *t);

#endif

/*
 * textline - the frames of a text, line by line, made once for each distinct name.  If a line is
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
	/* (hash of the name, source line and inlined) -> name + 1 */
	struct table by_name;
	struct line_name *name;
	size_t nnames, names_cap;
	uint32_t *quick;              /* name + 1 by the ends of lines, or NULL */
	struct unnamed_line *unnamed; /* recent ones, by a hash, or NULL */
	struct interner prefixes;
	frame_id none;     /* + 1: of a line that is no frame */
	uint64_t unplaced; /* frames of JIT code with an unknown ip, */
	uint64_t unowned;  /* and those with an unknown process */
	uint64_t unmapped; /* the same for frames of files */
};

void textline_init(struct textlines *t, struct session *s, struct frames *frames);

/* The frames of a sample, into frames->ids. */
void textline_resolve(struct textlines *t, const struct event *ev, int32_t pid);

/* Passes the unnamed frames of ev, a sample, to the binder. */
void textline_note(struct textlines *t, const struct event *ev);

/* Call it after textline_note of all samples.  Reports which mappings would help to name more. */
void textline_report_unplaced(const struct textlines *t);

#endif

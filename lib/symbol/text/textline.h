/*
 * textline - makes frames from the lines of a text, one frame for each distinct name.  If a line is
 * [unknown], and an input file may name it, the address of the line is looked up in the mapping
 * that contains this address.  Results are cached.  Private to symbol/.
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
	/* (hash of the name, the source line and `inlined`) -> index of the name + 1 */
	struct table by_name;
	struct line_name *name;
	size_t nnames, names_cap;
	/* index of the name + 1, by a hash of parts of the line.  NULL before the first use */
	uint32_t *quick;
	/* recent unnamed lines, by a hash.  NULL before the first use */
	struct unnamed_line *unnamed;
	struct interner prefixes;
	frame_id none;     /* frame_id + 1 for lines that are not frames, or 0 */
	uint64_t unplaced; /* frames of JIT code without a known run-time address */
	uint64_t unowned;  /* frames of `unplaced` without a known process */
	uint64_t unmapped; /* frames in files without a known load address */
};

void textline_init(struct textlines *t, struct session *s, struct frames *frames);

/* Resolves the frames of a sample into t->frames->sample. */
void textline_resolve(struct textlines *t, const struct event *ev, int32_t pid);

/* Passes the unnamed frames of a sample to the binder. */
void textline_note(struct textlines *t, const struct event *ev);

/*
 * Reports which mappings would help to name more frames.  Call it after textline_note was called
 * for all samples.
 */
void textline_report_unplaced(const struct textlines *t);

#endif

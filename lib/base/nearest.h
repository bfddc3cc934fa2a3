/*
 * nearest - the text that is spelled most like a wanted one, for messages about a name that
 * does not occur.
 *
 * Texts are given one by one, and only the best is kept.  A text takes time for its length
 * alone, whatever is wanted: Myers, A fast bit-vector algorithm for approximate string
 * matching (1999).  Letters of either case count as equal.
 */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include "base/arena.h"

enum nearest_of {
	NEAREST_WHOLE,  /* the text itself */
	NEAREST_WORD,   /* the words in it */
	NEAREST_AROUND, /* the words in it, but the whole text is the answer */
};

struct nearest {
	struct arena *arena; /* of the answer */
	uint64_t at[256]; /* by byte: bit i is set if letter i of the wanted text is it */
	unsigned letters; /* of the wanted text, or 0 if it is too long to compare */
	unsigned distance; /* of the best text so far */
	struct str best;   /* empty: no text is much alike */
	enum nearest_of of;
	uint64_t looked; /* bytes, of which only so many are looked at */
};

/* A wanted text of less than 3 bytes or more than 64 has no answer. */
void nearest_init(struct nearest *n, struct str want, enum nearest_of of,
                  struct arena *a);

/* Looks at another text. */
void nearest_take(struct nearest *n, struct str text);

/*
 * Returns "; is NAME meant?", or an empty text if no text is similar.  Allocates from the arena.
 */
struct str nearest_question(const struct nearest *n);

/* Returns the longest literal part of a regular expression. */
struct str nearest_literal(struct str pattern, struct arena *a);

#endif

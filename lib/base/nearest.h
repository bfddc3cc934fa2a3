/*
 * nearest - finds the text that is most similar to a wanted text, for messages about
 * names that do not occur.
 *
 * Texts are passed one by one, and only the best text is kept.  The time for a text
 * depends only on its length: Myers, A fast bit-vector algorithm for approximate string
 * matching (1999).  Case is ignored.
 */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include "base/arena.h"

enum nearest_of {
	NEAREST_WHOLE,  /* the text itself */
	NEAREST_WORD,   /* the words in it */
	NEAREST_AROUND, /* the words in it, but the whole text is returned */
};

struct nearest {
	struct arena *arena; /* of the answer */
	/* for each byte: bit i is set if letter i of the wanted text is this byte */
	uint64_t at[256];
	/* number of letters in the wanted text, or 0 if it is too long or too short */
	unsigned letters;
	unsigned distance; /* distance of the best text so far */
	struct str best;   /* the best text so far, or empty if no text is similar */
	enum nearest_of of;
	uint64_t looked; /* number of bytes compared so far, to limit the time */
};

/*
 * Begins a search.  There is no answer if `want` has less than 3 bytes or more than 64.
 */
void nearest_init(struct nearest *n, struct str want, enum nearest_of of,
                  struct arena *a);

/* Looks at another text. */
void nearest_take(struct nearest *n, struct str text);

/*
 * Returns "; is NAME meant?", or an empty text if no text is similar.  The text is
 * allocated in the arena.
 */
struct str nearest_question(const struct nearest *n);

/* Returns the longest literal part of a regular expression. */
struct str nearest_literal(struct str pattern, struct arena *a);

#endif

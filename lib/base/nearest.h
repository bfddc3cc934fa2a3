/*
 * nearest - finds the text that is most similar to a wanted text, for messages about names that
 * do not occur.
 *
 * The caller passes texts one by one, and only the most similar one is kept.  The time for a text
 * depends only on its length: Myers, A fast bit-vector algorithm for approximate string matching
 * (1999).  Case is ignored.
 */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include "base/arena.h"

enum nearest_of {
	NEAREST_WHOLE,  /* compare the whole text */
	NEAREST_WORD,   /* compare the words in the text */
	NEAREST_AROUND, /* compare the words, but return the whole text */
};

struct nearest {
	struct arena *arena; /* memory for the answer */
	/* indexed by byte: bit i is set if letter i of the wanted text is this byte */
	uint64_t at[256];
	/* length of the wanted text, or 0 if it is too long or too short */
	unsigned letters;
	unsigned distance; /* distance of `best` */
	struct str best;   /* the most similar text so far, or empty */
	enum nearest_of of;
	uint64_t looked; /* number of compared bytes, which is limited */
};

/*
 * Starts a search for a text that is similar to `want`.  If `want` has less than 3 or more than 64
 * bytes, nearest_question always returns an empty string.
 */
void nearest_init(struct nearest *n, struct str want, enum nearest_of of,
                  struct arena *a);

/* Compares a text. */
void nearest_take(struct nearest *n, struct str text);

/* Returns "; is NAME meant?", in the arena, or an empty string if no text is similar. */
struct str nearest_question(const struct nearest *n);

/* Returns the longest literal part of a regular expression. */
struct str nearest_literal(struct str pattern, struct arena *a);

#endif

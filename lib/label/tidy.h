/* tidy - a name in the spelling that people use, for the tidy_LANGUAGE files. */
#ifndef LABEL_TIDY_H
#define LABEL_TIDY_H

#include "base/arena.h"

enum tidy_level {
	TIDY_FULL,  /* as in the source, with type arguments */
	TIDY_SHORT, /* type arguments as "<…>", lambdas without numbers */
	TIDY_NONE,  /* as the symbol has it */
};

struct tidy {
	struct arena *arena; /* holds the text */
	enum tidy_level level;
	char *p;
	size_t n, cap;
};

void tidy_put(struct tidy *t, struct str s);

static inline struct str tidy_text(const struct tidy *t)
{
	return (struct str){ t->p, t->n };
}

/*
 * Returns true if c is a letter or digit of ASCII, '_', '$', or part of a character beyond ASCII.
 */
static inline bool tidy_is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* Returns the index after the bracket that matches the one at `at`, or s.n. */
size_t tidy_close(struct str s, size_t at);

#endif

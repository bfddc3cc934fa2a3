/* tidy - the output buffer of the tidy_LANGUAGE files, which shorten names. */
#ifndef LABEL_TIDY_H
#define LABEL_TIDY_H

#include "base/arena.h"

enum tidy_level {
	TIDY_FULL,  /* names as in the source, with type arguments */
	TIDY_SHORT, /* "<…>" for type arguments, and lambdas without numbers */
	TIDY_NONE,  /* names as in the symbol */
};

struct tidy {
	struct arena *arena; /* memory of the text */
	enum tidy_level level;
	char *p;
	size_t n, cap;
};

void tidy_put(struct tidy *t, struct str s);

static inline struct str tidy_text(const struct tidy *t)
{
	return (struct str){ t->p, t->n };
}

/* Returns true if c is an ASCII letter or digit, '_', '$', or part of a non-ASCII character. */
static inline bool tidy_is_word(char c)
{
	return str_is_alnum(c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/*
 * Returns the depth of the text after c, if the depth before c is `depth`.  It counts the brackets
 * in `open` and `close`, and is never negative.
 */
size_t tidy_depth(size_t depth, char c, const char *open, const char *close);

/* Returns the index after the bracket that closes the bracket at `at`, or s.n. */
size_t tidy_close(struct str s, size_t at);

#endif

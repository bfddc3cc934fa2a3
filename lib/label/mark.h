/*
 * mark - the marks of frames, which label.c appends to labels, and which other code reads back from
 * folded stacks.
 */
#ifndef LABEL_MARK_H
#define LABEL_MARK_H

#include "base/str.h"

enum {
	MARK_KERNEL = 1,   /* "_[k]" */
	MARK_INLINED = 2,  /* "_[i]" */
	MARK_JIT = 4,      /* "_[j]": managed code, JIT-compiled or precompiled */
	MARK_WAKER = 8,    /* "_[w]": a waking function, in input of other programs */
	MARK_RUNTIME = 16, /* "_[r]": native code of a language runtime */
	/* the marks that label.c adds.  A label gets only the first that applies: i, j, k, r */
	MARK_ALL = MARK_KERNEL | MARK_INLINED | MARK_JIT | MARK_RUNTIME,
};

/* Returns `label` without its mark.  Sets *letter to the letter of the mark, or to 0. */
struct str mark_cut(struct str label, char *letter);

/* Returns `label` without all its known marks, and sets *marks to them. */
struct str mark_cut_all(struct str label, unsigned *marks);

#endif

/*
 * verdicts - reads the results of pdiff's statistical tests: which functions of a difference
 * changed.  pdiff writes a line for each verdict before the stacks.  Fields are separated by
 * tabs:
 *
 * 	# pdiff verdict parse   grew    end
 */
#ifndef WRITER_FLAME_VERDICTS_H
#define WRITER_FLAME_VERDICTS_H

#include "compare/contrast.h"

struct verdicts {
	uint8_t *of; /* indexed by str_id: the verdict + 1, or 0 */
	size_t n;
};

/* Reads a verdict.  Returns false if the line is not a verdict.  Ignores damaged verdicts. */
bool verdicts_read(struct verdicts *v, struct str line, struct interner *names,
                   struct arena *a);

/* Returns 1 + the verdict on a name, or 0. */
static inline unsigned verdicts_of(const struct verdicts *v, str_id name)
{
	return v && name < v->n ? v->of[name] : 0;
}

/* Returns true if the verdict is that the function has changed, or if there are no verdicts. */
static inline bool verdicts_allow(const struct verdicts *v, str_id name)
{
	unsigned of = verdicts_of(v, name);

	return !v || !v->n || of == VERDICT_GREW + 1 || of == VERDICT_SHRANK + 1;
}

#endif

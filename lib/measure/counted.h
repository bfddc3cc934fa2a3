/* counted - formats numbers of samples, pairs or lines for messages: ", 3 lines ignored". */
#ifndef MEASURE_COUNTED_H
#define MEASURE_COUNTED_H

#include "base/arena.h"
#include "base/diag.h"

struct counted {
	uint64_t n;
	/*
	 * one: words that follow the number 1.  many: words that follow other numbers, or
	 * NULL if both are equal
	 */
	const char *one, *many;
};

/* Returns all counts that are not 0, with a comma before each. */
struct str counted_list(struct arena *a, const struct counted *counts, size_t n);

/* Reports the counts that are not 0: "left out, 3 ends without a begin". */
void counted_report(struct diag *diag, struct arena *a, const struct counted *counts,
                    size_t n);

#endif

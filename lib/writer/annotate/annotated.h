/*
 * annotated - writes a listing as aligned text, in the layout of perf annotate --stdio.
 *
 * One column contains shares of the function's self weight, and another contains shares of its
 * total weight.
 */
#ifndef WRITER_ANNOTATE_ANNOTATED_H
#define WRITER_ANNOTATE_ANNOTATED_H

#include "base/out.h"
#include "writer/annotate/listing.h"
#include "writer/unit.h"

struct annotated_look {
	struct str event; /* or empty */
	struct unit unit; /* of the weights */
	bool lines;       /* write source lines instead of instructions */
	bool color;       /* use the colours of a terminal */
};

void annotated_write(struct out *o, const struct listing *l,
                     const struct annotated_look *look, struct arena *scratch);

/* Writes a table of functions: shares of all samples, function and module. */
void annotated_hottest(struct out *o, const struct spots *s,
                       const struct spot_function *const *f, size_t n,
                       struct arena *scratch);

/*
 * Returns the function's weights: "self 1.2 s (12.50 %), total 3 s (31.20 %), 120 samples".
 */
struct str annotated_weight(const struct listing *l, const struct unit *unit,
                            struct arena *a);

/* Returns part / whole as a percentage. */
static inline double annotated_share(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

#endif

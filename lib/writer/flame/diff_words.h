/*
 * diff_words - describes in words how two series differ: totals, factor, and the functions that
 * changed most.
 */
#ifndef WRITER_FLAME_DIFF_WORDS_H
#define WRITER_FLAME_DIFF_WORDS_H

#include "writer/flame/picture.h"

/*
 * Sets opts->compare for the two series of f.  Returns false if the unit requires a duration that
 * is unknown.
 */
bool diff_words_compare(struct svg_opts *opts, enum compare_unit unit,
                        const struct flame *f, size_t names);

/* Returns "2.55 s -> 1.96 s (-23 %), after divided by 0.769 (median of 24 functions)". */
struct str diff_words_totals(const struct flame *f, const struct svg_opts *opts,
                             struct arena *a);

/* Formats a weight after multiplication by its factor: "12.00%", "13.0 s", "1.50 ms/s". */
struct str diff_words_amount(const struct svg_opts *opts, double v, struct arena *a);

/*
 * Returns up to three functions whose self weight grew most, and up to three functions whose self
 * weight shrank most: "more: parse +0.12 s, read +20.1 ms; less: qsort_r -0.61 s".  Returns an
 * empty string if no function changed.
 */
struct str diff_words_most(struct picture *p);

#endif

/*
 * compat - spells frames and events as two other programs do: stackcollapse-perf.pl of
 * FlameGraph, as of October 2024, and inferno-collapse-perf 0.12.
 *
 * A label has the bytes that the selected program prints, even if it cuts a name inside its
 * brackets.  The section OTHER PROGRAMS of pfold(1) lists data that these programs lose or
 * misread, and that is kept here.
 */
#ifndef LABEL_COMPAT_H
#define LABEL_COMPAT_H

#include "label/label.h"

/* Returns true if the programs remove the 'L' before Java classes in threads with this name. */
bool compat_is_java(struct str comm);

/* Works as label_frame, for an opts->compat other than COMPAT_NONE. */
struct str compat_label(struct arena *a, const struct label_name *name,
                        const struct label_opts *opts);

/*
 * A function from the name of an event to its base name.  Weights of events with the same base
 * name are added.
 */
typedef struct str compat_base(struct str name);
compat_base *compat_event(enum compat compat);

/* Returns the weight of a sample with this period.  FlameGraph uses 1 if it is 0. */
uint64_t compat_weight(enum compat compat, uint64_t period);

#endif

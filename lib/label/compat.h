/*
 * compat - spells frames and events in the same way as two other programs: stackcollapse-perf.pl
 * of FlameGraph (October 2024), and inferno-collapse-perf 0.12.
 *
 * A label has exactly the bytes that the selected program prints, even if that program truncates
 * names inside brackets.  The section OTHER PROGRAMS of pfold(1) lists data that these programs
 * lose or misread, and that this program keeps.
 */
#ifndef LABEL_COMPAT_H
#define LABEL_COMPAT_H

#include "label/label.h"

/*
 * Returns true for threads in which FlameGraph and inferno drop the 'L' before Java classes.
 */
bool compat_is_java(struct str comm);

/* Like label_frame.  opts->compat must not be COMPAT_NONE. */
struct str compat_label(struct arena *a, const struct label_name *name,
                        const struct label_opts *opts);

/*
 * A function that converts the name of an event to its base name.  Weights of events with the
 * same base name are added up.
 */
typedef struct str compat_base(struct str name);
compat_base *compat_event(enum compat compat);

/* Returns the weight of a sample with this period.  For a period of 0, FlameGraph uses 1. */
uint64_t compat_weight(enum compat compat, uint64_t period);

#endif

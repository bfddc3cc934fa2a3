/*
 * compat - frames and events in the spelling of two other programs: stackcollapse-perf.pl of
 * FlameGraph, as of October 2024, and inferno-collapse-perf 0.12.
 *
 * A label has the bytes that the selected program prints, even if it cuts a name inside its
 * brackets.  pfold(1) lists under OTHER PROGRAMS the data that the program loses or misreads, and
 * that is kept here.
 */
#ifndef LABEL_COMPAT_H
#define LABEL_COMPAT_H

#include "label/label.h"

/* Returns true if threads with this name lose the 'L' before Java classes. */
bool compat_is_java(struct str comm);

/* Like label_frame.  opts->compat is not COMPAT_NONE. */
struct str compat_label(struct arena *a, const struct label_name *name,
                        const struct label_opts *opts);

/* struct events.base: events of which names that program adds up. */
typedef struct str compat_base(struct str name);
compat_base *compat_event(enum compat compat);

/* Returns the weight of a sample with this period, or 0. */
uint64_t compat_weight(enum compat compat, uint64_t period);

#endif

/*
 * compat - frames and events as two other programs write them: stackcollapse-perf.pl of
 * FlameGraph, as of October 2024, and inferno-collapse-perf 0.12.
 *
 * A label has the bytes that the chosen program prints, also where it cuts a name inside
 * of its brackets.  What that program loses or takes for something else is kept as
 * pfold(1) says under OTHER PROGRAMS.
 */
#ifndef LABEL_COMPAT_H
#define LABEL_COMPAT_H

#include "label/label.h"

/* Do names of threads with this name lose the 'L' in front of a Java class? */
bool compat_is_java(struct str comm);

/* As label_frame; opts->compat is not COMPAT_NONE. */
struct str compat_label(struct arena *a, const struct label_name *name,
                        const struct label_opts *opts);

/* struct events.base: events of which names that program adds up. */
typedef struct str compat_base(struct str name);
compat_base *compat_event(enum compat compat);

/* The weight of a sample of this period; 0: it has none. */
uint64_t compat_weight(enum compat compat, uint64_t period);

#endif

/*
 * event - the names of a profile's events.
 *
 * "cycles:u", "cycles:ppp" and the hybrid pair "cpu_core/cycles/P", "cpu_atom/cycles/P" are
 * one event, "cycles".
 */
#ifndef READER_EVENT_NAME_H
#define READER_EVENT_NAME_H

#include "base/str.h"

/* An event's name without pmu and modifiers; points into name. */
struct str event_name_base(struct str name);

/* "cycles:u" as "cycles"; the name itself where no modifiers follow its last ':'. */
struct str event_name_without_modifiers(struct str name);

#endif

/*
 * event_name - the names of a profile's events.
 *
 * "cycles:u", "cycles:ppp" and the hybrid pair "cpu_core/cycles/P", "cpu_atom/cycles/P" are one
 * event, "cycles".
 */
#ifndef READER_EVENT_NAME_H
#define READER_EVENT_NAME_H

#include "base/str.h"

/* Returns an event's name without PMU and modifiers.  The result points into `name`. */
struct str event_name_base(struct str name);

/* Returns "cycles" for "cycles:u", or the name itself if no modifiers follow its last ':'. */
struct str event_name_without_modifiers(struct str name);

#endif

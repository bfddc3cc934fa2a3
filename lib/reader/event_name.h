/*
 * event_name - compares the names of a profile's events.
 *
 * The names "cycles:u", "cycles:ppp" and the hybrid pair "cpu_core/cycles/P", "cpu_atom/cycles/P"
 * represent the same event, "cycles".
 */
#ifndef READER_EVENT_NAME_H
#define READER_EVENT_NAME_H

#include "base/str.h"

/* Returns an event's name without PMU and modifiers.  The result points into `name`. */
struct str event_name_base(struct str name);

/*
 * Removes modifiers: returns "cycles" for "cycles:u".  Returns the name itself if other text
 * follows its last ':'.
 */
struct str event_name_without_modifiers(struct str name);

#endif

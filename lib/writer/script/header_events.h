/*
 * header_events - prints the section EVENT_DESC: the events, with the fields of perf_event_attr.
 * Uses the words of tools/perf/util/perf_event_attr_fprintf.c of Linux 6.1.
 *
 * 	# event : name = cpu-clock:u, , id = { 280, 281 }, type = 1, size = 128, ...
 */
#ifndef WRITER_SCRIPT_HEADER_EVENTS_H
#define WRITER_SCRIPT_HEADER_EVENTS_H

#include "base/out.h"
#include "reader/capture.h"

void header_events_write(const struct capture *rec, struct cursor *c, struct out *o);

/*
 * Prints the section as perf 7 does: "type = 1 (PERF_TYPE_SOFTWARE), size = 128, config = 0
 * (PERF_COUNT_SW_CPU_CLOCK)".
 */
void header_events_write_named(const struct capture *rec, struct cursor *c,
                               struct out *o);

#endif

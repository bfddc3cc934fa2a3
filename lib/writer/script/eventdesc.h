/*
 * eventdesc - section EVENT_DESC in words: the events, perf_event_attr field by field, as
 * tools/perf/util/perf_event_attr_fprintf.c of Linux 6.1 names them.
 *
 *	# event : name = cpu-clock:u, , id = { 280, 281 }, type = 1, size = 128, ...
 */
#ifndef WRITER_SCRIPT_EVENTDESC_H
#define WRITER_SCRIPT_EVENTDESC_H

#include "base/out.h"
#include "reader/capture.h"

void eventdesc_write(const struct capture *rec, struct cursor *c, struct out *o);

/* As perf 7: "type = 1 (PERF_TYPE_SOFTWARE), size = 128, config = 0 (PERF_COUNT_SW_CPU_CLOCK)". */
void eventdesc_write_named(const struct capture *rec, struct cursor *c, struct out *o);

#endif

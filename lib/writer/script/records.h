/*
 * records - prints the records of a perf.data that are not samples.  Each record has one or more
 * lines, in the format of tools/perf/util/event.c of Linux 6.1:
 *
 * 	sh  4711   100.000001: PERF_RECORD_MMAP2 4711/4711: [0x401000(0x1000) @ 0x1000
 * 		fe:00 1234 5]: r-xp /usr/bin/app	     (on one line)
 * 	sh  4711   100.000002: PERF_RECORD_COMM exec: ls:4711/4711
 * 	sh  4711   100.000003: PERF_RECORD_SWITCH OUT preempt
 */
#ifndef WRITER_SCRIPT_RECORDS_H
#define WRITER_SCRIPT_RECORDS_H

#include "writer/script/script.h"

void records_write(struct script *sc, struct out *o, const struct sample *s);

#endif

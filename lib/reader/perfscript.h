/*
 * perfscript - the grammar of one line of perf script text; private to reader/.
 */
#ifndef READER_PERFSCRIPT_H
#define READER_PERFSCRIPT_H

#include "reader/reader.h"

/* A header line; slices point into it. */
struct script_header {
	struct str comm;  /* without the blanks around it; may be empty */
	int32_t pid, tid; /* pid -1: only one number stands there, the tid */
	int32_t cpu;      /* -1: none */
	bool has_time, has_period;
	uint64_t time_ns, period;
	struct str event;  /* "cycles:u"; empty when there is none */
	struct str record; /* "PERF_RECORD_MMAP2"; empty for a sample */
	struct str rest;   /* what follows, trimmed */
};

/* False when the line is no header. */
bool script_parse_header(struct str line, struct script_header *out);

/*
 * Turns ev (EV_TEXT, header fields set) into MMAP, COMM, FORK or EXIT when
 * h->record is one of these and is whole.
 */
void script_parse_record(const struct script_header *h, struct event *ev);

#endif

/*
 * scripthead - the header line of a sample in perf script text, and the line of any
 * other record.
 */
#ifndef READER_PERFTEXT_SCRIPTHEAD_H
#define READER_PERFTEXT_SCRIPTHEAD_H

#include "reader/event.h"
#include "reader/fields.h"

/* A header line.  Slices point into it. */
struct script_header {
	struct str comm;  /* without the blanks around it, may be empty */
	int32_t pid, tid; /* pid is -1 if there is only one number, the tid */
	int32_t cpu;      /* or -1 */
	bool has_time, has_period;
	uint64_t time_ns, period;
	struct str event;  /* "cycles:u", or empty */
	struct str record; /* "PERF_RECORD_MMAP2", or empty for a sample */
	struct str rest;   /* the rest of the line, trimmed */
};

struct known_heads;

/*
 * Returns false if the line is not a header: it has no pid or tid, or neither time nor event.  k
 * remembers parts of headers, or is NULL.
 */
bool scripthead_parse(struct str line, struct known_heads *k, struct script_header *out);

/* Parses a line that is known to be a header by the lines below it: no field is required. */
void scripthead_parse_loose(struct str line, struct script_header *out);

/*
 * Finds the only frame of a sample without a call chain, which perf prints on the header's line,
 * padded.  Returns false unless there is one with a module.
 */
bool scripthead_lone_frame(struct str line, struct str *frame);

enum { SCRIPTHEAD_BUILD_ID = 20 }; /* bytes, at most */

/* Reads the build-id of a MMAP2 record, "... @ 0x1000 <00ff...>]: ...", and returns its bytes. */
size_t scripthead_build_id(struct str rest, char out[SCRIPTHEAD_BUILD_ID]);

/*
 * Turns ev (EV_TEXT, header fields set) into MMAP, COMM, FORK, EXIT, LOST or SWITCH if h->record
 * is one of these and is complete.  *other has the fields of a SWITCH.
 */
void scripthead_record(const struct script_header *h, struct event *ev,
                       struct other_fields *other);

#endif

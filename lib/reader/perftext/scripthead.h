/* scripthead - parses header lines of samples in perf script text, and lines of other records. */
#ifndef READER_PERFTEXT_SCRIPTHEAD_H
#define READER_PERFTEXT_SCRIPTHEAD_H

#include "reader/event.h"
#include "reader/fields.h"

/* The fields of a header line.  Strings point into the line. */
struct script_header {
	struct str comm;  /* thread name without blanks around it, or empty */
	int32_t pid, tid; /* pid is -1 if the line contains only a tid */
	int32_t cpu;      /* -1 if unknown */
	bool has_time, has_period;
	uint64_t time_ns, period;
	struct str event;  /* "cycles:u", or empty */
	struct str record; /* "PERF_RECORD_MMAP2", or empty for a sample */
	struct str rest;   /* rest of the line, without blanks around it */
};

struct known_heads;

/*
 * Parses a header.  Returns false if the line has no pid or tid, or if it has neither time nor
 * event.  `k` caches parts of headers, and may be NULL.
 */
bool scripthead_parse(struct str line, struct known_heads *k, struct script_header *out);

/* Parses a header that is recognised only by the lines after it.  All fields are optional. */
void scripthead_parse_loose(struct str line, struct script_header *out);

/*
 * Finds the frame of a sample without a call chain.  perf prints this frame with padding on the
 * header line.  Returns false if there is no frame, or if the frame has no module.
 */
bool scripthead_lone_frame(struct str line, struct str *frame);

enum { SCRIPTHEAD_BUILD_ID = 20 }; /* maximum bytes of a build-id */

/* Reads the build-id of a MMAP2 record: "... @ 0x1000 <00ff...>]: ...".  Returns its length. */
size_t scripthead_build_id(struct str rest, char out[SCRIPTHEAD_BUILD_ID]);

/*
 * If h->record is MMAP, COMM, FORK, EXIT, LOST or SWITCH, and the record is complete, changes the
 * kind of ev.  Before the call, ev is EV_TEXT and has the fields of the header.  *other gets the
 * fields of SWITCH.
 */
void scripthead_record(const struct script_header *h, struct event *ev,
                       struct other_fields *other);

#endif

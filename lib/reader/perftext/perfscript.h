/*
 * perfscript - the grammar of one line of perf script text; private to reader/.
 */
#ifndef READER_PERFTEXT_PERFSCRIPT_H
#define READER_PERFTEXT_PERFSCRIPT_H

#include "reader/reader.h"

static inline bool script_is_gap(char c)
{
	return c == ' ' || c == '\t';
}

static inline struct str script_trim_left(struct str s)
{
	while (s.n && script_is_gap(*s.p))
		s = str_from(s, 1);
	return s;
}

/* A pid at the front of *s, which may be negative. */
bool script_take_id(struct str *s, int32_t *out);

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

/* False when the line is no header: it has no pid or tid, or neither time nor event. */
bool script_parse_header(struct str line, struct script_header *out);

/* The same for a line that is known to be one by what follows: no field is needed. */
void script_parse_loose(struct str line, struct script_header *out);

/*
 * The one frame of a sample without a call chain, which perf prints on the header's
 * line, padded; false: none with a module stands there.
 */
bool script_lone_frame(struct str line, struct str *frame);

enum { SCRIPT_BUILD_ID = 20 }; /* bytes, at most */

/* The build-id of a MMAP2 record, "... @ 0x1000 <00ff...>]: ..."; bytes written. */
size_t script_build_id(struct str rest, char out[SCRIPT_BUILD_ID]);

/*
 * Turns ev (EV_TEXT, header fields set) into MMAP, COMM, FORK or EXIT when
 * h->record is one of these and is whole.
 */
void script_parse_record(const struct script_header *h, struct event *ev);

#endif

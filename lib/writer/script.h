/*
 * script - samples as perf 6.1 prints them: `perf script` without options.
 *
 *	worker  4711   100.000002:     250000 cycles:u:
 *		ffffffff8104f45a [unknown] ([kernel.kallsyms])
 *		          401136 main+0x6 (/usr/bin/app)
 *	(blank line)
 *
 * Frame lines come finished from symbol/profile; here are the header line, the
 * choice of its fields and what stands around the frames.
 */
#ifndef WRITER_SCRIPT_H
#define WRITER_SCRIPT_H

#include "base/out.h"
#include "symbol/profile.h"

enum { SCRIPT_TYPES = 7 }; /* PERF_TYPE_HARDWARE to BREAKPOINT, and any other */

/* What is asked for beyond it; all zero: perf's default. */
struct script_opts {
	bool hide_chain; /* -G: the address on the header's line, no stack */
	bool ns;         /* --ns: nine digits of a second */
};

/* What perf decides once for a profile: pad widths and fields. */
struct script {
	struct profile *profile;
	struct script_opts opts;
	size_t event_width;            /* of the longest event name */
	unsigned fields[SCRIPT_TYPES]; /* by attr type; private bits */
};

/* A plain value; valid as long as p. */
void script_init(struct script *sc, struct profile *p, const struct script_opts *opts);

/* One sample of a perf.data: header, frames, blank line. */
void script_sample(const struct script *sc, struct out *o, const struct sample *s);

/* A COMM, FORK or EXIT of a perf.data, one line. */
void script_task(const struct script *sc, struct out *o, const struct sample *s);

/*
 * One event of a text: its bytes as they are, except for the lines of frames that
 * were named here and those that are left out.  Line ends stay what they were.
 */
void script_text(const struct script *sc, struct out *o, const struct sample *s);

#endif

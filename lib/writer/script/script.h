/*
 * script - samples as perf 6.1 prints them: `perf script` without options.
 *
 *	worker  4711   100.000002:     250000 cycles:u:
 *		ffffffff8104f45a [unknown] ([kernel.kallsyms])
 *		          401136 main+0x6 (/usr/bin/app)
 *	(blank line)
 *
 * Here are the header line, the choice of its fields and what stands around the
 * frames; lines.h has the lines of the frames themselves.
 */
#ifndef WRITER_SCRIPT_SCRIPT_H
#define WRITER_SCRIPT_SCRIPT_H

#include "base/out.h"
#include "reader/capture.h"
#include "symbol/profile.h"
#include "writer/script/columns.h"

/* Options; all zero: perf's default. */
struct script_opts {
	const struct columns *columns; /* -F; NULL: the default */
	unsigned compat;               /* --perf-compat: as profile_opts.compat */
	bool hide_chain; /* -G: the address on the header's line, no stack */
	bool ns;         /* --ns: nine digits of a second */
	bool reltime;    /* --reltime: since the first line that has a time */
	bool deltatime;  /* --deltatime: since the line before */
};

enum { SCRIPT_THREADS = 64, SCRIPT_COMM = 16 };

/* How the header lines of a thread's samples begin: its name and numbers. */
struct script_thread {
	int32_t pid, tid;
	uint8_t type, bare, n; /* n: bytes of text; 0: none */
	char comm[SCRIPT_COMM], text[48];
};

/* How the header lines of an event end. */
struct script_event {
	struct str name; /* of the event, as the profile has it */
	size_t n;
	char text[64];
};

/*
 * State of the output: what perf decides once for a profile, and what it keeps from line
 * to line.
 */
struct script {
	struct profile *profile;
	const struct capture *capture;
	struct script_opts opts;
	struct columns columns;
	size_t event_width;  /* of the longest event name */
	size_t source_width; /* of the longest data source so far */
	uint64_t since_ns;   /* what times are counted from; 0: not yet known */
	struct arena arena;  /* of the lines below */
	struct script_lines {
		struct script_form **form; /* of frames with these columns, by frame_id */
		size_t cap;
	} lines[COLUMN_TYPES];
	/* by tid, the one that was written last */
	struct script_thread thread[SCRIPT_THREADS];
	struct script_event event;  /* the one that was written last */
	struct script_draft *draft; /* private to lines.c; NULL: not made yet */
};

/*
 * Valid as long as p; undone by script_end.  -1: the profile does not have what was asked
 * for, reported.
 */
int script_init(struct script *sc, struct profile *p, const struct script_opts *opts,
                struct diag *diag);

void script_end(struct script *sc);

/* One sample of a perf.data: header, frames, blank line. */
void script_sample(struct script *sc, struct out *o, const struct sample *s);

/*
 * One event of a text: its bytes as they are, except for the lines of frames that were
 * named here and those that are left out.  Line ends stay what they were.
 */
void script_text(struct script *sc, struct out *o, const struct sample *s);

/* Writes comm, ids, cpu and time, in front of samples and of other records. */
void script_start(struct script *sc, struct out *o, const struct sample *s);

#endif

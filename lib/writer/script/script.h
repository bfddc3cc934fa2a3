/*
 * script - prints samples like `perf script` of perf 6.1 without options.
 *
 * 	worker  4711   100.000002:     250000 cycles:u:
 * 		ffffffff8104f45a [unknown] ([kernel.kallsyms])
 * 			  401136 main+0x6 (/usr/bin/app)
 * 	(blank line)
 *
 * This module prints the header line with its fields, and the text around the frames.  lines.h
 * prints the frames.
 */
#ifndef WRITER_SCRIPT_SCRIPT_H
#define WRITER_SCRIPT_SCRIPT_H

#include "base/out.h"
#include "reader/capture.h"
#include "symbol/profile.h"
#include "writer/script/columns.h"

/* Options.  If all are zero, perf's default is used. */
struct script_opts {
	const struct columns *columns; /* -F, or NULL to use the default */
	unsigned compat;               /* --perf-compat, like profile_opts.compat */
	bool hide_chain; /* -G: print the address on the header line, no stack */
	bool ns;         /* --ns: nine digits of a second */
	bool reltime;    /* --reltime: print times since the first line with a time */
	bool deltatime;  /* --deltatime: print times since the previous line */
};

enum { SCRIPT_THREADS = 64, SCRIPT_COMM = 16 };

/* The start of the header lines of a thread's samples: its name and numbers. */
struct script_thread {
	int32_t pid, tid;
	uint8_t type, bare, n; /* n: bytes of text, or 0 if unused */
	char comm[SCRIPT_COMM], text[48];
};

/* The end of the header lines of an event. */
struct script_event {
	struct str name; /* of the event, as in the profile */
	size_t n;
	char text[64];
};

/*
 * State of the output: perf's decisions for a profile, and its state from line to line.
 */
struct script {
	struct profile *profile;
	const struct capture *capture;
	struct script_opts opts;
	struct columns columns;
	size_t event_width;  /* of the longest event name */
	size_t source_width; /* of the longest data source so far */
	uint64_t since_ns;   /* the start of relative times, or 0 if not yet known */
	struct arena arena;  /* for the texts below */
	struct script_lines {
		struct script_form **form; /* by frame_id */
		size_t cap;
	} lines[COLUMN_TYPES];
	/* by tid; the last one is kept */
	struct script_thread thread[SCRIPT_THREADS];
	struct script_event event;  /* the last one */
	struct script_draft *draft; /* private to lines.c; NULL until it is needed */
};

/*
 * Valid as long as p; released by script_end.  Returns -1 after a report if the profile lacks a
 * requested field.
 */
int script_init(struct script *sc, struct profile *p, const struct script_opts *opts,
                struct diag *diag);

void script_end(struct script *sc);

/* Prints one sample of a perf.data: header, frames, blank line. */
void script_sample(struct script *sc, struct out *o, const struct sample *s);

/*
 * Prints one event of a text.  Its bytes are unchanged, except for the lines of frames that were
 * named here and omitted lines.  Line ends are preserved.
 */
void script_text(struct script *sc, struct out *o, const struct sample *s);

/* Writes comm, ids, cpu and time, at the start of samples and of other records. */
void script_start(struct script *sc, struct out *o, const struct sample *s);

#endif

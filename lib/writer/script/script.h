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

/* Options.  If all are zero, the output is perf's default. */
struct script_opts {
	const struct columns *columns; /* the columns of -F, or NULL for the default */
	unsigned compat;               /* --perf-compat, like profile_opts.compat */
	bool hide_chain; /* -G: print only the sampled address, on the header line */
	bool ns;         /* --ns: print seconds with nine decimals */
	bool reltime;    /* --reltime: print times since the first line with a time */
	bool deltatime;  /* --deltatime: print times since the previous line */
};

enum { SCRIPT_THREADS = 64, SCRIPT_COMM = 16 };

/* The cached start of the header lines for a thread: its name and ids. */
struct script_thread {
	int32_t pid, tid;
	/*
	 * type: type of the event.  bare: 1 if comm is not padded.  n: length of `text`,
	 * or 0 if unused
	 */
	uint8_t type, bare, n;
	char comm[SCRIPT_COMM], text[48];
};

/* The cached end of the header lines for an event. */
struct script_event {
	struct str name; /* name of the event in the profile */
	size_t n;
	char text[64];
};

/*
 * The state of the output for one profile: the columns that perf would choose, and data that
 * later lines need.
 */
struct script {
	struct profile *profile;
	const struct capture *capture;
	struct script_opts opts;
	struct columns columns;
	size_t event_width;  /* width of the longest event name */
	size_t source_width; /* width of the longest data source so far */
	/* time from which relative times count, or 0 if not yet known */
	uint64_t since_ns;
	struct arena arena; /* memory for the texts below */
	struct script_lines {
		struct script_form **form; /* by frame_id */
		struct script_text *text; /* private to lines.c.  NULL until first used */
		size_t cap;
	} lines[COLUMN_TYPES];
	/* indexed by tid % SCRIPT_THREADS */
	struct script_thread thread[SCRIPT_THREADS];
	struct script_event event;  /* the event of the previous line */
	struct script_draft *draft; /* private to lines.c.  NULL until first used */
};

/*
 * Initialises sc.  p must exist as long as sc is used.  script_end releases sc.  Returns -1,
 * after a report, if the profile lacks a requested field.
 */
int script_init(struct script *sc, struct profile *p, const struct script_opts *opts,
                struct diag *diag);

void script_end(struct script *sc);

/* Prints one sample of a perf.data: header, frames, and a blank line. */
void script_sample(struct script *sc, struct out *o, const struct sample *s);

/*
 * Prints one event of a text.  Copies the bytes of the event, except lines of frames that this
 * program named, and lines that options omit.  Line ends do not change.
 */
void script_text(struct script *sc, struct out *o, const struct sample *s);

/* Writes the start of a sample's or record's line: comm, ids, cpu and time. */
void script_start(struct script *sc, struct out *o, const struct sample *s);

#endif

/*
 * diag - messages to the user, on standard error.
 *
 * There are five kinds.  Damage of the profile, and sources that cannot be read, change
 * the exit status to 1.  Warnings about sources do not change it.  Notes report choices
 * of the program.  Details, with -v, report conclusions and their evidence.  Fatal errors
 * report why there is no output.  All damage and warnings are counted, but only the first
 * few are printed.  A reader of a source has its own diag, whose damage counts as a
 * warning of the run.  Control bytes in names are printed as escapes, so that an input
 * cannot control the terminal.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/str.h"

struct diag {
	const char *prog; /* start of every line: "psym" */
	/* printed after `prog`, unless the message begins with it; may be NULL */
	const char *input;
	unsigned limit; /* number of printed reports of each kind, or 0 for silence */
	bool quiet;     /* do not print notes and the summary */
	bool verbose;   /* print details, unless `quiet` is set */
	unsigned long damaged; /* reports of damage so far */
	unsigned long warned;  /* warnings so far */
	bool on_line;          /* a progress line is on the terminal */
	/* if not NULL, damage here counts as a warning there */
	struct diag *warns;
};

/* Reports damage at a byte offset (binary) or line (text) of a file.  Returns -1. */
int diag_at(struct diag *d, struct str name, uint64_t at, const char *fmt, ...)
        __attribute__((format(printf, 4, 5)));

/* Reports damage without a place.  Returns -1. */
int diag_damage(struct diag *d, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/*
 * Reports that a file cannot be read, and counts it as damage.  Use it for files that the
 * command line names.  Returns -1.
 */
int diag_unread(struct diag *d, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/* Reports a problem of a source that does not affect the profile. */
void diag_warn(struct diag *d, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/* Reports a choice of the program.  Silent with -q. */
void diag_note(struct diag *d, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/* Reports a conclusion and its evidence.  Only with -v. */
void diag_detail(struct diag *d, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/* Reports why there is no output.  Always prints it.  Returns -1. */
int diag_fatal(struct diag *d, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/*
 * Draws a progress line over the previous one.  Has no effect if standard error is not a
 * terminal, or if d is quiet.  total: 0 if unknown.
 */
void diag_progress(struct diag *d, const char *what, uint64_t done, uint64_t total);

/* Reports how many messages were not printed. */
void diag_finish(struct diag *d);

#endif

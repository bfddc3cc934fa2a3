/*
 * diag - prints messages on standard error.
 *
 * There are five kinds of messages.  Damage of the profile, or an unreadable file of the command
 * line, changes the exit status to 1.  Warnings concern files that provide names, and do not
 * change the status.  Notes report choices of the program.  Details (-v) report conclusions and
 * their evidence.  Fatal errors report why there is no output.  Damage and warnings are counted,
 * but only the first few are printed.  The reader of a file that provides names has a separate
 * diag.  Damage of such a file counts as a warning of the run.  Control characters in names are
 * escaped, so that an input cannot control the terminal.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/str.h"

struct diag {
	const char *prog; /* start of each line: "psym" */
	/*
	 * name of the input, printed after `prog` unless the message begins with it.  May
	 * be NULL
	 */
	const char *input;
	/* number of messages of each kind that are printed, or 0 for silence */
	unsigned limit;
	bool quiet;            /* do not print notes and the summary */
	bool verbose;          /* print details, unless quiet */
	unsigned long damaged; /* reports of damage so far */
	unsigned long warned;  /* warnings so far */
	bool on_line;          /* the terminal shows a progress line */
	/* if not NULL, damage reported by this diag counts as a warning of `warns` */
	struct diag *warns;
};

/* Reports damage at a byte offset (binary file) or line (text file).  Returns -1. */
int diag_at(struct diag *d, struct str name, uint64_t at, const char *fmt, ...)
        __attribute__((format(printf, 4, 5)));

/* Reports damage without a position in a file.  Returns -1. */
int diag_damage(struct diag *d, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/*
 * Reports that a file of the command line is unreadable, and counts this as damage.  Returns -1.
 */
int diag_unread(struct diag *d, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/* Reports a problem in a file that provides names.  The profile is not affected. */
void diag_warn(struct diag *d, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/* Reports a choice of the program, unless -q is given. */
void diag_note(struct diag *d, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/* Reports a conclusion and its evidence if -v is given. */
void diag_detail(struct diag *d, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/* Reports why there is no output, even if d is quiet.  Returns -1. */
int diag_fatal(struct diag *d, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/*
 * Shows numbers of bytes on the progress line.  Has no effect if standard error is not a terminal, or
 * if d is quiet.  total: 0 if unknown.
 */
void diag_progress(struct diag *d, const char *what, uint64_t done, uint64_t total);
/* Like diag_progress, but shows "3 of 7 listings" if `what` is "listings". */
void diag_count(struct diag *d, const char *what, size_t done, size_t total);

/* Reports the number of suppressed messages. */
void diag_finish(struct diag *d);

#endif

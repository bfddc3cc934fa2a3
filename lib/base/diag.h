/*
 * diag - messages to the user, on standard error.
 *
 * There are four kinds: damage of the profile and sources that cannot be read (the exit status
 * becomes 1), warnings about sources (the status stays), notes (choices of the program) and, with
 * -v, details (conclusions and their evidence).  All damage and warnings are counted, and the
 * first few are printed.  A reader of a source gets its own diag, whose damage counts as a
 * warning of the run.  Control bytes in names are printed as escapes, so that an input cannot
 * control the terminal.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/str.h"

struct diag {
	const char *prog; /* "psym", the start of every line */
	/* follows prog, unless the message begins with it.  May be NULL */
	const char *input;
	unsigned limit;        /* reports printed of each kind, or 0 for silence */
	bool quiet;            /* notes and summary are not printed */
	bool verbose;          /* details are, but for quiet */
	unsigned long damaged; /* reports of damage so far */
	unsigned long warned;  /* warnings so far */
	bool on_line;          /* a progress line is on the terminal */
	/* damage here becomes a warning there.  NULL: it stays damage */
	struct diag *warns;
};

/* Damage at byte (binary) or line (text) `at` of name.  Returns -1. */
int diag_at(struct diag *d, struct str name, uint64_t at, const char *fmt, ...)
        __attribute__((format(printf, 4, 5)));

/* Damage without a place of its own.  Returns -1. */
int diag_damage(struct diag *d, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/* A file that was named cannot be read: reported, and counted with the damage. */
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

/* Reports why there is no output, always.  Returns -1. */
int diag_fatal(struct diag *d, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/*
 * Draws a progress line again and again, only if standard error is a terminal and d is not quiet.
 * total is 0 if unknown.
 */
void diag_progress(struct diag *d, const char *what, uint64_t done, uint64_t total);

/* Reports how many messages were not printed. */
void diag_finish(struct diag *d);

#endif

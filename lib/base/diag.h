/*
 * diag - messages to the user, on standard error.
 *
 * There are four kinds: damage of the profile and sources that cannot be read (make the
 * exit status 1), warnings about sources (change no status), notes (what was chosen) and, under -v, details (what was
 * concluded, and from what).  All damage and warnings are counted, the first few are
 * printed.  A reader of a source gets a diag of its own whose damage counts as a warning
 * of the run.  Control bytes in names are shown as escapes, so that no input can drive
 * the terminal.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/str.h"

struct diag {
	const char *prog;      /* "psym"; stands before every line */
	const char *input;     /* stands before every line that does not begin with it; NULL */
	unsigned limit;        /* reports printed of each kind; 0 prints none */
	bool quiet;            /* notes and summary are not printed */
	bool verbose;          /* details are, but for quiet */
	unsigned long damaged; /* reports of damage so far */
	unsigned long warned;  /* warnings so far */
	bool on_line;          /* a progress line stands on the terminal */
	struct diag *warns;    /* damage here is a warning there; NULL: it is damage */
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

/* Something is wrong with a source; the profile is not touched by it. */
void diag_warn(struct diag *d, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/* Says a choice of the program; silent under -q. */
void diag_note(struct diag *d, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/* Says a conclusion and its evidence; only under -v. */
void diag_detail(struct diag *d, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/* Says why there will be no output; always printed.  Returns -1. */
int diag_fatal(struct diag *d, const char *fmt, ...)
        __attribute__((format(printf, 2, 3)));

/*
 * One line that says how far the work is, drawn again and again; only when
 * standard error is a terminal and d is not quiet.  total is 0 when unknown.
 */
void diag_progress(struct diag *d, const char *what, uint64_t done, uint64_t total);

/* Says how many reports were not printed. */
void diag_finish(struct diag *d);

#endif

/*
 * inputs - opens the profile and the files of -m and -p, and reads the facts that are needed before
 * the first event.  Private to symbol/.
 */
#ifndef SYMBOL_INPUTS_H
#define SYMBOL_INPUTS_H

#include "symbol/session.h"

struct inputs {
	struct session *s;
	struct source *source; /* the input, or NULL if pmerge has only -m */
	size_t member;
	/* reads the profile: member number `member` of `source` */
	struct reader *reader;
	bool may_be_here;        /* the profile may have been recorded on this machine */
	struct source **sources; /* the files of -m and -p */
	size_t nsources, sources_cap;
	/* a diag for readers of -m and -p: damage in these files is only a warning */
	struct diag source_diag;
};

void inputs_init(struct inputs *in, struct session *s);

/*
 * Opens the profile and the files of -m and -p, and adds them to the session's locator.  Returns -1
 * after it has reported an error.
 */
int inputs_open(struct inputs *in);

/*
 * Passes facts about processes to the binder.  The facts come from -p, from a nettrace and from
 * saved /proc/PID/status files.
 */
void inputs_bind_given(const struct inputs *in);

/* Opens an input file that is also a profile, such as a recorded text or another perf.data. */
struct reader *inputs_read(struct inputs *in, const struct item *it);

/* Applies saved /proc/PID/maps files.  Call it only if no perf.data has the mappings. */
void inputs_apply_saved_maps(const struct inputs *in);

/* Returns true if an input file is of that kind. */
bool inputs_have(const struct inputs *in, enum item_kind kind);

void inputs_close(struct inputs *in);

#endif

/*
 * inputs - the profile and the sources that name its code: opening them, and what they
 * say before the first event; private to symbol/.
 */
#ifndef SYMBOL_INPUTS_H
#define SYMBOL_INPUTS_H

#include "symbol/session.h"

struct inputs {
	struct session *s;
	struct source *source; /* the input; NULL when there is none */
	size_t member;
	struct reader *reader;   /* of that member */
	bool may_be_here;        /* it may have been recorded on this machine */
	struct source **sources; /* -m and -p */
	size_t nsources, sources_cap;
	struct diag source_diag; /* for readers of sources: their damage warns */
};

void inputs_init(struct inputs *in, struct session *s);

/* Opens all, and fills the session's locator.  -1: reported. */
int inputs_open(struct inputs *in);

/* Tells the binder what -p, a nettrace and saved /proc/PID/status say of processes. */
void inputs_bind_given(const struct inputs *in);

/* A source that is a profile of its own: recorded text, or another perf.data. */
struct reader *inputs_read(struct inputs *in, const struct item *it);

/* Saved /proc/PID/maps, for what nothing else knows the mappings of. */
void inputs_apply_saved_maps(const struct inputs *in);

/* Is there an item of that kind? */
bool inputs_have(const struct inputs *in, enum item_kind kind);

void inputs_close(struct inputs *in);

#endif

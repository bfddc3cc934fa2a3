/*
 * batch - the outputs of -o DIR/: one for each input, -j of them at a time.
 *
 * If an input cannot be used, or a worker process dies, the other inputs are not affected.  Each
 * input has its own counts of reports, so output and messages do not depend on the number of
 * workers.
 */
#ifndef CMD_BATCH_H
#define CMD_BATCH_H

#include "cmd.h"

enum batch_made {
	BATCH_MADE,
	BATCH_NOTHING, /* the input cannot be used, reported */
	BATCH_STUCK,   /* the output cannot be written, reported */
};

struct batch {
	size_t n;
	/* for messages, NULL for standard input */
	const char *const *name;
	bool profiles; /* the inputs are profiles, which share the sources of names */
	enum batch_made (*make)(void *ctx,
	                        size_t i); /* runs in a worker if there are several */
	void *ctx;
};

/* Returns true if there is some output, and all outputs could be written. */
bool batch_run(struct cmd *c, const struct batch *b);

#endif

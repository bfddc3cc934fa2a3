/*
 * batch - writes the outputs of -o DIR/, one for each input.  -j workers run at a time.
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
	BATCH_NOTHING, /* the input cannot be used, which was reported */
	BATCH_STUCK,   /* the output cannot be written, which was reported */
};

struct batch {
	size_t n;
	/* Names of the inputs for messages.  NULL is standard input. */
	const char *const *name;
	bool profiles; /* the inputs are profiles, and are named from the same sources */
	/* Makes output i.  Runs in a worker if there are several outputs. */
	enum batch_made (*make)(void *ctx, size_t i);
	void *ctx;
};

/*
 * Makes all outputs.  Returns true if at least one output exists, and no output failed.
 */
bool batch_run(struct cmd *c, const struct batch *b);

#endif

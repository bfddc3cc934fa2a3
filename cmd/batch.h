/*
 * batch - writes the outputs of -o DIR/, one for each input.  -j is the number of workers.
 *
 * If an input is unusable, or if a worker dies, other inputs are not affected.  Reports are
 * counted for each input, so output and messages do not depend on the number of workers.
 */
#ifndef CMD_BATCH_H
#define CMD_BATCH_H

#include "cmd.h"

enum batch_made {
	BATCH_MADE,
	BATCH_NOTHING, /* the input is unusable, as reported */
	BATCH_STUCK,   /* the output cannot be written, and this was reported */
};

struct batch {
	size_t n;
	/* Names of the inputs for messages.  NULL means standard input. */
	const char *const *name;
	bool profiles; /* the inputs are profiles, and use the names of the same files (-m) */
	/* Makes output i.  Runs in a worker if there are several outputs. */
	enum batch_made (*make)(void *ctx, size_t i);
	void *ctx;
};

/*
 * Makes all outputs.  Returns true if at least one output exists, and no output failed.
 */
bool batch_run(struct cmd *c, const struct batch *b);

#endif

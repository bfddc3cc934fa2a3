/*
 * divided - runs processes that read the parts of one input (symbol/part.h), and joins their
 * results.
 *
 * A worker does one part after the other and keeps its caches.  It writes two results of each
 * part to shared memory: text for the output, and a parcel of other data.  The parent
 * takes both in the order of the parts.  If a worker dies, the parent reads that part itself.
 *
 * If the output is a file, the workers write the texts to it, one after the other.
 */
#ifndef CMD_DIVIDED_H
#define CMD_DIVIDED_H

#include "cmd.h"
#include "symbol/part.h"

struct divided {
	struct cmd *c;
	struct profile *p;
	/* Reads the samples up to the end of the part, and writes their text if there is any. */
	void (*read)(void *ctx, struct out *out);
	/* `begin`, `send` and `take` may be NULL.  `begin` is called once in each worker. */
	void (*begin)(void *ctx);
	/* Writes a parcel with the results of the worker since the last call. */
	void (*send)(void *ctx, struct out *to);
	/*
	 * Takes a parcel.  `frames` are the frames that the worker has sent.  `state`
	 * points to memory of the parent, a separate block for each worker.  Before the
	 * first parcel of a worker, its block is zeroed.
	 */
	void (*take)(void *ctx, const struct part_sent *frames, void *state,
	             struct cursor *from);
	size_t state;
	bool alone; /* one process must read the profile */
	/* use few large parts, because they have no text and each part causes a large parcel */
	bool few;
	void *ctx;
};

/* Returns the number of workers that the options and this machine allow. */
unsigned divided_workers(const struct cmd *c);

/* Does the work of profile_learn for d->p, with several workers if the input can be divided. */
void divided_learn(const struct divided *d);

/*
 * Call it after divided_learn.  If the input can be divided, reads the samples of d->p with
 * several workers, and writes the text of the parts to `out`.  `out` may be NULL.  Afterwards,
 * profile_next returns only the samples that divided_run has not read.
 */
void divided_run(const struct divided *d, struct out *out);

#endif

/*
 * kept - the files and processes that the keeper makes for its child: outputs, temporary files,
 * entries of the cache, and workers that read CTF.  Private to keeping.c.
 *
 * The child may be under foreign control.  So below -o DIR/ it gets only files with
 * the name of an input and an ending of an output.  It cannot replace an entry of the
 * cache.  It can remove one that it has read before, but cannot write that again.
 */
#ifndef CMD_KEPT_H
#define CMD_KEPT_H

#include <signal.h>

#include "base/place.h"
#include "cmd.h"
#include "source/unpacked.h"

enum kept_kind { KEPT_FREE, KEPT_OUTPUT, KEPT_ENTRY, KEPT_DIRECTORY, KEPT_WORKER };

/* A message names it by its index. */
struct kept_item {
	enum kept_kind kind;
	pid_t pid; /* of a worker */
	bool done; /* an output that gets its name at the end */
	struct place
	        place; /* of an output, with path NULL if that is not a regular file */
	struct cache_writing entry;
	struct unpacked files;
};

struct kept_name {
	struct cache_name name;
	bool forgotten; /* the child has removed it */
};

struct kept {
	struct cmd *c;
	sigset_t before;          /* mask of signals, for workers */
	struct interner prefixes; /* of -o DIR/: the inputs' names there */
	struct kept_item *item;
	size_t n, cap;
	struct kept_name *loaded; /* entries of the cache that the child has read */
	size_t nloaded, loaded_cap;
	int janitor; /* pipe to the process that removes files if this one is killed, or -1 */
	pid_t janitor_pid;
};

/* before is the mask of signals for workers. */
void kept_begin(struct kept *k, struct cmd *c, const sigset_t *before);

/*
 * Handles a message, puts the answer into it, and a new descriptor into *made.  Returns 0 or an
 * errno.
 */
int kept_answer(struct kept *k, struct keeper_message *m, int given, int *made);

/* good: outputs get their names.  -1: one could not, reported. */
int kept_end(struct kept *k, bool good);

#endif

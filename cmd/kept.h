/*
 * kept - handles requests of the keeper's child: outputs, temporary files, cache entries, and
 * workers that read CTF.  Private to keeping.c.
 *
 * A hostile input may have taken control of the child.  So below -o DIR/, the child gets only
 * files that have the name of an input and the suffix of an output, or whose names cmd_tool.makes
 * accepts.  It cannot replace an entry of the cache.  It can write entries that only runs with
 * the same inputs and files of -m use.  Makers write all other entries (makers.h).  The child can
 * remove an entry that it has read, but cannot write this entry again.
 */
#ifndef CMD_KEPT_H
#define CMD_KEPT_H

#include <signal.h>

#include "base/place.h"
#include "cmd.h"
#include "makers.h"
#include "source/unpacked.h"

enum kept_kind { KEPT_FREE, KEPT_OUTPUT, KEPT_ENTRY, KEPT_DIRECTORY, KEPT_WORKER };

/* A file, directory or process that the child uses.  Messages name it by its index. */
struct kept_item {
	enum kept_kind kind;
	pid_t pid; /* pid of a worker */
	bool done; /* the output is complete, so kept_end gives it its name */
	/* Place of an output.  Its path is NULL if the output is not a regular file. */
	struct place place;
	struct cache_writing entry;
	struct unpacked files;
};

struct kept_name {
	struct cache_name name;
	bool forgotten; /* the child has removed the entry */
};

struct kept {
	struct cmd *c;
	sigset_t before;          /* signal mask that workers restore */
	struct interner prefixes; /* paths of the inputs relative to -o DIR/ */
	struct kept_item *item;
	size_t n, cap;
	struct kept_name *loaded; /* cache entries that the child has read */
	size_t nloaded, loaded_cap;
	struct cache_sum run; /* checksum of inputs and files of -m, if run_known */
	bool run_tried, run_known;
	struct makers makers;
	int failed; /* errno of the first small file that was not written, or 0 */
	bool told;  /* the child was told of this file */
	const char *failed_path;
	/*
	 * Pipe to the janitor, or -1.  The janitor removes files if this process is
	 * killed.
	 */
	int janitor;
	pid_t janitor_pid;
};

/* Initializes k.  `before` is the mask of signals for workers. */
void kept_begin(struct kept *k, struct cmd *c, const sigset_t *before);

/*
 * Handles a message, and replaces it by the answer.  Sets *made to a new descriptor, or -1.
 * `bytes` and `given` are the bytes and the descriptor in the message.  Returns 0 or an errno.
 */
int kept_answer(struct kept *k, struct keeper_message *m,
                const struct keeper_bytes *bytes, int given, int *made);

/*
 * Closes all descriptors except for the standard ones and the n descriptors in `fd`.  Renumbers
 * the n descriptors from 3 on.
 */
void kept_only(int *fd, int n);

/* Reads the name of a cache entry from a message.  Returns false if its kind is unknown. */
bool kept_read_name(const uint64_t *number, struct cache_name *name);

/* Creates a temporary file.  Returns 0 or an errno. */
int kept_spool(int *made);

/*
 * Ends all items.  If `good` is set, complete outputs get their names.  Returns -1 after a report
 * if one of them could not be named.
 */
int kept_end(struct kept *k, bool good);

#endif

/*
 * makers - processes that make the cache entries that the keeper's child requests (cache/order.h).
 * Private to kept.c and keeping.c.
 *
 * A hostile file may have taken control of the child.  So the keeper forks a new process for each
 * entry, which reads only the files that the entry describes.  This maker may write only its
 * entry, and members of archives under the digests of their bytes.  One maker runs at a time.
 */
#ifndef CMD_MAKERS_H
#define CMD_MAKERS_H

#include <signal.h>

#include "cache/order.h"
#include "cmd.h"

enum { MAKERS_GIVEN = 64 }; /* maximum number of files that wait for an order */

/* An open file that the child has sent for a later order. */
struct given_file {
	int fd; /* -1 if the element is free */
	const char *name;
};

struct makers {
	struct cmd *c;
	const sigset_t *before; /* signal mask for makers */
	struct given_file given[MAKERS_GIVEN];
	struct ordered {
		struct order order;
		struct cache_name name;
		int list;
	} * order;
	size_t n, cap;
	size_t next; /* index of the first order that has not begun */
	pid_t pid;   /* pid of the running maker, or 0 */
	int socket;  /* socket for the maker's requests, or -1 */
	/* cache entry that the maker is writing, unless writing.cache is NULL */
	struct cache_writing writing;
};

void makers_begin(struct makers *m, struct cmd *c, const sigset_t *before);

/*
 * makers_give keeps a file for a later order.  makers_order adds an order to the list.  Both
 * return 0 or an errno.
 */
int makers_give(struct makers *m, struct keeper_message *msg, int fd);
int makers_order(struct makers *m, const struct keeper_message *msg, int list);

/*
 * Starts a maker for the next order, unless a maker runs.  Returns false if all orders are done.
 */
bool makers_run(struct makers *m);

/* Answers a request of the maker, or waits until the maker ends. */
void makers_answer(struct makers *m);

/* Kills the maker and drops all orders. */
void makers_end(struct makers *m);

#endif

/*
 * makers - runs processes that make the cache entries ordered by the keeper's child. Private to
 * kept.c and keeping.c.
 *
 * A malicious file may have taken control of the child.  Therefore a new process, forked from the
 * keeper, makes each entry.  It can read only the files that the entry describes.  It can write
 * only this entry, and members of archives, which are named after digests of their bytes.  Only
 * one maker runs at a time.
 */
#ifndef CMD_MAKERS_H
#define CMD_MAKERS_H

#include <signal.h>

#include "cache/order.h"
#include "cmd.h"

enum { MAKERS_GIVEN = 64 }; /* maximum number of files that wait for an order */

/* A file that the child has passed for an order. */
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
	size_t next; /* index of the first order that has not started */
	pid_t pid;   /* pid of the running maker, or 0 */
	int socket;  /* connection to the maker, or -1 */
	/* the entry that the maker is writing.  Its cache is NULL if there is none */
	struct cache_writing writing;
};

void makers_begin(struct makers *m, struct cmd *c, const sigset_t *before);

/*
 * makers_give stores a file for an order, and makers_order takes an order.  Return 0 or an errno.
 */
int makers_give(struct makers *m, struct keeper_message *msg, int fd);
int makers_order(struct makers *m, const struct keeper_message *msg, int list);

/* Starts the next maker, unless one is running.  Returns false if all have ended. */
bool makers_run(struct makers *m);

/* Answers a request of the maker, or waits until the maker ends. */
void makers_answer(struct makers *m);

/* Kills the maker and drops all orders. */
void makers_end(struct makers *m);

#endif

/*
 * makers - processes that make the entries of the cache that the keeper's child orders.
 * Private to kept.c and keeping.c.
 *
 * The child may be under foreign control, and a file that it read may be hostile.  So each entry is
 * made by a new process, which is forked from the keeper and reads only the files that the entry
 * describes.  It may write only this entry, and members of archives, whose names are digests of
 * their bytes.  One maker runs at a time.
 */
#ifndef CMD_MAKERS_H
#define CMD_MAKERS_H

#include <signal.h>

#include "cache/order.h"
#include "cmd.h"

enum { MAKERS_GIVEN = 64 }; /* maximum number of files that wait for their order */

/* A file that the child has passed. */
struct given_file {
	int fd; /* or -1 */
	const char *name;
};

struct makers {
	struct cmd *c;
	const sigset_t *before; /* mask of signals for makers */
	struct given_file given[MAKERS_GIVEN];
	struct ordered {
		struct order order;
		struct cache_name name;
		int list;
	} * order;
	size_t n, cap;
	size_t next;                  /* the first order that has not begun */
	pid_t pid;                    /* of the maker that runs, or 0 */
	int socket;                   /* for its requests, or -1 */
	struct cache_writing writing; /* the entry that it writes, or its cache is NULL */
};

void makers_begin(struct makers *m, struct cmd *c, const sigset_t *before);

/* Keep a file for an order, and take an order.  Return 0 or an errno. */
int makers_give(struct makers *m, struct keeper_message *msg, int fd);
int makers_order(struct makers *m, const struct keeper_message *msg, int list);

/* Starts the next maker unless one runs.  Returns false if all have ended. */
bool makers_run(struct makers *m);

/* Answers a request of the maker, or waits for its end. */
void makers_answer(struct makers *m);

/* Kills the maker, and drops all orders. */
void makers_end(struct makers *m);

#endif

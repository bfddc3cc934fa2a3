/* opener_child - the child of opener.c, from its first instruction on. */
#ifndef COLLECT_OPENER_CHILD_H
#define COLLECT_OPENER_CHILD_H

#include "collect/opener_private.h"

struct opener_life {
	const struct rights *rights;
	int root;   /* O_PATH of the root directory that it gets */
	int socket; /* to the parent */
};

/* Takes the rights and serves until the parent is gone.  Its status is the return value. */
int opener_child(void *life);

#endif

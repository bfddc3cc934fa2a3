/* opener_child - the main function of the child of opener.c. */
#ifndef COLLECT_OPENER_CHILD_H
#define COLLECT_OPENER_CHILD_H

#include "collect/opener_private.h"

struct opener_life {
	const struct rights *rights;
	int root;   /* O_PATH of its new root directory */
	int socket; /* connection to the parent */
};

/* Takes the rights, and serves requests until the parent ends.  Returns the exit status. */
int opener_child(void *life);

#endif

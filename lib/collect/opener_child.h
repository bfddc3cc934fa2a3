/*
 * opener_child - the main function of the child of opener.c, and the packets that the child
 * sends.
 *
 * The child first sends a header, which reports whether it has the rights.  For each request it
 * sends packets with a header and n bytes.  In the last packet, n is 0.
 */
#ifndef COLLECT_OPENER_CHILD_H
#define COLLECT_OPENER_CHILD_H

#include "collect/opener.h"

enum { OPENER_CHUNK = 1 << 16 };

struct opener_packet {
	struct opener_file file; /* file.end is valid only in the last packet */
	uint32_t n;
	char bytes[OPENER_CHUNK];
};

enum { OPENER_HEAD = offsetof(struct opener_packet, bytes) };

struct opener_life {
	const struct rights *rights;
	int root;   /* O_PATH descriptor of the new root directory */
	int socket; /* connection to the parent */
};

/*
 * Takes the rights of the recorded process, and serves requests until the parent ends.  Returns
 * the exit status.
 */
int opener_child(void *life);

#endif

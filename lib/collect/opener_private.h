/*
 * opener_private - the packets between opener.c and its child.
 *
 * The child first sends a header, which reports whether it has the rights.  For each request it
 * sends packets with a header and n bytes.  In the last packet, n is 0.
 */
#ifndef COLLECT_OPENER_PRIVATE_H
#define COLLECT_OPENER_PRIVATE_H

#include "collect/opener.h"

enum { OPENER_CHUNK = 1 << 16 };

struct opener_packet {
	struct opener_file file; /* file.end is valid only in the last packet */
	uint32_t n;
	char bytes[OPENER_CHUNK];
};

enum { OPENER_HEAD = offsetof(struct opener_packet, bytes) };

#endif

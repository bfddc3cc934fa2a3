/*
 * opener_private - packets between opener.c and its child.
 *
 * The child first sends a head that reports whether it has the rights.  For each request it sends
 * packets with a head and n bytes.  The last packet has no bytes.
 */
#ifndef COLLECT_OPENER_PRIVATE_H
#define COLLECT_OPENER_PRIVATE_H

#include "collect/opener.h"

enum { OPENER_CHUNK = 1 << 16 };

struct opener_packet {
	struct opener_file file; /* file.end is valid in the last packet only */
	uint32_t n;
	char bytes[OPENER_CHUNK];
};

enum { OPENER_HEAD = offsetof(struct opener_packet, bytes) };

#endif

/*
 * order - requests of a confined program to its keeper to make entries of the cache.
 *
 * The program may be under control of its input.  So it writes only entries of own kinds,
 * whose kind is a capital letter.  These entries describe members that the program has
 * unpacked, and only runs with the same inputs and sources read them.
 *
 * The program orders all other entries.  The keeper makes an ordered entry in a new process,
 * which reads only the files that the entry describes, and may write only this entry.  The
 * name of the entry is computed from the device, inode, size and times of these files.  So
 * the program chooses the files and the parts of an entry, but neither its name nor its
 * content.
 */
#ifndef CACHE_ORDER_H
#define CACHE_ORDER_H

#include "cache/cache.h"

enum { ORDER_FILES = 3 }; /* at most */

struct order {
	char kind;
	bool is_profile; /* of an archive */
	/* The files that the entry describes: their names and descriptors, or -1. */
	size_t files;
	struct str name[ORDER_FILES];
	int fd[ORDER_FILES];
	struct str path; /* or the source that the entry describes */
	struct str list; /* of the parts to include; its format depends on the kind */
};

/* Returns true if this process must order entries of this kind instead of writing them. */
bool order_is_needed(const struct cache *c, char kind);

/* Sends an order to the keeper, and closes the descriptors. */
void order_send(const struct cache *c, const struct order *o);

#endif

/*
 * order - sends requests of a confined program to its keeper, which then makes cache entries.
 *
 * A malicious input may have taken control of the program.  Therefore the program itself writes
 * only entries of "own" kinds (kinds with a capital letter).  These entries describe members that
 * the program has unpacked.  Only runs with the same inputs and sources read these entries.
 *
 * The program orders all other entries.  The keeper makes an ordered entry in a new process,
 * which reads only the files that the entry describes, and may write only this entry.  The name
 * of the entry is computed from the device, inode, size and times of these files.  So the program
 * can choose the files and parts that an entry describes, but neither its name nor its content.
 */
#ifndef CACHE_ORDER_H
#define CACHE_ORDER_H

#include "cache/cache.h"

enum { ORDER_FILES = 3 }; /* maximum number of files */

struct order {
	char kind;
	bool is_profile; /* the entry describes an archive that is the profile */
	/* The files that the entry describes, by name and descriptor.  A descriptor may be -1. */
	size_t files;
	struct str name[ORDER_FILES];
	int fd[ORDER_FILES];
	struct str path; /* the described archive or directory, if files is 0 */
	struct str list; /* parts to include.  The format depends on the kind */
};

/* Returns true if this process must order entries of this kind instead of writing them. */
bool order_is_needed(const struct cache *c, char kind);

/* Sends the order to the keeper, and closes its descriptors. */
void order_send(const struct cache *c, const struct order *o);

#endif

/*
 * merge - all names of a process's managed code in one table, by run-time address.
 *
 * The table has the perf map and the jitdump as they are at the end, and the methods of each
 * ReadyToRun image, or of its map, moved to where the process had the image mapped.  Where
 * both name a byte, the map or dump wins: code made at run time came later.
 */
#ifndef BIND_MERGE_H
#define BIND_MERGE_H

#include "image/symtab.h"
#include "bind/bind.h"

/* The pids of the processes that have such names, ascending; they live in a. */
size_t merge_processes(const struct binder *b, struct arena *a, const int32_t **out);

/* The symbols of one source. */
struct merge_part {
	struct str name; /* of the image or map */
	uint64_t at;     /* run-time address of the image's code; 0 for a perf map */
	size_t symbols, outside; /* added; left out as they lie in no mapping */
	size_t reused; /* of a map or dump: ranges that had several names in turn */
};

struct merge {
	struct symtab symbols; /* by ip, sorted */
	struct merge_part *part;
	size_t nparts, parts_cap;
};

/* Names point into the maps, or live in a. */
void merge_process(const struct binder *b, int32_t pid, struct arena *a,
                   struct merge *out);

#endif

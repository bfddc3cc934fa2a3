/*
 * merge - all names of a process's managed code in one table, by run-time address.
 *
 * The table has the perf map and the jitdump in their final state, and the methods of each
 * ReadyToRun image, or of its map, moved to the address at which the process mapped the image. If
 * both name a byte, the map or dump wins, because code made at run time came later.
 */
#ifndef BIND_MERGE_H
#define BIND_MERGE_H

#include "image/symtab.h"
#include "bind/bind.h"

/* Returns the pids of the processes with such names, ascending, in a. */
size_t merge_processes(const struct binder *b, struct arena *a, const int32_t **out);

/* The symbols of one source. */
struct merge_part {
	struct str name; /* of the image or map */
	uint64_t at;     /* run-time address of the image's code, or 0 for a perf map */
	/* added, and skipped because they are outside all mappings */
	size_t symbols, outside;
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

/*
 * merge - all names of a process's managed code in one table, by run-time address.
 *
 * The table has the perf map and the jitdump in their final state.  It also has the methods of
 * each ReadyToRun image, or of its map, at the addresses where the process mapped the image.  If
 * several name a byte, the perf map or jitdump is used, because code made at run time came
 * later.
 */
#ifndef BIND_MERGE_H
#define BIND_MERGE_H

#include "image/symtab.h"
#include "bind/bind.h"

/* Returns the number of processes with such names, and their pids, ascending, in a. */
size_t merge_processes(const struct binder *b, struct arena *a, const int32_t **out);

/* The symbols of one source. */
struct merge_part {
	struct str name; /* name of the image or map */
	uint64_t at;     /* run-time address of the image's code, or 0 for a perf map */
	/* symbols added, and symbols skipped because they are outside all mappings */
	size_t symbols, outside;
	/* ranges of a perf map or jitdump that had several names in turn */
	size_t reused;
};

struct merge {
	struct symtab symbols; /* by ip, sorted */
	struct merge_part *part;
	size_t nparts, parts_cap;
};

/* Fills out with the names of process pid.  The names point into the maps, or live in a. */
void merge_process(const struct binder *b, int32_t pid, struct arena *a,
                   struct merge *out);

#endif

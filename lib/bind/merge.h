/*
 * merge - puts the names of all managed code of a process in one table, by run-time address.
 *
 * The table contains the final state of the perf map and the jitdump.  It also contains the methods
 * of each ReadyToRun image, or of its map, at the addresses in the process.  If a map or dump and
 * an image name the same byte, the name from the map or dump is used, because JIT code is newer
 * than precompiled code.
 */
#ifndef BIND_MERGE_H
#define BIND_MERGE_H

#include "image/symtab.h"
#include "bind/bind.h"

/*
 * Returns the number of processes with managed code.  Sets *out to their pids in ascending order,
 * allocated in a.
 */
size_t merge_processes(const struct binder *b, struct arena *a, const int32_t **out);

/* The symbols of one map or image. */
struct merge_part {
	struct str name; /* name of the image or map */
	/* run-time address of the image's code, or 0 if the part is a perf map */
	uint64_t at;
	/*
	 * symbols: number of added symbols.  outside: number of symbols that were skipped
	 * because no mapping contains them
	 */
	size_t symbols, outside;
	/* ranges of a perf map or jitdump that have had several names */
	size_t reused;
};

struct merge {
	struct symtab symbols; /* sorted by ip */
	struct merge_part *part;
	size_t nparts, parts_cap;
};

/* Sets *out to the names of process pid.  The names point into the maps, or into memory of a. */
void merge_process(const struct binder *b, int32_t pid, struct arena *a,
                   struct merge *out);

#endif

/*
 * merge - everything that names a process's managed code, in one table of ips.
 *
 * The perf map and the jitdump as they are at the end, and the methods of each
 * ReadyToRun image moved to where the process had the image mapped: from the image
 * itself, else from its map.  Where both name a byte, map or dump has it: code made at
 * run time came later.
 */
#ifndef BIND_MERGE_H
#define BIND_MERGE_H

#include "image/symtab.h"
#include "bind/bind.h"

/* The processes that have any; ascending, pids live in a. */
size_t merge_processes(const struct binder *b, struct arena *a, const int32_t **out);

/* What one source gave. */
struct merge_part {
	struct str name; /* of the image or map */
	uint64_t at;     /* run-time address of the image's code; 0 for a perf map */
	size_t symbols, outside; /* taken; left out because they lie in no mapping */
};

struct merge {
	struct symtab symbols; /* by ip, sorted */
	struct merge_part *part;
	size_t nparts, parts_cap;
};

/* Names are borrowed from the maps, or live in a. */
void merge_process(const struct binder *b, int32_t pid, struct arena *a,
                   struct merge *out);

#endif

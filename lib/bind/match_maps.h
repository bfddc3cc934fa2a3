/*
 * match_maps - assigns perf maps and jitdumps to processes.  Private to bind/.
 *
 * A map or dump must cover addresses that were sampled in JIT code of the process.  If the file
 * has the pid of the process, or if the process mapped the file, a few covered addresses suffice.
 * Any other file must cover half of the addresses, and no other file may cover nearly as many.  A
 * map that has only precompiled images covers no JIT code.  All its code must be in memory of the
 * process, and it must cover the addresses sampled in its images.
 */
#ifndef BIND_MATCH_MAPS_H
#define BIND_MATCH_MAPS_H

#include "bind/bind.h"

/* The maps of -p PID=MAP. */
struct forced_maps {
	struct forced_map {
		int32_t pid;
		struct item *item;
	} * map;
	size_t n, cap;
	struct table namespace_pid; /* pid -> the pid in its innermost namespace + 1 */
};

/* Records that `map` names the code of pid.  match_maps_forced later binds the map. */
void match_maps_force(struct binder *b, int32_t pid, struct item *map);

/*
 * Sets the pid that process pid has in its innermost namespace.  File names of maps contain the pid
 * in the namespace.
 */
void match_maps_namespace(struct binder *b, int32_t pid, int32_t nspid);

/* Binds the maps that match_maps_force has recorded. */
void match_maps_forced(struct binder *b);

/* Binds a jitdump and a perf map to each process with JIT code, and reports them. */
void match_maps(struct binder *b);

/* Warns about damaged lines in map, which may be NULL.  `it` is the item of the map. */
void match_maps_report_lines(const struct binder *b, const struct item *it,
                             const struct perfmap *map);

#endif

/*
 * match_maps - assigns perf maps and jitdumps to processes.  Private to bind/.
 *
 * Both name code made at run time, and must cover the addresses that were sampled in it.  A file
 * with the pid of the process, or mapped by the process, needs to cover few of them.  Any other
 * file must cover half of them, without a rival.  A map of precompiled images alone covers no
 * such addresses.  All its code must be in the process's memory, and it must cover the addresses
 * sampled in the images that it describes.
 */
#ifndef BIND_MATCH_MAPS_H
#define BIND_MATCH_MAPS_H

#include "base/table.h"
#include "bind/bind.h"

/* The maps of -p PID=MAP. */
struct forced_maps {
	struct forced_map {
		int32_t pid;
		struct item *item;
	} * map;
	size_t n, cap;
	struct table namespace_pid; /* pid -> its pid in the innermost namespace + 1 */
};

/* Notes that map names the code of pid.  match_maps_forced binds it. */
void match_maps_force(struct binder *b, int32_t pid, struct item *map);

/*
 * Sets the pid of process pid in its innermost namespace.  The names of its files contain that
 * pid.
 */
void match_maps_namespace(struct binder *b, int32_t pid, int32_t nspid);

/* Binds the forced maps. */
void match_maps_forced(struct binder *b);

/* Binds a jitdump and a perf map to each process with JIT code, and reports the choice. */
void match_maps(struct binder *b);

/* Warns of damaged lines in map, which was read from `it`.  map may be NULL. */
void match_maps_report_lines(const struct binder *b, const struct item *it,
                             const struct perfmap *map);

#endif

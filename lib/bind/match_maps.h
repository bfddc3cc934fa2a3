/*
 * match_maps - which perf map and which jitdump belong to which process; private to bind/.
 *
 * Both name code made at run time, and both show that they belong by covering the addresses
 * that were sampled in it.  A file called after the process, or mapped by it, needs few of
 * them; any other needs half of them, with no rival.  A map of precompiled images alone
 * covers none of these: all its code must lie in the process's memory, and it must cover
 * what was sampled in the images that it describes.
 */
#ifndef BIND_MATCH_MAPS_H
#define BIND_MATCH_MAPS_H

#include "base/table.h"
#include "bind/bind.h"

/* -p PID=MAP */
struct forced_maps {
	struct forced_map {
		int32_t pid;
		struct item *item;
	} * map;
	size_t n, cap;
	struct table namespace_pid; /* pid -> its pid in the innermost namespace + 1 */
};

/* map names the code of pid; noted for match_maps_forced. */
void match_maps_force(struct binder *b, int32_t pid, struct item *map);

/* The pid of process pid in its innermost namespace: files of it are called after that. */
void match_maps_namespace(struct binder *b, int32_t pid, int32_t nspid);

/* Binds the forced maps. */
void match_maps_forced(struct binder *b);

/* Binds a jitdump and a perf map to each process that has JIT code; reports the choice. */
void match_maps(struct binder *b);

/* Warns of damaged lines, if map (NULL: there is none), which is of it, has some. */
void match_maps_say_lines(const struct binder *b, const struct item *it,
                          const struct perfmap *map);

#endif

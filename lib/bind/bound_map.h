/*
 * bound_map - names from the perf maps and jitdumps that are bound to a process.  Private to
 * bind/.
 */
#ifndef BIND_BOUND_MAP_H
#define BIND_BOUND_MAP_H

#include "bind/bind.h"

struct bound_maps {
	struct bound_map *map;
	size_t n, cap;
	struct table of_pid; /* pid -> index of its first map + 1 */
	bool monotonic;      /* the profile uses CLOCK_MONOTONIC, the clock of jitdumps */
};

/* Appends a map.  Lookups use earlier maps of the process first. */
struct bound_map *bound_map_add(struct binder *b, const struct bound_map *what);

/* Return the first map of a process, and the next one.  Return NULL at the end. */
const struct bound_map *bound_map_first(const struct binder *b, int32_t pid);
const struct bound_map *bound_map_next(const struct binder *b,
                                       const struct bound_map *map);

/*
 * Finds the name of an address and the offset in the function.  Returns false if the address has
 * no name in the maps of the process.
 */
bool bound_map_find(const struct binder *b, const struct bind_query *q,
                    struct bound_name *out);

/*
 * Returns true if `at` has a name in a map of pid.  Sets *start to the start of the named code.
 */
bool bound_map_start(const struct binder *b, int32_t pid, uint64_t at, uint64_t *start);

/*
 * Finds the code in a jitdump at the address and time of q.  Returns false if there is no such
 * code.
 */
bool bound_map_code(const struct binder *b, const struct bind_query *q,
                    const struct jitdump **dump, size_t *code);

/* Finds the source line of q in the jitdump from which bound_map_find got the name. */
bool bound_map_line(const struct binder *b, const struct bind_query *q,
                    const struct bound_name *name, struct dwarf_place *out);

/* Returns true if `at` had different code, or different names, at different times. */
bool bound_map_reused(const struct bound_map *bm, uint64_t at);

/* Implements bind_varies. */
bool bound_map_varies(const struct binder *b, const struct bind_query *q);

#endif

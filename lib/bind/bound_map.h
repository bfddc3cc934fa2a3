/*
 * bound_map - names from the perf maps and jitdumps that are bound to a process.  Private to
 * bind/.
 */
#ifndef BIND_BOUND_MAP_H
#define BIND_BOUND_MAP_H

#include "base/table.h"
#include "bind/bind.h"

struct bound_maps {
	struct bound_map *map;
	size_t n, cap;
	struct table of_pid; /* pid -> index of its first map + 1 */
	bool monotonic;      /* see bind_clock_agrees */
};

/* Appends a map.  Earlier maps of the same process are asked first. */
struct bound_map *bound_map_add(struct binder *b, const struct bound_map *what);

/* Return the first map of a process, and the next one, or NULL. */
const struct bound_map *bound_map_first(const struct binder *b, int32_t pid);
const struct bound_map *bound_map_next(const struct binder *b,
                                       const struct bound_map *map);

/* Name and offset of an address.  Returns false if no map of the process names it. */
bool bound_map_find(struct binder *b, const struct bind_query *q, struct bound_name *out);

/* Returns true if a map of process pid names the address, and sets the start of that code. */
bool bound_map_start(const struct binder *b, int32_t pid, uint64_t at, uint64_t *start);

/*
 * Finds the piece of code of a jitdump at that address and time.  Returns false if there is no
 * such piece.
 */
bool bound_map_code(const struct binder *b, const struct bind_query *q,
                    const struct jitdump **dump, size_t *code);

/* Finds the source line in the jitdump for the result of bound_map_find. */
bool bound_map_line(struct binder *b, const struct bind_query *q,
                    const struct bound_name *name, struct dwarf_place *out);

/* Did the address hold several pieces of code, or of several names, one after the other? */
bool bound_map_reused(const struct bound_map *bm, uint64_t at);

/* Did it have several names in turn?  Stubs do not count: see perfmap_is_stub. */
bool bound_map_renamed(const struct bound_map *bm, uint64_t at);

/* The answer to bind_varies. */
bool bound_map_varies(const struct binder *b, const struct bind_query *q);

#endif

/*
 * palette - the colour of a box, from its name alone: the same in every picture.
 *
 * The palettes of flamegraph.pl by their names there, and two of our own: "kind"
 * tells native code, managed or JIT code, inlined functions and the kernel apart;
 * "dotnet" tells the application from the framework and the runtime.
 */
#ifndef WRITER_PALETTE_H
#define WRITER_PALETTE_H

#include "base/str.h"

struct rgb {
	uint8_t r, g, b;
};

struct palette;

/* NULL: no palette of that name. */
const struct palette *palette_find(struct str name);

/* name of number i, for messages; NULL behind the last. */
const char *palette_name(size_t i);

/*
 * name with its annotations.  by_start: names that begin alike get like colours
 * (flamegraph.pl --hash).
 */
struct rgb palette_color(const struct palette *p, struct str name, bool by_start);

/* Palettes that tell names apart do so by groups, fewer than PALETTE_GROUPS. */
enum { PALETTE_GROUPS = 6, PALETTE_NO_GROUP = PALETTE_GROUPS };
size_t palette_group(const struct palette *p, struct str name);

/* A word for the legend, and the group's typical colour; NULL: it has none. */
const char *palette_means(const struct palette *p, size_t group, struct rgb *out);

#endif

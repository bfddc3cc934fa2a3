/*
 * palette - chooses the colour of a box by its name alone, so a name has the same colour in every
 * picture.
 *
 * A name belongs to a kind of code (enum sort): native, managed, or kernel.  A palette puts each
 * kind, or each name, in a group.  Each group is a hue with PALETTE_SHADES shades, and with one
 * paler shade for frames that have only a module ("[libc.so.6]").  "kind" and "dotnet" are our own
 * palettes.  The other palettes have the names that flamegraph.pl and inferno use.
 */
#ifndef WRITER_FLAME_PALETTE_H
#define WRITER_FLAME_PALETTE_H

#include "base/str.h"

struct rgb {
	uint8_t r, g, b;
};

enum sort {
	SORT_UNNAMED, /* both function and module are unknown */
	SORT_NATIVE,
	SORT_INLINED,
	SORT_USER,      /* managed code of the application, and scripts */
	SORT_FRAMEWORK, /* System.*, Microsoft.* */
	SORT_STUB,      /* code that a runtime generates: "stub GenerateResolveStub<2>" */
	SORT_RUNTIME,   /* native code of a runtime: libcoreclr.so, libjvm.so */
	SORT_COLLECTOR, /* garbage collector of a runtime */
	SORT_KERNEL,
	SORTS
};

/* Returns the kind of code for a name that still has its marks, such as "_[k]". */
enum sort palette_sort(struct str name);

/* Returns the name that tables print for a kind of code, such as "kernel". */
const char *palette_sort_name(enum sort sort);

enum { PALETTE_GROUPS = 8, PALETTE_SHADES = 8, PALETTE_PALE = PALETTE_SHADES };

enum palette_shading {
	SHADE_BY_NAME,
	/* similar first letters get similar shades, as in flamegraph.pl --hash */
	SHADE_BY_START,
};

struct palette;

/* Returns the palette with that name, or NULL. */
const struct palette *palette_find(struct str name);

/* Returns the name of palette i, for messages, or NULL after the last palette. */
const char *palette_name(size_t i);

/* Returns true if the kind of code determines the group.  palette_sort_group requires this. */
bool palette_depends_on_sort(const struct palette *p);
size_t palette_sort_group(const struct palette *p, enum sort sort);

size_t palette_group(const struct palette *p, struct str name);
size_t palette_shade(struct str name, enum palette_shading how);
struct rgb palette_color(const struct palette *p, size_t group, size_t shade);

/* Returns the description of a group for the legend, or NULL. */
const char *palette_means(const struct palette *p, size_t group);

/* Returns a colour for text on c.  The contrast is at least 4.5, as WCAG 2 requires. */
struct rgb palette_ink(struct rgb c);
double palette_contrast(struct rgb a, struct rgb b);

enum change_kind { CHANGE_LESS, CHANGE_MORE, CHANGE_NEW, CHANGE_GONE, CHANGES };

/* Return the name and the colour of a kind of change.  If negate is set, red means less. */
const char *palette_change_name(enum change_kind c);
struct rgb palette_change_color(enum change_kind c, bool negate);

/*
 * Returns the colour of a change.  Larger changes have stronger colours.  Grey means that there
 * is no change.
 */
struct rgb palette_change(double before, double after, bool negate);

#endif

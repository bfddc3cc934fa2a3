/*
 * dwarfkeep - what was read of DWARF, in the cache; private to image/dwarf*.c.
 *
 * Of an entry, the front:
 *
 *	units  tables of lines  ranges  flags
 *	block: off  size  checksum, 2 numbers;  lines + 1  flags        (each unit)
 *	block: off  size  checksum, 2 numbers                           (each table)
 *	start  end  unit                                                (each range)
 *
 * and behind it the blocks.  That of a unit:
 *
 *	scopes  ranges  bytes of names  0                               (32 bits each)
 *	start  end  scope                                               (each range)
 *	parent  call file  call line  name off  bytes  plain, 32 bits   (each scope)
 *	names
 *
 * and of a table of lines:
 *
 *	rows  files  number of the first file  bytes of names           (32 bits each)
 *	va, 64 bits  file  line                                         (each row)
 *	off  bytes                                                      (each file)
 *	names
 *
 * A block is checked when it is first asked for.  Only what addresses have asked for is
 * there; an entry is written anew when more of the file was read.
 */
#ifndef IMAGE_DWARF_DWARFKEEP_H
#define IMAGE_DWARF_DWARFKEEP_H

#include "image/dwarf/dwarfdata.h"

enum { UNIT_WALKED = 1, UNIT_PLACED = 2, UNIT_LINES_TRIED = 4 };
enum { REST_PLACED = 1 };

struct kept_block {
	uint64_t off, size;
	struct cache_sum sum;
};

struct kept_unit {
	struct kept_block block;
	uint64_t lines, flags;
};

struct kept_range {
	uint64_t start, end, of;
};

struct kept_scope {
	uint32_t parent, call_file, call_line, name, name_n, plain;
};

struct kept_file {
	uint32_t name, name_n;
};

struct kept_front {
	uint64_t units, lines, ranges, flags;
};

struct dwarf_kept {
	const struct cache *cache; /* NULL: checksums are not looked at */
	struct cache_entry entry;  /* mapped; else empty */
	struct str bytes;          /* all of the entry */
	struct kept_unit *unit;
	struct kept_block *block; /* of tables of lines */
	struct lines **lines;     /* read from them, or NULL */
	size_t nlines;
	bool damaged; /* some block was */
};

/* dwarf.c: reads the file itself, if that was not done yet. */
void dwarf_read_late(struct dwarf *d);

/* dwarf.c: the name of a scope, once it is asked for. */
struct str dwarf_scope_name(struct unit *u, struct scope *s);

/* Had from the cache; false: it does not have it. */
bool dwarf_kept_walk(struct unit *u);
bool dwarf_kept_lines(struct unit *u);

#endif

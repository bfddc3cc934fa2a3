/* dwarf_lines - reads the table of a unit's source lines.  Private to image/dwarf/. */
#ifndef IMAGE_DWARF_DWARF_LINES_H
#define IMAGE_DWARF_DWARF_LINES_H

#include "image/dwarf/dwarf_unit.h"

/*
 * Reads the lines of a unit.  Several units may share a table.  Returns NULL if the unit has no
 * lines.
 */
const struct lines *dwarf_lines_read(struct unit *u);

/* Returns the path of the file with that number, or an empty string. */
struct str dwarf_lines_path(const struct lines *l, uint64_t number);

/*
 * Returns the row that contains va, or NULL.  Limits *end to the end of the row.  *near is the
 * index of the last result, which is tried first, or 0.
 */
const struct line_row *dwarf_lines_row(const struct lines *l, uint64_t va, size_t *near,
                                       uint64_t *end);

#endif

/*
 * dwarf_lines - the table of a unit's source lines; private to image/dwarf/.
 */
#ifndef IMAGE_DWARF_DWARF_LINES_H
#define IMAGE_DWARF_DWARF_LINES_H

#include "image/dwarf/dwarf_unit.h"

/* Reads them; NULL: the unit has none.  Units may share a table. */
const struct lines *dwarf_lines_read(struct unit *u);

/* The file of that number; empty: there is none. */
struct str dwarf_lines_file(const struct lines *l, uint64_t number);

/* The row that holds va; NULL: none. */
const struct line_row *dwarf_lines_row(const struct lines *l, uint64_t va);

#endif

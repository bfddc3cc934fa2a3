/*
 * dwarf_scopes - the functions of a unit, with their ranges of code, and with the
 * functions into which they were inlined.  Private to image/dwarf/.
 */
#ifndef IMAGE_DWARF_DWARF_SCOPES_H
#define IMAGE_DWARF_DWARF_SCOPES_H

#include "image/dwarf/dwarf_unit.h"

/* Reads the tree of u's entries into u->code and u->scope, once. */
void dwarf_scopes_read(struct unit *u);

#endif

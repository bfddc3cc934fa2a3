/*
 * dwarf_scopes - reads the functions of a unit, the address ranges of their code, and the inlined
 * calls in them.  Private to image/dwarf/.
 */
#ifndef IMAGE_DWARF_DWARF_SCOPES_H
#define IMAGE_DWARF_DWARF_SCOPES_H

#include "image/dwarf/dwarf_unit.h"

/* Reads the tree of u's entries into u->code and u->scope.  Later calls do nothing. */
void dwarf_scopes_read(struct unit *u);

#endif

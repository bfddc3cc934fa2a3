/*
 * dwarf_names - the names of functions.  Private to image/dwarf/.
 *
 * The name of a function is its linkage name, or else its name in the source.  In C++ and
 * Rust, the names of surrounding namespaces, classes and functions are added to the
 * latter, in the spelling of gdb:
 *
 * 	std::generate_n<int*, int, work(int)::<lambda()> >
 * 	(anonymous namespace)::Box<int>::turn
 *
 * gdb omits the function that surrounds a local class, and the class of a lambda.  Here
 * both are parts of the name, in the spelling that gcc uses in template arguments:
 *
 * 	work::Local::go
 * 	work::<lambda(int, const Box<int>&)>::operator()
 */
#ifndef IMAGE_DWARF_DWARF_NAMES_H
#define IMAGE_DWARF_DWARF_NAMES_H

#include "image/dwarf/dwarf_unit.h"

/*
 * Sets the names of scope `s` in unit `u`.  They are read only when they are first
 * needed.
 */
void dwarf_names_read(struct unit *u, struct scope *s);

#endif

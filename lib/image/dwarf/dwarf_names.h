/*
 * dwarf_names - reads the names of functions.  Private to image/dwarf/.
 *
 * The name of a function is its linkage name, or else its source name.  In C++ and Rust, the
 * source name is prefixed with the names of the enclosing namespaces, classes and functions, in
 * the spelling of gdb:
 *
 * 	std::generate_n<int*, int, work(int)::<lambda()> >
 * 	(anonymous namespace)::Box<int>::turn
 *
 * gdb omits the function that encloses a local class, and the class of a lambda.  This module
 * adds the function and the class, in the spelling that gcc uses in template arguments:
 *
 * 	work::Local::go
 * 	work::<lambda(int, const Box<int>&)>::operator()
 */
#ifndef IMAGE_DWARF_DWARF_NAMES_H
#define IMAGE_DWARF_DWARF_NAMES_H

#include "image/dwarf/dwarf_unit.h"

/* Sets the names of scope `s` in unit `u`.  Call it when the names are first needed. */
void dwarf_names_read(struct unit *u, struct scope *s);

#endif

/*
 * dwarf_names - the names of functions.  Private to image/dwarf/.
 *
 * If an entry of a function has a linkage name, that is its name.  Otherwise its name is the name
 * in the source.  In C++ and Rust, the namespaces, classes and functions around it are added in
 * the spelling of gdb:
 *
 * 	std::generate_n<int*, int, work(int)::<lambda()> >
 * 	(anonymous namespace)::Box<int>::turn
 *
 * gdb leaves out the function around a local class and the class of a lambda.  Here both are
 * parts of the name, spelled as gcc spells them in template arguments:
 *
 * 	work::Local::go
 * 	work::<lambda(int, const Box<int>&)>::operator()
 */
#ifndef IMAGE_DWARF_DWARF_NAMES_H
#define IMAGE_DWARF_DWARF_NAMES_H

#include "image/dwarf/dwarf_unit.h"

/* Sets the names of a scope of u, which are read when they are first asked for. */
void dwarf_names_read(struct unit *u, struct scope *s);

#endif

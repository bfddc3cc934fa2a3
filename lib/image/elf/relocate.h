/*
 * relocate - the va of a kernel module's sections, and its debug information relocated to
 * them.
 *
 * The kernel places all sections of code, except those that run only once at the start,
 * one behind the other in the file's order, each aligned (layout_sections in
 * kernel/module/main.c).  The address it reports for the module is that of the first of
 * them; here its va is RELOCATE_FIRST, because 0 means code that a linker dropped.  All
 * other sections get va far beyond any module's size, so that they never overlap.
 */
#ifndef IMAGE_ELF_RELOCATE_H
#define IMAGE_ELF_RELOCATE_H

#include "image/elf/section.h"

enum { RELOCATE_FIRST = 0x100000 }; /* va */

/* The va of each section, in the arena. */
const uint64_t *relocate_layout(const struct section_file *f, struct arena *a);

/* Is it a va of code that stays loaded? */
bool relocate_is_code(uint64_t va);

/*
 * section_find, with the section's relocations applied if it has any.  None when one of
 * them is of an unknown type: those of x86-64 and arm64 that debug information uses are
 * known.
 */
struct str relocate_find(const struct section_file *f, struct str name, struct arena *a);

#endif

/*
 * relocate - the va of a kernel module's sections, and its debug information relocated to them.
 *
 * The kernel places all sections of code one after the other in the order of the file, each
 * aligned, except for sections that run only once at the start (layout_sections in
 * kernel/module/main.c).  It reports the address of the first section as the address of the
 * module.  Here the va of that section is RELOCATE_FIRST, because 0 means code that a linker
 * dropped.  All other sections get va far above any module's size, so they never overlap.
 */
#ifndef IMAGE_ELF_RELOCATE_H
#define IMAGE_ELF_RELOCATE_H

#include "image/elf/section.h"

enum { RELOCATE_FIRST = 0x100000 }; /* va */

/* The va of each section, in the arena. */
const uint64_t *relocate_layout(const struct section_file *f, struct arena *a);

/* Returns true if it is a va of code that stays loaded. */
bool relocate_is_code(uint64_t va);

/*
 * Like section_find, with the relocations of the section applied.  Empty if a relocation has an
 * unknown type.  The types of x86-64 and arm64 that occur in debug information are known.
 */
struct str relocate_find(const struct section_file *f, struct str name, struct arena *a);

#endif

/*
 * relocate - a kernel module as it is loaded: where its sections lie, and what refers
 * to them.
 *
 * The kernel puts all sections of code, but for those that are run once at the start,
 * one behind the other in the file's order, each where its alignment lets it begin; the
 * first of them is where the module is said to be; here that is RELOCATE_FIRST, as at 0
 * there is only what a linker left out.  Source of the order: kernel/module/main.c,
 * layout_sections.  The others' va are beyond any module's size, so that none is taken
 * for another.
 */
#ifndef IMAGE_ELF_RELOCATE_H
#define IMAGE_ELF_RELOCATE_H

#include "image/elf/section.h"

enum { RELOCATE_FIRST = 0x100000 }; /* va */

/* Where each section lies, va; lives as long as the arena. */
const uint64_t *relocate_layout(const struct section_file *f, struct arena *a);

/* Is that a va of code that stays? */
bool relocate_is_code(uint64_t va);

/*
 * section_find, with the section's relocations applied if it has any.  None when one of
 * them is of an unknown type: those of x86-64 and arm64 that debug information uses are
 * known.
 */
struct str relocate_find(const struct section_file *f, struct str name, struct arena *a);

#endif

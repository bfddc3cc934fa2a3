/*
 * relocate - gives va to the sections of a kernel module, and relocates its debug
 * information.
 *
 * The kernel places the sections of code one after the other, in the order of the file,
 * each aligned.  Sections that run only once at the start are placed elsewhere
 * (layout_sections in kernel/module/main.c).  The kernel reports the address of the first
 * section as the address of the module.  Here RELOCATE_FIRST is used as va of that
 * section.  0 cannot be used, because it means code that a linker dropped.  All other
 * sections get va far above any module's size, so they never overlap.
 */
#ifndef IMAGE_ELF_RELOCATE_H
#define IMAGE_ELF_RELOCATE_H

#include "image/elf/section.h"

enum { RELOCATE_FIRST = 0x100000 }; /* va */

/* Returns the va of each section, allocated in the arena. */
const uint64_t *relocate_layout(const struct section_file *f, struct arena *a);

/* Returns true if the va is in a section of code that stays loaded. */
bool relocate_is_code(uint64_t va);

/*
 * Finds a section like section_find, and applies its relocations.  Returns an empty
 * string if a relocation has an unknown type.  Known types are the types of x86-64 and arm64
 * that occur in debug information, and the types of calls of x86-64.
 */
struct str relocate_find(const struct section_file *f, struct str name, struct arena *a);

/*
 * Returns a part of section i, which begins at that offset in it, relocated like relocate_find.  If
 * bytes were changed, they are a copy in the arena.
 */
struct str relocate_part(const struct section_file *f, size_t i, struct str bytes,
                         uint64_t offset, struct arena *a);

#endif

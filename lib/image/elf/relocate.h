/*
 * relocate - assigns va to the sections of a kernel module, and relocates its debug information.
 *
 * The kernel places the sections of code one after the other, in the order of the file, each
 * aligned.  Code that runs only once, at the start, is placed at other addresses
 * (layout_sections in kernel/module/main.c).  The kernel reports the address of the first
 * section as the address of the module.  Here, the va of the first section is RELOCATE_FIRST,
 * and not 0, because 0 represents code that a linker dropped.  Other allocated sections get va
 * far above the size of any module, so they never overlap.  Debug sections have va 0.
 */
#ifndef IMAGE_ELF_RELOCATE_H
#define IMAGE_ELF_RELOCATE_H

#include "image/elf/section.h"

enum { RELOCATE_FIRST = 0x100000 }; /* va */

/* Returns the va of each section, allocated in the arena. */
const uint64_t *relocate_layout(const struct section_file *f, struct arena *a);

/* Returns true if the va is in code that stays loaded. */
bool relocate_is_code(uint64_t va);

/*
 * Finds a section as section_find does, and applies its relocations.  Returns an empty string
 * if the type of a relocation is unknown.  All types that occur in debug information for x86-64
 * and arm64, and in calls on x86-64, are known.
 */
struct str relocate_find(const struct section_file *f, struct str name, struct arena *a);

/*
 * Relocates `bytes`, the part of section i that starts at `offset`.  Returns `bytes` itself if no
 * relocation changes it.  Otherwise returns a copy in the arena.
 */
struct str relocate_part(const struct section_file *f, size_t i, struct str bytes,
                         uint64_t offset, struct arena *a);

#endif

/*
 * elf_plt - stubs in the PLT, which call functions that the loader finds.  Private to
 * image/elf/.
 */
#ifndef IMAGE_ELF_ELF_PLT_H
#define IMAGE_ELF_ELF_PLT_H

#include "image/elf/elf_private.h"

struct elf_plt_stub {
	uint64_t start, end; /* va */
	/* name of the called function; empty if an ifunc selects the function */
	struct str name;
	uint64_t resolver; /* va of that ifunc's resolver, or 0 */
};

/* Finds the stubs of a file and returns their number.  They are allocated in `a`. */
size_t elf_plt_stubs(Elf *file, struct str bytes, struct arena *a,
                     struct elf_plt_stub **out);

#endif

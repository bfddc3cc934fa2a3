/*
 * elf_plt - finds stubs in the PLT, which call functions that the dynamic loader resolves.
 * Private to image/elf/.
 */
#ifndef IMAGE_ELF_ELF_PLT_H
#define IMAGE_ELF_ELF_PLT_H

#include "image/elf/elf_private.h"

struct elf_plt_stub {
	uint64_t start, end; /* va */
	bool header;         /* the start of .plt, which calls the dynamic loader */
	/* name of the called function.  Empty for a header, or if an ifunc selects the function */
	struct str name;
	uint64_t resolver; /* va of the ifunc's resolver, or 0 */
};

/* Finds the stubs of a file, and returns their number.  Allocates them in `a`. */
size_t elf_plt_stubs(Elf *file, struct str bytes, struct arena *a,
                     struct elf_plt_stub **out);

#endif

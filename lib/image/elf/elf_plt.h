/*
 * elf_plt - stubs through which a file calls functions that the loader finds (PLT);
 * private to image/elf/.
 */
#ifndef IMAGE_ELF_ELF_PLT_H
#define IMAGE_ELF_ELF_PLT_H

#include "image/elf/elf_private.h"

struct elf_plt_stub {
	uint64_t start, end; /* va */
	struct str name;     /* of the function it calls; empty: an ifunc picks that, */
	uint64_t resolver;   /* and this is the va of the ifunc */
};

/* The stubs of a file, which live as long as the arena; returns how many there are. */
size_t elf_plt_stubs(Elf *file, struct str bytes, struct arena *a,
                     struct elf_plt_stub **out);

#endif

/* elf_plt - stubs that call functions which the loader finds (PLT).  Private to image/elf/. */
#ifndef IMAGE_ELF_ELF_PLT_H
#define IMAGE_ELF_ELF_PLT_H

#include "image/elf/elf_private.h"

struct elf_plt_stub {
	uint64_t start, end; /* va */
	struct str name;     /* of the called function.  Empty if an ifunc selects it, */
	uint64_t resolver;   /* and this is the va of the ifunc */
};

/* Finds the stubs of a file and returns their number.  They live as long as the arena. */
size_t elf_plt_stubs(Elf *file, struct str bytes, struct arena *a,
                     struct elf_plt_stub **out);

#endif

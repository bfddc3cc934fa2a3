/*
 * elfdata - what those share who read ELF files through libelf; private to
 * image/elf*.c.
 */
#ifndef IMAGE_ELF_ELFDATA_H
#define IMAGE_ELF_ELFDATA_H

#include <gelf.h>

#include "image/elf/elf.h"

/* NULL: not usable.  libelf's file, to be given to elf_end; its tables lie inside. */
Elf *elf_open_tables(struct str bytes);

/* What a section has in the file; none when it is not all there, or packed. */
struct str elf_section_bytes(struct str bytes, const GElf_Shdr *sh);
struct str elf_section_names(Elf *file, struct str bytes);

/* The string at that offset in a table of strings. */
struct str elf_string(struct str strings, uint64_t off);

/* A stub through which a function is called that the loader finds; va. */
struct elf_stub {
	uint64_t start, end;
	struct str name;   /* of the function; empty: */
	uint64_t resolver; /* it is the one that this function, an ifunc's, picks */
};

/* elfplt.c: the stubs of a file; returns how many.  They live as long as the arena. */
size_t elf_stubs(Elf *file, struct str bytes, struct arena *a, struct elf_stub **out);

#endif

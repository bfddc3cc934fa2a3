/*
 * elf_private - tables of an ELF file through libelf; private to image/elf/.
 */
#ifndef IMAGE_ELF_ELF_PRIVATE_H
#define IMAGE_ELF_ELF_PRIVATE_H

#include <gelf.h>

#include "image/elf/elf.h"

/* NULL: not usable.  libelf's file, to be given to elf_end; its tables lie inside. */
Elf *elf_open_tables(struct str bytes);

/* n bytes of the file; empty when some of them lie outside. */
struct str elf_part(struct str bytes, uint64_t off, uint64_t n);

/* The bytes of a section in the file; none if it is cut off or packed. */
struct str elf_section_bytes(struct str bytes, const GElf_Shdr *sh);
struct str elf_section_names(Elf *file, struct str bytes);

/* The string at that offset in a table of strings. */
struct str elf_string(struct str strings, uint64_t off);

#endif

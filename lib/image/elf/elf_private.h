/* elf_private - tables of an ELF file through libelf.  Private to image/elf/. */
#ifndef IMAGE_ELF_ELF_PRIVATE_H
#define IMAGE_ELF_ELF_PRIVATE_H

#include <gelf.h>

#include "image/elf/elf.h"

/*
 * Returns libelf's file, for elf_end, or NULL if it is not usable.  Its tables are inside the
 * file.
 */
Elf *elf_open_tables(struct str bytes);

/* Returns n bytes of the file.  Empty if some of them are outside. */
struct str elf_part(struct str bytes, uint64_t off, uint64_t n);

/* Returns the bytes of a section in the file.  Empty if it is truncated or compressed. */
struct str elf_section_bytes(struct str bytes, const GElf_Shdr *sh);
struct str elf_section_names(Elf *file, struct str bytes);

/* The string at that offset in a table of strings. */
struct str elf_string(struct str strings, uint64_t off);

#endif

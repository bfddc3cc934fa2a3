/* elf_private - tables of an ELF file through libelf.  Private to image/elf/. */
#ifndef IMAGE_ELF_ELF_PRIVATE_H
#define IMAGE_ELF_ELF_PRIVATE_H

#include <gelf.h>

#include "image/elf/elf.h"

/*
 * Returns a handle of libelf, or NULL if the file is not usable.  Checks that its tables
 * are inside the file.  The caller must call elf_end.
 */
Elf *elf_open_tables(struct str bytes);

/* Returns n bytes of the file, or an empty string if some of them are outside. */
struct str elf_part(struct str bytes, uint64_t off, uint64_t n);

/* Returns the bytes of a section, or an empty string if it is truncated or compressed. */
struct str elf_section_bytes(struct str bytes, const GElf_Shdr *sh);
struct str elf_section_names(Elf *file, struct str bytes);

/* Returns the string at an offset of a string table. */
struct str elf_string(struct str strings, uint64_t off);

#endif

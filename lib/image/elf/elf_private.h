/* elf_private - reads tables of an ELF file using libelf.  Private to image/elf/. */
#ifndef IMAGE_ELF_ELF_PRIVATE_H
#define IMAGE_ELF_ELF_PRIVATE_H

#include <gelf.h>

#include "image/elf/elf.h"

/*
 * Returns a libelf handle, or NULL if the file is unusable.  Checks that the tables do not exceed
 * the file.  The caller must call elf_end.
 */
Elf *elf_open_tables(struct str bytes);

/* Returns n bytes of the file, or an empty string if the range exceeds the file. */
struct str elf_part(struct str bytes, uint64_t off, uint64_t n);

/* Returns the bytes of a section, or an empty string if it is truncated or compressed. */
struct str elf_section_bytes(struct str bytes, const GElf_Shdr *sh);
struct str elf_section_names(Elf *file, struct str bytes);

/* Returns the string at an offset of a string table. */
struct str elf_string(struct str strings, uint64_t off);

#endif

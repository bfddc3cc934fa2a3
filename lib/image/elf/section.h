/*
 * section - finds sections of an ELF file by name, and decompresses them.
 *
 * Specification: System V ABI chapter 4, with Elf64_Chdr for SHF_COMPRESSED.  In an older GNU
 * format, a compressed section has a name like ".zdebug_info", and begins with "ZLIB".
 */
#ifndef IMAGE_ELF_SECTION_H
#define IMAGE_ELF_SECTION_H

#include "base/arena.h"

struct section_file {
	struct str bytes;
	struct str headers; /* the table of sections */
	struct str names;
	size_t n;         /* number of sections */
	bool wide, swap;  /* wide: 64 bits.  swap: the byte order is not this machine's */
	bool relocatable; /* a kernel module (see image/elf/relocate.h) */
	uint16_t machine; /* EM_* */
	const uint64_t *va; /* kernel module: the va of each section */
};

struct section_header {
	struct str name;
	uint32_t type, link, info;
	uint64_t flags, off, size, align;
};

/* Returns false if the file is not an ELF file, or if its section headers exceed the file. */
bool section_open(struct section_file *f, struct str bytes);

/* i must be less than n. */
struct section_header section_at(const struct section_file *f, size_t i);

/*
 * Returns the bytes of a section as stored, compressed or not.  Returns an empty string if the
 * section exceeds the file.
 */
struct str section_bytes(const struct section_file *f, const struct section_header *h);

/*
 * Finds a section by name and sets *index.  If it is compressed, decompresses it into the arena.
 * Returns an empty string if it is missing, has no bytes in this file, or cannot be decompressed.
 * Does not relocate sections of a kernel module (see relocate_find).
 */
struct str section_find(const struct section_file *f, struct str name, size_t *index,
                        struct arena *a);

#endif

/*
 * section - finds sections of an ELF file by name and unpacks them.
 *
 * Specification: System V ABI chapter 4, with Elf64_Chdr for SHF_COMPRESSED.  An older
 * format of GNU names a compressed section ".zdebug_info" and begins it with "ZLIB".
 */
#ifndef IMAGE_ELF_SECTION_H
#define IMAGE_ELF_SECTION_H

#include "base/arena.h"

struct section_file {
	struct str bytes;
	struct str headers; /* the table of sections */
	struct str names;
	size_t n;         /* sections */
	bool wide, swap;  /* wide: 64 bits.  swap: the byte order is not this machine's */
	bool relocatable; /* a kernel module; see image/elf/relocate.h */
	uint16_t machine; /* EM_* */
	const uint64_t *va; /* for a kernel module: va of its sections */
};

struct section_header {
	struct str name;
	uint32_t type, link, info;
	uint64_t flags, off, size, align;
};

/*
 * Returns false if it is not an ELF file, or if its section headers are not inside the
 * file.
 */
bool section_open(struct section_file *f, struct str bytes);

/* i < n. */
struct section_header section_at(const struct section_file *f, size_t i);

/*
 * Returns the bytes of a section in the file, compressed or not.  Returns an empty string
 * if some of them are outside.
 */
struct str section_bytes(const struct section_file *f, const struct section_header *h);

/*
 * Finds a section by name and sets its index.  If it is compressed, unpacks it into the
 * arena.  Returns an empty string if it is missing, has no bytes in this file, or cannot
 * be unpacked.  Sections of a kernel module are not relocated; use relocate_find.
 */
struct str section_find(const struct section_file *f, struct str name, size_t *index,
                        struct arena *a);

#endif

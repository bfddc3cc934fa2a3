/*
 * section - the sections of an ELF file by their names, unpacked.
 *
 * Specification: System V ABI chapter 4; Elf64_Chdr there for SHF_COMPRESSED.  GNU's
 * older way calls a packed section ".zdebug_info" and begins it with "ZLIB".
 */
#ifndef IMAGE_SECTION_H
#define IMAGE_SECTION_H

#include "base/arena.h"

struct section_file {
	struct str bytes;
	struct str headers; /* the table of sections */
	struct str names;
	bool wide, swap; /* of 64 bits; of the other byte order than ours */
};

/* False: no ELF file, or its table of sections is not inside. */
bool section_open(struct section_file *f, struct str bytes);

/*
 * The section of that name; none when it is absent, has no bytes here, or cannot be
 * unpacked.  What is unpacked lives as long as the arena.
 */
struct str section_find(const struct section_file *f, struct str name, struct arena *a);

#endif

/*
 * code - the machine code of an address range, from the file that ran.
 *
 * The code is in ELF files (also the kernel and its modules), in ReadyToRun images, and in
 * jitdumps.  Perf maps and nettrace have no code.
 */
#ifndef IMAGE_CODE_CODE_H
#define IMAGE_CODE_CODE_H

#include "image/locate.h"

enum code_space {
	CODE_VA,  /* of an ELF file; for a kernel module, as in image/elf/relocate.h */
	CODE_RVA, /* of a PE image */
	CODE_IP,  /* of the piece of code in a jitdump */
};

struct code_range {
	enum code_space space;
	uint64_t start, end;
	size_t piece; /* for CODE_IP: number of the piece, as in struct bound_name */
};

struct code {
	/*
	 * from `start` of the range, and shorter than the range if the file contains less
	 */
	struct str bytes;
	unsigned machine; /* EM_* */
};

/*
 * Sets the code of a range of the item, whose tables must have been read: the item has
 * named an address in the range.  The bytes live as long as the source, or in `a` if they
 * had to be relocated.  Returns false if the item has no code there.
 */
bool code_bytes(const struct item *it, const struct code_range *range, struct code *out,
                struct arena *a);

#endif

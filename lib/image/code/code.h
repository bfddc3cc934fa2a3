/*
 * code - finds the machine code of an address range in the file that ran.
 *
 * Code is in ELF files (including the kernel and its modules), in ReadyToRun images, and in
 * jitdumps.  Perf maps and nettraces contain no code.
 */
#ifndef IMAGE_CODE_CODE_H
#define IMAGE_CODE_CODE_H

#include "image/locate.h"

enum code_space {
	CODE_VA,  /* va in an ELF file.  For a kernel module, see image/elf/relocate.h */
	CODE_RVA, /* in a PE image */
	CODE_IP,  /* run-time address of code in a jitdump */
};

struct code_range {
	enum code_space space;
	uint64_t start, end;
	size_t piece; /* for CODE_IP: index in the jitdump, as in struct bound_name */
};

struct code {
	/*
	 * the code from `start` of the range on.  Shorter than the range if the file
	 * contains less
	 */
	struct str bytes;
	unsigned machine; /* EM_* */
};

/*
 * Finds the code of a range in an item.  The caller must have looked up a name in the item
 * before, because a lookup reads the tables of the item.  The bytes live as long as the source
 * or, if they were relocated, as long as `a`.  Returns false if the item contains no code for
 * the range.
 */
bool code_bytes(const struct item *it, const struct code_range *range, struct code *out,
                struct arena *a);

#endif

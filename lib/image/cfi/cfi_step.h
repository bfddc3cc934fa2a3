/*
 * cfi_step - from the registers of a frame to those of its caller.
 *
 * cfi_find gives the unwind rules at an address once; cfi_step applies them to the
 * registers and memory of each frame there.
 */
#ifndef IMAGE_CFI_CFI_STEP_H
#define IMAGE_CFI_CFI_STEP_H

#include "image/cfi/cfi.h"

/* A word of the process's memory. */
enum cfi_read {
	CFI_WORD,
	CFI_BLANK,    /* it was mapped, but its bytes are not known */
	CFI_UNMAPPED, /* nothing was there */
};

struct cfi_memory {
	enum cfi_read (*word)(void *ctx, uint64_t addr, uint64_t *out);
	void *ctx;
};

/* Registers are known, or their value is lost, or they were never saved. */
struct cfi_frame {
	uint64_t reg[CFI_REGS];
	uint64_t known, lost; /* 1 << register */
	uint64_t ip;  /* a return address, unless exact; arm64 may have signed it */
	uint64_t cfa; /* of the frame before; of the first, its stack pointer */
	bool exact;   /* execution was at ip: no call stands in front of it */
};

enum cfi_end {
	CFI_OK,
	CFI_DONE,  /* the outermost frame: it has no return address */
	CFI_CUT,   /* what the caller's place depends on is not in the memory */
	CFI_WRONG, /* rules and registers do not fit together */
};

/* Replaces f by its caller's.  After anything but OK f is void. */
enum cfi_end cfi_step(const struct cfi_row *row, unsigned machine,
                      const struct cfi_memory *m, struct cfi_frame *f);

/*
 * Without a row.  x86-64: as perf's libunwind 1.6 does, takes the code for a stub of .plt
 * or for a function with a frame pointer; as_perf also repeats its mistake, that the
 * caller's stack pointer is 16 bytes above this frame's.  arm64: takes the code for a leaf,
 * whose return address is in the link register.
 */
enum cfi_end cfi_step_guess(unsigned machine, const struct cfi_memory *m, bool as_perf,
                            struct cfi_frame *f);

#endif

/*
 * cfi_step - from the registers of a frame to the registers of its caller.
 *
 * cfi_find gives the unwind rules at an address once.  cfi_step applies them to the registers and
 * memory of each frame there.
 */
#ifndef IMAGE_CFI_CFI_STEP_H
#define IMAGE_CFI_CFI_STEP_H

#include "image/cfi/cfi.h"

/* A word of the process's memory. */
enum cfi_read {
	CFI_WORD,
	CFI_BLANK,    /* it was mapped, but its bytes are not known */
	CFI_UNMAPPED, /* no file was mapped there */
};

struct cfi_memory {
	enum cfi_read (*word)(void *ctx, uint64_t addr, uint64_t *out);
	void *ctx;
};

/* Registers are known, or their value is lost, or they were never saved. */
struct cfi_frame {
	uint64_t reg[CFI_REGS];
	uint64_t known, lost; /* 1 << register */
	uint64_t ip;  /* a return address, unless exact.  arm64 may have signed it */
	uint64_t cfa; /* of the previous frame, or the stack pointer of the first one */
	bool exact;   /* execution was at ip, not after a call */
};

enum cfi_end {
	CFI_OK,
	CFI_DONE,  /* the outermost frame: it has no return address */
	CFI_CUT,   /* the caller's place depends on memory that was not copied */
	CFI_WRONG, /* rules and registers do not fit together */
};

/* Replaces f by its caller's.  After anything but OK f is void. */
enum cfi_end cfi_step(const struct cfi_row *row, unsigned machine,
                      const struct cfi_memory *m, struct cfi_frame *f);

/*
 * Steps without a row.  On x86-64 it assumes a stub of .plt or a function with a frame pointer,
 * as perf's libunwind 1.6 does.  as_perf also repeats the error of libunwind, which sets the
 * caller's stack pointer 16 bytes above this frame's.  On arm64 it assumes a leaf function with
 * its return address in the link register.
 */
enum cfi_end cfi_step_guess(unsigned machine, const struct cfi_memory *m, bool as_perf,
                            struct cfi_frame *f);

#endif

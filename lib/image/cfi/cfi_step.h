/*
 * cfi_step - from the registers of a frame to the registers of its caller.
 *
 * cfi_find returns the unwind rules of an address once.  cfi_step applies them to the
 * registers and memory of each frame at that address.
 */
#ifndef IMAGE_CFI_CFI_STEP_H
#define IMAGE_CFI_CFI_STEP_H

#include "image/cfi/cfi.h"

/* The result of reading a word of the process's memory. */
enum cfi_read {
	CFI_WORD,
	CFI_BLANK,    /* the address was mapped, but the bytes are unknown */
	CFI_UNMAPPED, /* no file was mapped at the address */
};

struct cfi_memory {
	enum cfi_read (*word)(void *ctx, uint64_t addr, uint64_t *out);
	void *ctx;
};

/*
 * A frame.  A register is known, or lost because its memory was not copied, or was never
 * saved.
 */
struct cfi_frame {
	uint64_t reg[CFI_REGS];
	uint64_t known, lost; /* 1 << register */
	/* a return address, unless `exact` is set.  On arm64 it may be signed */
	uint64_t ip;
	/* CFA of the previous frame, or the stack pointer in the first frame */
	uint64_t cfa;
	/* the frame was interrupted at `ip`, so `ip` does not follow a call */
	bool exact;
};

enum cfi_end {
	CFI_OK,
	CFI_DONE,  /* this was the outermost frame, which has no return address */
	CFI_CUT,   /* the caller's registers are in memory that was not copied */
	CFI_WRONG, /* the rules and the registers contradict each other */
};

/* Replaces f by its caller.  If the result is not CFI_OK, f is not valid any more. */
enum cfi_end cfi_step(const struct cfi_row *row, unsigned machine,
                      const struct cfi_memory *m, struct cfi_frame *f);

/*
 * Replaces f by its caller if there is no row.  On x86-64 it assumes a stub of .plt or a
 * function with a frame pointer, as perf's libunwind 1.6 does.  as_perf: repeat an error
 * of libunwind, which sets the caller's stack pointer 16 bytes above this frame's.  On
 * arm64 it assumes a leaf function whose return address is in the link register.
 */
enum cfi_end cfi_step_guess(unsigned machine, const struct cfi_memory *m, bool as_perf,
                            struct cfi_frame *f);

#endif

/*
 * cfi_step - computes the registers of the caller from the registers of a frame.
 *
 * cfi_find returns the unwind rules of an address, and is called once for each address.  cfi_step
 * applies them to the registers and the memory of each frame at that address.
 */
#ifndef IMAGE_CFI_CFI_STEP_H
#define IMAGE_CFI_CFI_STEP_H

#include "image/cfi/cfi.h"

/* The result of reading a word of the process's memory. */
enum cfi_read {
	CFI_WORD,
	CFI_BLANK,    /* the address was mapped, but its content is unknown */
	CFI_UNMAPPED, /* no file was mapped at the address */
};

struct cfi_memory {
	enum cfi_read (*word)(void *ctx, uint64_t addr, uint64_t *out);
	void *ctx;
};

/*
 * A frame.  A register is known, lost or undefined.  A lost register was saved in memory that
 * the recording does not contain.  An undefined register was never saved.
 */
struct cfi_frame {
	uint64_t reg[CFI_REGS];
	uint64_t known, lost; /* sets of registers: bit i is register i */
	/* a return address, unless `exact` is set.  On arm64 it may contain a signature */
	uint64_t ip;
	/* CFA of the callee or, in the first frame, the stack pointer */
	uint64_t cfa;
	/* the frame was interrupted at `ip`, so `ip` is not a return address */
	bool exact;
};

enum cfi_end {
	CFI_OK,
	CFI_DONE, /* the frame has no return address, so it is the outermost frame */
	/* the caller's registers are in memory that the recording does not contain */
	CFI_CUT,
	CFI_WRONG, /* the rules and the registers contradict each other */
};

/* Replaces f by its caller.  If the result is not CFI_OK, f is no longer valid. */
enum cfi_end cfi_step(const struct cfi_row *row, unsigned machine,
                      const struct cfi_memory *m, struct cfi_frame *f);

/*
 * If no row exists, replaces f by a guess of its caller.  On x86-64 it assumes a PLT stub or a
 * function with a frame pointer, as perf's libunwind 1.6 does.  If as_perf is set, repeats an
 * error of libunwind: computes the caller's stack pointer as this frame's stack pointer + 16,
 * instead of its frame pointer + 16.  On arm64 it assumes a leaf function, whose return address
 * is in the link register.
 */
enum cfi_end cfi_step_guess(unsigned machine, const struct cfi_memory *m, bool as_perf,
                            struct cfi_frame *f);

#endif

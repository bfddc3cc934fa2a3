/*
 * unwind - from a frame's registers to its caller's, by call frame information.
 *
 * Pure arithmetic on numbers: what the file says is compiled into a row once for each
 * address (unwind_row), and then applied to registers and memory (unwind_step).  Of the
 * machines it knows x86-64 and arm64, the latter with signed return addresses.
 */
#ifndef IMAGE_CFI_CFI_STEP_H
#define IMAGE_CFI_CFI_STEP_H

#include "image/cfi/cfi.h"

/* A word of the process's memory. */
enum unwind_read {
	UNWIND_WORD,
	UNWIND_BLANK,    /* it was mapped, but its bytes are not known */
	UNWIND_UNMAPPED, /* nothing was there */
};

struct unwind_memory {
	enum unwind_read (*word)(void *ctx, uint64_t addr, uint64_t *out);
	void *ctx;
};

/* Registers are known, or their value is lost, or they were never saved. */
struct unwind_frame {
	uint64_t reg[CFI_REGS];
	uint64_t known, lost; /* 1 << register */
	uint64_t ip;          /* a return address, unless exact */
	uint64_t cfa;         /* of the frame before; of the first, its stack pointer */
	bool exact;           /* execution was at ip: no call stands in front of it */
	bool signed_ip;       /* arm64: ip still carries its authentication code */
};

enum unwind_end {
	UNWIND_OK,
	UNWIND_DONE,  /* the outermost frame: it has no return address */
	UNWIND_CUT,   /* what the caller's place depends on is not in the memory */
	UNWIND_WRONG, /* rules and registers do not fit together */
};

/* Replaces f by its caller's.  After anything but OK f is void. */
enum unwind_end unwind_step(const struct cfi_row *row, unsigned machine,
                            const struct unwind_memory *m, struct unwind_frame *f);

/*
 * For an address that no row is about: what x86-64 code without a description may still
 * be recognized as, by perf's libunwind 1.6: a stub of .plt, or a function with a frame
 * pointer.  arm64: a leaf, whose return address is in the link register.  as_perf: with what perf's does
 * wrong, it takes the stack pointer to stay 16 bytes above this frame's.
 */
enum unwind_end unwind_guess(unsigned machine, const struct unwind_memory *m,
                             bool as_perf, struct unwind_frame *f);

/* An address without the code that authenticates it, when user space has so many bits. */
uint64_t unwind_plain(uint64_t ip, unsigned bits);

#endif

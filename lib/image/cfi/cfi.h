/*
 * cfi - call frame information: rules that compute the registers of the caller from the registers
 * of a frame, for each address.  Other directories include image/cfi/cfi_step.h.
 *
 * The rules are in .eh_frame of the file that ran, and in .debug_frame of that file or of its
 * debug file.  Specifications: DWARF 5 section 6.4, Linux Standard Base Core 5.0, section 10.6,
 * and DWARF for the Arm 64-bit Architecture.
 */
#ifndef IMAGE_CFI_CFI_H
#define IMAGE_CFI_CFI_H

#include <elfutils/libdw.h>

#include "image/elf/elf.h"

/* Registers, by their numbers in DWARF: x86-64 has 16 and the return address, arm64 31
 * and the stack pointer.  Others are not followed. */
enum {
	CFI_REGS = 33,
	X86_BP = 6,
	X86_SP = 7,
	X86_IP = 16,
	ARM_FP = 29,
	ARM_LR = 30,
	ARM_SP = 31,
	ARM_PC = 32, /* DWARF gives it no rule: the caller's is found in the LR column */
};

/* The place of the caller's value of a register. */
enum cfi_how {
	CFI_SAME, /* still in the register */
	CFI_UNDEFINED,
	CFI_SAVED,      /* in memory, at CFA + n */
	CFI_IS,         /* it is CFA + n */
	CFI_MOVED,      /* in register n */
	CFI_SAVED_EXPR, /* in memory, at the value of expr */
	CFI_IS_EXPR,    /* it is the value of expr */
};

/* A DWARF expression: dwarf_expr_value computes it.  Lives as long as the struct cfi. */
struct cfi_expr {
	const Dwarf_Op *op;
	size_t n; /* 0 if empty */
};

struct cfi_rule {
	uint8_t reg, how; /* how: enum cfi_how */
	int64_t n;
	struct cfi_expr expr;
};

/* The unwind rules at one address. */
struct cfi_row {
	uint8_t cfa_reg;
	int64_t cfa_off;          /* CFA = cfa_reg + cfa_off, */
	struct cfi_expr cfa_expr; /* or this expression, if it is not empty */
	const struct cfi_rule *rule;
	uint8_t nrules;
	uint8_t ra;  /* the register with the return address */
	bool signal; /* a signal handler returns to here: the caller was interrupted */
};

struct cfi;

/*
 * Of an image and its debug file, either of which may be NULL.  Returns NULL if neither has call
 * frame information, not even a table without entries, or they are not of little-endian x86-64 or
 * arm64.  The files' bytes and the arena must outlive it.
 */
struct cfi *cfi_open(const struct elf *image, const struct elf *debug, struct arena *a);

/*
 * Opens an .eh_frame of little-endian code.  va is its address, or the address that it would
 * have.  With an empty one, all code is a gap.  machine: EM_*, or 0 to use the register of return
 * addresses. Returns NULL unless it is x86-64 or arm64.
 */
struct cfi *cfi_open_frames(struct str eh_frame, uint64_t va, unsigned machine,
                            struct arena *a);

/* Accepts NULL. */
void cfi_close(struct cfi *c);

enum cfi_found { CFI_FOUND, CFI_GAP, CFI_NONE };

/*
 * Returns the row for va.  GAP: no intact FDE describes it.  NONE: its FDE is not usable.
 * as_perf: use only an .eh_frame with a table, as perf does, and return NONE without one.
 */
enum cfi_found cfi_find(struct cfi *c, uint64_t va, bool as_perf, struct cfi_row *out);

/* Returns the va of .eh_frame_hdr, or 0. */
uint64_t cfi_table(const struct cfi *c);

/* EM_X86_64 or EM_AARCH64. */
unsigned cfi_machine(const struct cfi *c);

#endif

/*
 * cfi - reads call frame information.  For each address, it contains rules that compute the
 * caller's registers from the registers of a frame.
 *
 * The rules are in .eh_frame of the file that ran, and in .debug_frame of that file or of its
 * debug file.  Other directories include image/cfi/cfi_step.h.  Specifications: DWARF 5 section
 * 6.4, Linux Standard Base Core 5.0 section 10.6, and DWARF for the Arm 64-bit Architecture.
 */
#ifndef IMAGE_CFI_CFI_H
#define IMAGE_CFI_CFI_H

#include <elfutils/libdw.h>

#include "image/elf/elf.h"

/*
 * Register numbers of DWARF.  For x86-64 these are 16 registers and the return address, for arm64
 * 31 registers and the stack pointer.  Other registers are not tracked.
 */
enum {
	CFI_REGS = 33,
	X86_BP = 6,
	X86_SP = 7,
	X86_IP = 16,
	ARM_FP = 29,
	ARM_LR = 30,
	ARM_SP = 31,
	/* the pc, which is not a DWARF register.  The rule for LR gives the return address */
	ARM_PC = 32,
};

/* How the caller's value of a register is found. */
enum cfi_how {
	CFI_SAME, /* the register is unchanged */
	CFI_UNDEFINED,
	CFI_SAVED,      /* the value is at address CFA + n */
	CFI_IS,         /* the value is CFA + n */
	CFI_MOVED,      /* the value is in register n */
	CFI_SAVED_EXPR, /* the value is at the address that `expr` computes */
	CFI_IS_EXPR,    /* the value is the result of `expr` */
};

/* A DWARF expression for dwarf_expr_value.  It lives as long as the struct cfi. */
struct cfi_expr {
	const Dwarf_Op *op;
	size_t n; /* length, or 0 if there is no expression */
};

struct cfi_rule {
	uint8_t reg, how; /* how: enum cfi_how */
	int64_t n;
	struct cfi_expr expr;
};

/* The unwind rules at one address. */
struct cfi_row {
	uint8_t cfa_reg;
	/* CFA = register cfa_reg + cfa_off, unless there is a cfa_expr */
	int64_t cfa_off;
	struct cfi_expr cfa_expr; /* if not empty, computes the CFA */
	const struct cfi_rule *rule;
	uint8_t nrules;
	uint8_t ra; /* the register that contains the return address */
	/* this is a signal frame, so its caller was interrupted and did not make a call */
	bool signal;
};

struct cfi;

/*
 * Opens the call frame information of an image and its debug file.  Either may be NULL.
 * Returns NULL if neither has call frame information, or if the machine is not little-endian
 * x86-64 or arm64.  An .eh_frame_hdr with a table counts as information, even without an
 * .eh_frame.  The bytes of the files and the arena must outlive the result.
 */
struct cfi *cfi_open(const struct elf *image, const struct elf *debug, struct arena *a);

/*
 * Opens an .eh_frame of little-endian code.  va: the address that the section has at run time.
 * If the section is empty, cfi_find returns CFI_GAP for all code.  machine: EM_*, or 0 to derive
 * the machine from the register of return addresses.  Returns NULL unless the machine is x86-64
 * or arm64.
 */
struct cfi *cfi_open_frames(struct str eh_frame, uint64_t va, unsigned machine,
                            struct arena *a);

/* c may be NULL. */
void cfi_close(struct cfi *c);

enum cfi_found { CFI_FOUND, CFI_GAP, CFI_NONE };

/*
 * Finds the row for va.  Returns CFI_GAP if no valid FDE contains va, and CFI_NONE if the FDE is
 * not usable.  as_perf: use only an .eh_frame that has a table, as perf does, and return CFI_NONE
 * if there is no table.
 */
enum cfi_found cfi_find(struct cfi *c, uint64_t va, bool as_perf, struct cfi_row *out);

/* Returns the va of .eh_frame_hdr, or 0. */
uint64_t cfi_table(const struct cfi *c);

/* EM_X86_64 or EM_AARCH64. */
unsigned cfi_machine(const struct cfi *c);

#endif

/*
 * cfirow - the programs of call frame information, run up to an address; private to
 * image/.
 */
#ifndef IMAGE_CFI_CFIROW_H
#define IMAGE_CFI_CFIROW_H

#include "base/cursor.h"
#include "image/cfi/cfi.h"

/* A pointer as .eh_frame encodes it (DW_EH_PE_*), in what surrounds it. */
struct cfi_pointers {
	struct str section; /* where it stands, */
	uint64_t va;        /* and the va of that section's first byte */
	uint64_t data;      /* va that DW_EH_PE_datarel is relative to */
	uint8_t word;       /* bytes of an address */
};
uint64_t cfirow_pointer(struct cursor *c, uint8_t encoding,
                        const struct cfi_pointers *at);

enum { POINTER_OMIT = 0xff, POINTER_FORM = 0x0f };

/* What a function's description says: that of its CIE first, then its own. */
struct cfi_program {
	struct str common, own;
	uint64_t start; /* va that own begins with */
	uint64_t code_align;
	int64_t data_align;
	uint8_t encoding; /* of DW_CFA_set_loc */
	struct cfi_pointers at;
	bool swap;
	bool arm64;
};

/* False: the programs are damaged.  Rules are put into a; expressions stay where they are.
 * ra and signal of out are not touched. */
bool cfirow_run(const struct cfi_program *p, uint64_t va, struct arena *a,
                struct cfi_row *out);

#endif

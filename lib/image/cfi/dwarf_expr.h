/*
 * dwarf_expr - computes DWARF expressions of call frame information, which libdw has
 * decoded: it has no public function that does.  Private to image/cfi/.
 */
#ifndef IMAGE_CFI_DWARF_EXPR_H
#define IMAGE_CFI_DWARF_EXPR_H

#include "image/cfi/cfi_step.h"

/*
 * Computes an expression for a frame with that CFA.  Returns CFI_CUT if it reads unknown memory.
 * DWARF 5 sections 2.5 and 6.4.2.
 */
enum cfi_end dwarf_expr_value(struct cfi_expr expr, uint64_t cfa,
                              const struct cfi_frame *f, const struct cfi_memory *m,
                              uint64_t *out);

#endif

/*
 * dwarf_expr - evaluates DWARF expressions in call frame information.  libdw decodes them, but
 * has no public function to evaluate them.  Private to image/cfi/.
 */
#ifndef IMAGE_CFI_DWARF_EXPR_H
#define IMAGE_CFI_DWARF_EXPR_H

#include "image/cfi/cfi_step.h"

/*
 * Evaluates an expression for a frame with the given CFA.  Returns CFI_CUT if the expression
 * reads unknown memory.  Specification: DWARF 5 sections 2.5 and 6.4.2.
 */
enum cfi_end dwarf_expr_value(struct cfi_expr expr, uint64_t cfa,
                              const struct cfi_frame *f, const struct cfi_memory *m,
                              uint64_t *out);

#endif

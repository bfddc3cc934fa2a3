/*
 * dwexpr - DWARF expressions, as call frame information uses them; private to image/.
 */
#ifndef IMAGE_CFI_DWARF_EXPR_H
#define IMAGE_CFI_DWARF_EXPR_H

#include "image/cfi/cfi_step.h"

/*
 * What expr yields, with first on its stack; CFI_CUT: it reads what is not known.
 * DWARF 5 sections 2.5 and 6.4.2.
 */
enum cfi_end dwarf_expr_value(struct str expr, uint64_t first, const struct cfi_frame *f,
                              const struct cfi_memory *m, uint64_t *out);

#endif

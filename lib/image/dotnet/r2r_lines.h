/* r2r_lines - the offsets in IL of the code in a ReadyToRun image. */
#ifndef IMAGE_DOTNET_R2R_LINES_H
#define IMAGE_DOTNET_R2R_LINES_H

#include "image/dotnet/il_map.h"
#include "image/dotnet/r2r.h"

/*
 * Returns the table of code range `index`, in `a`.  It is empty if the image has no table
 * for this method, or if the table is damaged.
 */
struct il_map r2r_lines_map(const struct r2r *r, size_t index, struct arena *a);

/* Returns the table's offset for the byte at rva in code range `index`. */
uint64_t r2r_lines_offset(const struct r2r *r, size_t index, uint64_t rva);

#endif

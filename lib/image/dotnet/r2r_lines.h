/* r2r_lines - reads the IL offsets of code in a ReadyToRun image. */
#ifndef IMAGE_DOTNET_R2R_LINES_H
#define IMAGE_DOTNET_R2R_LINES_H

#include "image/dotnet/il_map.h"
#include "image/dotnet/r2r.h"

/*
 * Returns the IL map of code range `index`, allocated in `a`.  The map is empty if the image has
 * no map for this method, or if the map is damaged.
 */
struct il_map r2r_lines_map(const struct r2r *r, size_t index, struct arena *a);

/* Converts the rva of a byte in code range `index` to an offset in the IL map. */
uint64_t r2r_lines_offset(const struct r2r *r, size_t index, uint64_t rva);

#endif

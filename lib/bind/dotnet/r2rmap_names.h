/*
 * r2rmap_names - converts names of an r2rmap to the spelling of the runtime, if the image is
 * missing.  Private to bind/.
 *
 * A method that was compiled again at run time is also in the process's perf map or jitdump, in
 * the spelling of the runtime.  If this map and the r2rmap use the same spelling, both tiers of a
 * method have the same name.  The name in the perf map is converted to the form of crossgen2 and
 * compared with each line of the r2rmap.  A line gets the runtime's spelling if it equals the
 * converted name, if the image has the assembly's name, and if both names are unambiguous.  All
 * other lines keep the form of crossgen2.
 */
#ifndef BIND_DOTNET_R2RMAP_NAMES_H
#define BIND_DOTNET_R2RMAP_NAMES_H

#include "bind/bind.h"

struct r2rmap_names;

/* Reads the maps and images of a process.  The result is in `a`. */
struct r2rmap_names *r2rmap_names_new(const struct binder *b, int32_t pid,
                                      struct arena *a);

/*
 * Returns the runtime's spelling of a line in im's map.  Returns name itself if the spelling is
 * unknown.
 */
struct str r2rmap_names_respell(const struct r2rmap_names *r,
                                const struct bound_image *im, struct str name);

/*
 * Returns the runtime's spelling of a frame's name.  Returns name itself if the spelling is
 * unknown.  The first call for a process reads its maps.
 */
struct str r2rmap_names_frame(const struct binder *b, const struct bound_image *im,
                              struct str name);

#endif

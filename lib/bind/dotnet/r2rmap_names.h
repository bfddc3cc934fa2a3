/*
 * r2rmap_names - converts names of an r2rmap to the spelling of the runtime, if the image is
 * missing.  Private to bind/.
 *
 * crossgen2 writes r2rmaps, and spells names in its own way.  The runtime compiles hot methods
 * again and writes them to a perf map or jitdump in another spelling.  Without this module, one
 * method would have two names.  Each name of the perf map is converted to the spelling of
 * crossgen2 and compared with the names of the r2rmap.  If exactly one name of each file is equal,
 * and the perf map names the assembly of the r2rmap's image, the method gets the spelling of the
 * perf map.  All other methods keep the spelling of crossgen2.
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

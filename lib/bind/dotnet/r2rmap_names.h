/*
 * r2rmap_names - names of an r2rmap without its image, in the spelling of the runtime.  Private
 * to bind/.
 *
 * A method that was compiled again at run time is also in the process's perf map or jitdump, in
 * the spelling of the runtime.  With one spelling, both tiers of the method have one name.  A
 * line of the r2rmap is respelled if the name in the perf map, converted to the form of
 * crossgen2, is equal, if its assembly is the image, and if both names are unambiguous.  All
 * other lines keep the form of crossgen2.
 */
#ifndef BIND_DOTNET_R2RMAP_NAMES_H
#define BIND_DOTNET_R2RMAP_NAMES_H

#include "bind/bind.h"

struct r2rmap_names;

/* Reads the maps and images of one process.  The result is allocated in `a`. */
struct r2rmap_names *r2rmap_names_new(const struct binder *b, int32_t pid,
                                      struct arena *a);

/* Returns the runtime's name of a line of im's map, or name itself if that is unknown. */
struct str r2rmap_names_respell(const struct r2rmap_names *r,
                                const struct bound_image *im, struct str name);

/*
 * Returns the runtime's name of a frame, or name itself if that is unknown.  Reads the maps of
 * the frame's process on first use.
 */
struct str r2rmap_names_frame(struct binder *b, const struct bound_image *im,
                              struct str name);

#endif

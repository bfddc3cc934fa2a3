/*
 * r2rmap_names - names of an r2rmap without its image, in the spelling of the runtime.  Private
 * to bind/.
 *
 * A method that was compiled again at run time is also in the process's perf map or jitdump, in
 * the spelling of the runtime.  With one spelling, its two tiers fold together.  It is the same
 * method if the perf map's name, in the form of crossgen2, is the line of the r2rmap, its
 * assembly is the image, and neither is ambiguous.  All other lines keep the form of crossgen2.
 */
#ifndef BIND_DOTNET_R2RMAP_NAMES_H
#define BIND_DOTNET_R2RMAP_NAMES_H

#include "bind/bind.h"

struct r2rmap_names;

/* Reads the maps and images of one process.  Lives in a. */
struct r2rmap_names *r2rmap_names_new(const struct binder *b, int32_t pid,
                                      struct arena *a);

/* Returns the runtime's name of a line of im's map, or name itself if that is unknown. */
struct str r2rmap_names_respell(const struct r2rmap_names *r,
                                const struct bound_image *im, struct str name);

/* The same for a frame.  The tables of its process are made once. */
struct str r2rmap_names_frame(struct binder *b, const struct bound_image *im,
                              struct str name);

#endif

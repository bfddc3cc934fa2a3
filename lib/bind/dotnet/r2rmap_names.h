/*
 * r2rmap_names - names of an r2rmap whose image is absent, as the runtime spells them;
 * private to bind/.
 *
 * A method that was compiled again at run time is in the process's perf map or jitdump as
 * well: there it has the runtime's spelling, and under one spelling its two tiers fold
 * together.  It is the same method when the perf map's name, as crossgen2 would write it, is
 * the line of the r2rmap, its assembly is the image, and neither stands there twice with
 * another meaning.  All other lines stay as crossgen2 wrote them.
 */
#ifndef BIND_DOTNET_R2RMAP_NAMES_H
#define BIND_DOTNET_R2RMAP_NAMES_H

#include "bind/bind.h"

struct r2rmap_names;

/* Looks through the maps and images of one process; lives in a. */
struct r2rmap_names *r2rmap_names_new(const struct binder *b, int32_t pid,
                                      struct arena *a);

/* The runtime's name of a line of im's map; name itself when that is not known. */
struct str r2rmap_names_respell(const struct r2rmap_names *r,
                                const struct bound_image *im, struct str name);

/* The same for a frame: what is needed of its process is made once. */
struct str r2rmap_names_frame(struct binder *b, const struct bound_image *im,
                              struct str name);

#endif

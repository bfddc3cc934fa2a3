/*
 * respell - names of an r2rmap whose image is absent, as the runtime spells them;
 * private to symbol/.
 *
 * A method that was compiled again at run time is in the process's perf map or jitdump
 * as well: there it has the spelling that everything else has, and its two tiers fold
 * together.  It is the same method when the perf map's name, as crossgen2 would write
 * it, is the line of the map, its assembly is the image, and neither is there twice with
 * another meaning.  All other lines stay as crossgen2 wrote them.
 */
#ifndef BIND_DOTNET_R2RMAP_NAMES_H
#define BIND_DOTNET_R2RMAP_NAMES_H

#include "bind/binder.h"

struct respeller;

/* Of the maps and images of one process; lives in a. */
struct respeller *respeller_new(const struct binder *b, int32_t pid, struct arena *a);

/* name is of a line of im's map; itself when nothing else is known to be it. */
struct str respell(const struct respeller *r, const struct bound_image *im,
                   struct str name);

/* Likewise for a frame, with what b keeps of each process. */
struct str bind_respell(struct binder *b, const struct bound_image *im, struct str name);

#endif

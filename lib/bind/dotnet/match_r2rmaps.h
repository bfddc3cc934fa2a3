/*
 * match_r2rmaps - which map of crossgen or crossgen2 describes an image; private to bind/.
 *
 * crossgen names its map after the MVID, crossgen2 signs it.
 */
#ifndef BIND_DOTNET_MATCH_R2RMAPS_H
#define BIND_DOTNET_MATCH_R2RMAPS_H

#include "bind/bind.h"

/* The image that a map is looked for. */
struct r2rmap_query {
	struct locator *l;
	struct str stem; /* "calc10" of "/srv/app/calc10.dll" */
	struct arena *scratch;
	const char *why; /* set to the reason when a map is there and does not fit */
};

/* The map of an image that is at hand; NULL: there is none. */
struct item *match_r2rmaps_of_image(struct r2rmap_query *q, const struct pe *pe);

/* The map of the image with that MVID; NULL: there is none, or several machines' maps. */
struct item *match_r2rmaps_of_mvid(struct r2rmap_query *q, const unsigned char *mvid);

/* Are at least half of the addresses that are sampled in im's mapping in its map as offsets? */
bool match_r2rmaps_hold_half(const struct binder *b, const struct bound_image *im);

/*
 * Is the map of im in offsets in the file?  With NativeImagePerfMapFormat=OFFSET crossgen's
 * is, else it has RVAs, and it does not say which.
 */
bool match_r2rmaps_in_offsets(const struct binder *b, const struct bound_image *im);

#endif

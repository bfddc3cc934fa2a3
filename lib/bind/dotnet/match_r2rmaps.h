/*
 * match_r2rmaps - assigns maps of crossgen or crossgen2 to images.  Private to bind/.
 *
 * crossgen puts the MVID into the name of its map, crossgen2 signs it.
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

/* Returns the map of an image that is available, or NULL. */
struct item *match_r2rmaps_of_image(struct r2rmap_query *q, const struct pe *pe);

/*
 * Returns the map of the image with that MVID, or NULL if there is none or if several machines'
 * maps fit.
 */
struct item *match_r2rmaps_of_mvid(struct r2rmap_query *q, const unsigned char *mvid);

/*
 * Returns true if at least half of the addresses sampled in im's mapping are in its map as
 * offsets.
 */
bool match_r2rmaps_hold_half(const struct binder *b, const struct bound_image *im);

/*
 * Returns true if the map of im has file offsets.  crossgen writes them with
 * NativeImagePerfMapFormat=OFFSET and RVAs otherwise, without a mark.
 */
bool match_r2rmaps_in_offsets(const struct binder *b, const struct bound_image *im);

#endif

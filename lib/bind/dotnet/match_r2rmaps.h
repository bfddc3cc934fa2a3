/*
 * match_r2rmaps - assigns maps of crossgen and crossgen2 to images.  Private to bind/.
 *
 * The MVID of the image is in the file name of a crossgen map.  A crossgen2 map contains the
 * signature of the image.
 */
#ifndef BIND_DOTNET_MATCH_R2RMAPS_H
#define BIND_DOTNET_MATCH_R2RMAPS_H

#include "bind/bind.h"

/* The search for the map of one image. */
struct r2rmap_query {
	struct locator *l;
	struct str stem; /* "calc10" of "/srv/app/calc10.dll" */
	struct arena *scratch;
	const char *why; /* the reason why a map with this stem does not fit */
};

/* Returns the map of pe, an available image, or NULL. */
struct item *match_r2rmaps_find_by_image(struct r2rmap_query *q, const struct pe *pe);

/*
 * Returns the map of the image with that MVID.  Returns NULL if there is no map, or if maps for
 * several machines fit.
 */
struct item *match_r2rmaps_find_by_mvid(struct r2rmap_query *q,
                                        const unsigned char *mvid);

/*
 * Returns true if at least half of the addresses sampled in im's mapping are in symbols of im's
 * map.  The map's addresses are taken as file offsets.
 */
bool match_r2rmaps_hold_half(const struct binder *b, const struct bound_image *im);

/*
 * Returns true if the map of im has file offsets.  crossgen writes file offsets with
 * NativeImagePerfMapFormat=OFFSET, and RVAs otherwise.  The map does not contain its format.
 */
bool match_r2rmaps_fit_offsets(const struct binder *b, const struct bound_image *im);

#endif

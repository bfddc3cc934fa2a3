/*
 * streams - the streams of a .NET metadata root, which images and portable PDBs contain.
 *
 * Specification: ECMA-335 II.24.2.1 and II.24.2.2.
 */
#ifndef IMAGE_DOTNET_STREAMS_H
#define IMAGE_DOTNET_STREAMS_H

#include "base/str.h"

/* Returns true for a metadata root, which begins with "BSJB". */
bool streams_bid(struct str root);

/*
 * Returns the bytes of the stream with that name, for example "#~", as far as root
 * contains them.  Returns an empty string if there is no such stream, or if a header
 * before it is damaged.
 */
struct str streams_find(struct str root, struct str name);

#endif

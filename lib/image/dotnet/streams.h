/*
 * streams - finds the streams of a .NET metadata root.  Images and portable PDBs contain such a
 * root.
 *
 * Specification: ECMA-335 II.24.2.1 and II.24.2.2.
 */
#ifndef IMAGE_DOTNET_STREAMS_H
#define IMAGE_DOTNET_STREAMS_H

#include "base/str.h"

/* Returns true for a metadata root, which begins with "BSJB". */
bool streams_bid(struct str root);

/*
 * Returns the stream with that name, for example "#~".  If root is truncated, the result may be
 * truncated, too.  Returns an empty string if there is no such stream, or if the header of a
 * preceding stream is damaged.
 */
struct str streams_find(struct str root, struct str name);

#endif

/*
 * source_link - finds the URLs of source files, from the JSON text in a PDB.
 *
 * 	{"documents":{"/_/src*":"https://example.org/raw/0123abcd/src*"}}
 *
 * Specification: dotnet/designs accepted/2020/diagnostics/source-link.md.
 */
#ifndef IMAGE_SOURCE_SOURCE_LINK_H
#define IMAGE_SOURCE_SOURCE_LINK_H

#include "base/arena.h"

/*
 * Returns the URL of a source file, in `a`.  If several keys match the path, uses the longest
 * key.  Returns an empty string if no key matches, or if the URL is neither http nor https.
 */
struct str source_link_find(struct str json, struct str path, struct arena *a);

#endif

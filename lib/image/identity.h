/*
 * identity - the kind of a file, and the id by which profiles, images and symbol servers
 * refer to it.
 */
#ifndef IMAGE_IDENTITY_H
#define IMAGE_IDENTITY_H

#include "base/arena.h"
#include "source/source.h"

struct identity {
	const char *kind; /* one word, static: "elf", "pe", "other" */
	/*
	 * In hexadecimal.  ELF: the build-id.  PE: time stamp (8 digits) and size of the
	 * image.  PDB: the GUID without dashes.  r2rmap: the signature.  Empty if the
	 * file has no id.
	 */
	struct str id;
};

/* The `look` of source_opts.  Files with a known kind are read whole. */
enum source_look identity_look(struct str name, struct str head);

/*
 * Returns the identity of a file.  Uses `name` only if the bytes do not show the kind.
 * The id is allocated in `a`.
 */
struct identity identity_of(struct str name, struct str bytes, struct arena *a);

#endif

/*
 * identity - the kind of a file, and the id by which profiles, images and symbol servers
 * refer to it.
 */
#ifndef IMAGE_IDENTITY_H
#define IMAGE_IDENTITY_H

#include "base/arena.h"
#include "source/source.h"

struct identity {
	const char *kind; /* one word: "elf", "pe", "other".  Static */
	/*
	 * In hexadecimal.  ELF: the build-id.  PE: time stamp (8 digits) and size of the
	 * image.  PDB: the GUID without dashes.  r2rmap: the signature.  Empty if the
	 * file has no id.
	 */
	struct str id;
};

/* For source_opts: every file that has a kind is read whole. */
enum source_look identity_look(struct str name, struct str head);

/* name: the file's, which decides only if the bytes leave the kind open.  id lives in a. */
struct identity identity_of(struct str name, struct str bytes, struct arena *a);

#endif

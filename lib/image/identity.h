/*
 * identity - detects the kind of a file and its id.  Profiles, images and symbol servers refer to
 * a file by this id.
 */
#ifndef IMAGE_IDENTITY_H
#define IMAGE_IDENTITY_H

#include "source/source.h"

struct identity {
	const char *kind; /* a static string: "elf", "pe", "other" */
	/*
	 * The id in hexadecimal.  ELF: the build-id.  PE: time stamp (8 digits) and size
	 * of the image.  PDB: the GUID without dashes.  r2rmap: the signature.  Empty if
	 * the file has no id.
	 */
	struct str id;
};

/* The `look` of source_opts: reads files of known kinds completely. */
enum source_look identity_look(struct str name, struct str head);

/*
 * Returns the identity of a file.  Uses `name` only if the kind cannot be detected from the
 * bytes.  The id is allocated in `a`.
 */
struct identity identity_of(struct str name, struct str bytes, struct arena *a);

/*
 * Returns true if the file has this id.  The id is "go/TEXT" or "htlhash/HEX".  TEXT is the
 * build-id of Go.  HEX is the first half of a SHA-256 sum over the first 4 KiB, the last 4 KiB and
 * the length of the file.
 */
struct elf;
bool identity_has(const struct elf *e, struct str id);

#endif

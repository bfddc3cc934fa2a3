/*
 * pack - the archive that the collector writes: members of a compressed tar (pax).
 *
 * Each name is there once; the first bytes with a name count.  The members together have a
 * limit, beyond which they are left out.
 */
#ifndef COLLECT_PACK_H
#define COLLECT_PACK_H

#include "base/intern.h"
#include "base/out.h"

struct archive;

struct pack {
	/* private */
	struct archive *archive;
	struct out *out;
	struct interner names;
	bool *held; /* by name */
	size_t held_cap;
	uint64_t room;
	bool failed;
	uint64_t written; /* bytes of the archive, after pack_close */
};

enum pack_result {
	PACK_DONE,
	PACK_FULL,   /* left out: the limit would be exceeded */
	PACK_FAILED, /* the archive cannot be written any more */
};

/* out and a are borrowed until pack_close; limit is in bytes of members.  -1: no memory. */
int pack_open(struct pack *p, struct out *out, uint64_t limit, struct arena *a);

bool pack_holds(struct pack *p, struct str name);

enum pack_result pack_bytes(struct pack *p, struct str name, struct str bytes);

/* The first n bytes of a file, which counts against the limit unless that is given as free. */
enum pack_result pack_file(struct pack *p, struct str name, int fd, uint64_t n,
                           bool free);

/* Ends the archive and releases p.  -1: it is not complete. */
int pack_close(struct pack *p);

#endif

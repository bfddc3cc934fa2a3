/*
 * pack - writes the collector's archive: members of a compressed tar (pax).
 *
 * Callers use pack_holds, so that each name occurs once.  A member that would exceed the
 * limit of all members is left out.
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
	PACK_FULL,   /* left out, because it would exceed the limit */
	PACK_FAILED, /* the archive cannot be written */
};

/*
 * Borrows out and a until pack_close.  `limit` counts the bytes of all members.  Returns
 * -1 if out of memory.
 */
int pack_open(struct pack *p, struct out *out, uint64_t limit, struct arena *a);

bool pack_holds(struct pack *p, struct str name);

enum pack_result pack_bytes(struct pack *p, struct str name, struct str bytes);

/* Packs the first n bytes of a file.  If `free` is set, the limit does not count them. */
enum pack_result pack_file(struct pack *p, struct str name, int fd, uint64_t n,
                           bool free);

/* Ends the archive and releases p.  Returns -1 if the archive is incomplete. */
int pack_close(struct pack *p);

#endif

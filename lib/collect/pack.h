/*
 * pack - writes and compresses the collector's archive, a tar (pax).
 *
 * Callers must check pack_holds, so that each name occurs only once.  A member is skipped if the
 * total size would exceed the limit.
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
	bool *held; /* indexed by name: true if the archive has this member */
	size_t held_cap;
	uint64_t room;
	bool failed;
	uint64_t written; /* size of the archive in bytes, after pack_close */
};

enum pack_result {
	PACK_DONE,
	PACK_FULL,   /* skipped, because the total size would exceed the limit */
	PACK_FAILED, /* the archive cannot be written */
};

/*
 * Opens an archive.  out and a must live until pack_close.  `limit` is the maximum sum of all
 * member sizes.  Returns -1 if memory runs out.
 */
int pack_open(struct pack *p, struct out *out, uint64_t limit, struct arena *a);

bool pack_holds(struct pack *p, struct str name);

enum pack_result pack_bytes(struct pack *p, struct str name, struct str bytes);

/*
 * Packs the first n bytes of a file.  If `free` is set, the bytes do not count for the limit.
 */
enum pack_result pack_file(struct pack *p, struct str name, int fd, uint64_t n,
                           bool free);

/* Completes the archive and releases p.  Returns -1 if the archive is incomplete. */
int pack_close(struct pack *p);

#endif

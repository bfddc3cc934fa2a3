/*
 * keep - unpacked archives, kept in the cache from one run to the next; private to
 * source/.
 *
 * An entry has what the archive was (device, inode, size, times), where each member
 * lies, two checksums of each, and the bytes of small ones.  Large ones are entries of
 * their own, known by their checksum: what many archives hold is kept once.  A member's
 * bytes are checked when they are first asked for; where that shows damage, the archive
 * is unpacked once more.
 */
#ifndef SOURCE_ARCHIVE_CACHE_H
#define SOURCE_ARCHIVE_CACHE_H

#include "source/state.h"

/* What an archive is told by. */
struct keep_key {
	struct file_stamp file;
	uint64_t name; /* its own, under which a compressed file's one member goes */
	uint64_t is_profile;
};

/* What a member must be before it is believed. */
struct kept_member {
	struct cache_sum sum, head; /* of all its bytes, and of those source_head shows */
	bool head_good;             /* all of them are good when they are mapped */
	bool apart;                 /* it has an entry of its own, */
	struct cache_entry entry;   /* which is mapped when its head is looked at */
};

/* The archive open in fd.  False: nothing tells it. */
bool keep_identify(const struct cache *c, int fd, struct str name, bool is_profile,
                   struct keep_key *out);

/* True: s has the members, and their bytes in its spool, to be checked yet. */
bool keep_load(struct source *s, const struct keep_key *key);

/* Writes what s has. */
void keep_store(struct source *s, const struct keep_key *key);

/*
 * The members that the front of an entry lists, into s; their place is in the entry.
 * False: it is damaged.
 */
bool keep_read(struct source *s, struct str entry, struct str front);

/*
 * The bytes of m, not mapped yet, or its first, once they are seen to be what was kept.
 * They are unpacked anew where they are not; p is NULL: that cannot be.
 */
struct str keep_bytes(struct source *s, struct member *m);
struct str keep_head(struct source *s, struct member *m);

/* No byte of the archive is used any more. */
void keep_close(struct source *s);

#endif

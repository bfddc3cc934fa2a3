/*
 * archive_cache - unpacked archives, kept in the cache from one run to the next; private
 * to source/.
 *
 * An entry has what the archive was (device, inode, size, times), where each member
 * lies, two checksums of each, and the bytes of small ones.  Large ones are entries of
 * their own, found by their checksum: what many archives hold is kept once.  A member's
 * bytes are checked when they are first asked for.
 */
#ifndef SOURCE_ARCHIVE_CACHE_H
#define SOURCE_ARCHIVE_CACHE_H

#include "source/source_private.h"

/* The key of an archive; all its bytes are compared. */
struct archive_cache_key {
	struct file_stamp file;
	uint64_t is_profile;
	char name[256]; /* its own, under which a compressed file's one member goes */
};

/* The checks that a kept member must pass. */
struct kept_member {
	struct cache_sum sum, head; /* of all its bytes, and of those source_head shows */
	bool head_good;             /* all of them are good when they are mapped */
	bool apart;                 /* it has an entry of its own, */
	struct cache_entry entry;   /* which is mapped when its head is looked at */
};

/* The archive open in fd.  False: nothing tells it. */
bool archive_cache_identify(int fd, struct str name, bool is_profile,
                            struct archive_cache_key *out);

/* True: s has the members, and their bytes in its spool, to be checked yet. */
bool archive_cache_load(struct source *s, const struct archive_cache_key *key);

/* Writes what s has. */
void archive_cache_store(struct source *s, const struct archive_cache_key *key);

/*
 * The members that the front of an entry lists, into s; their place is in the entry.
 * False: it is damaged.
 */
bool archive_cache_read(struct source *s, struct str entry, struct str front);

/*
 * The bytes of m, which become its map, or its first ones.  p is NULL: they are not what
 * was kept, and the cache has forgotten the archive, which must be unpacked once more.
 */
struct str archive_cache_bytes(struct source *s, struct member *m);
struct str archive_cache_head(struct source *s, struct member *m);

/* Unmaps what is mapped of the archive. */
void archive_cache_close(struct source *s);

#endif

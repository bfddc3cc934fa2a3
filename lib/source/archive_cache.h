/*
 * archive_cache - unpacked archives, kept in the cache from one run to the next.  Private to
 * source/.
 *
 * An entry has the identity of the archive (device, inode, size, times), the place of each
 * member, two checksums of each, and the bytes of small ones.  Large ones are separate entries,
 * found by their checksum, so a member of many archives is kept once.  A member's bytes are
 * verified on first use.
 */
#ifndef SOURCE_ARCHIVE_CACHE_H
#define SOURCE_ARCHIVE_CACHE_H

#include "source/source_private.h"

/* The key of an archive.  All its bytes are compared. */
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

/* Identifies the archive open in fd.  Returns false if that is impossible. */
bool archive_cache_identify(int fd, struct str name, bool is_profile,
                            struct archive_cache_key *out);

/* Returns true if s has the members, and their bytes in its spool, to be checked yet. */
bool archive_cache_load(struct source *s, const struct archive_cache_key *key);

/* Writes the members of s. */
void archive_cache_store(struct source *s, const struct archive_cache_key *key);

/*
 * Reads the members in the front of an entry into s.  Their place is in the entry. Returns false
 * if it is damaged.
 */
bool archive_cache_read(struct source *s, struct str entry, struct str front);

/*
 * Returns the bytes of m, which become its map, or its first bytes.  p is NULL if they changed.
 * The cache has then dropped the archive, which must be unpacked again.
 */
struct str archive_cache_bytes(struct source *s, struct member *m);
struct str archive_cache_head(struct source *s, struct member *m);

/* Unmaps the archive. */
void archive_cache_close(struct source *s);

#endif

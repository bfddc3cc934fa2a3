/*
 * archive_cache - keeps unpacked archives in the cache from one run to the next.  Private
 * to source/.
 *
 * The entry of an archive has its identity (device, inode, size, times), and for each
 * member its place, two checksums, and its bytes if it is small.  A large member has its
 * own entry, whose name is a digest of its bytes.  So a member of many archives is stored
 * once.
 * The bytes of a member are verified on first use.
 */
#ifndef SOURCE_ARCHIVE_CACHE_H
#define SOURCE_ARCHIVE_CACHE_H

#include "source/source_private.h"

/* The key of an archive.  All its bytes are compared, including padding. */
struct archive_cache_key {
	struct file_stamp file;
	uint64_t is_profile;
	/* name of the archive, after which the member of a compressed file is named */
	char name[256];
};

/* The state of a member that was loaded from the cache. */
struct kept_member {
	/* name of its own entry, and checksums of all bytes and of source_head */
	struct cache_sum of, sum, head;
	bool head_good; /* the bytes of source_head were verified */
	bool apart;     /* the member has its own entry */
	/* the entry of the member, mapped when it is first used */
	struct cache_entry entry;
};

/*
 * Makes the key of the archive that is open as fd.  Returns false if that is impossible.
 */
bool archive_cache_identify(int fd, struct str name, bool is_profile,
                            struct archive_cache_key *out);

struct cache_name archive_cache_name(const struct cache *c,
                                     const struct archive_cache_key *key);

/*
 * Loads the members and their bytes.  The bytes are not verified yet.  Returns false if
 * there is no entry.
 */
bool archive_cache_load(struct source *s, const struct archive_cache_key *key);

/* Writes the members of s to the cache, or orders this. */
void archive_cache_store(struct source *s, const struct archive_cache_key *key);

/*
 * Reads the members in the front of an entry into s.  `off` is their offset in the entry.
 * Returns false if the entry is damaged.
 */
bool archive_cache_read(struct source *s, struct str entry, struct str front);

/*
 * Returns all bytes of m, which become m->map, or the first bytes.  Returns a NULL string
 * if the checksum is wrong.  Then the archive is removed from the cache, and must be
 * unpacked again.
 */
struct str archive_cache_bytes(struct source *s, struct member *m);
struct str archive_cache_head(struct source *s, struct member *m);

/* Unmaps the archive. */
void archive_cache_close(struct source *s);

#endif

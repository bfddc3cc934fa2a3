/*
 * archive_cache - stores unpacked archives in the cache.  Private to source/.
 *
 * The entry of an archive contains its identity (device, inode, size, times).  For each member it
 * contains the position, two checksums and, if the member is small, the content.  A large member
 * has its own entry, which is named after a digest of its bytes, so that a member of many
 * archives is stored only once.  The content of a member is verified on first use.
 */
#ifndef SOURCE_ARCHIVE_CACHE_H
#define SOURCE_ARCHIVE_CACHE_H

#include "source/source_private.h"

/* The key of an archive.  All bytes are compared, including padding. */
struct archive_cache_key {
	struct file_stamp file;
	uint64_t is_profile;
	/*
	 * name of the archive.  The name of a compressed file determines its member's
	 * name
	 */
	char name[256];
};

/* State of a member that was loaded from the cache. */
struct kept_member {
	/*
	 * `of` is a digest, which names the member's own entry.  `sum` and `head` are
	 * checksums of the whole content and of its start (source_head)
	 */
	struct cache_sum of, sum, head;
	bool head_good; /* the bytes of source_head were verified */
	bool apart;     /* the member has its own entry */
	/* the member's own entry, which is mapped on first use */
	struct cache_entry entry;
};

/*
 * Sets *out to the key of the archive that is open as fd.  Returns false if the archive cannot be
 * identified.
 */
bool archive_cache_identify(int fd, struct str name, bool is_profile,
                            struct archive_cache_key *out);

struct cache_name archive_cache_name(const struct cache *c,
                                     const struct archive_cache_key *key);

/* Loads the members.  Their content is not verified yet.  Returns false if there is no entry. */
bool archive_cache_load(struct source *s, const struct archive_cache_key *key);

/* Writes the members of s to the cache, or requests the entry from the keeper (cache/order.h). */
void archive_cache_store(struct source *s, const struct archive_cache_key *key);

/*
 * Reads the list of members from `front`, the first part of `entry` (cache/cache.h), and adds them
 * to s.  The `off` of a member is counted from the start of the entry.  Returns false if the entry
 * is damaged.
 */
bool archive_cache_read(struct source *s, struct str entry, struct str front);

/*
 * archive_cache_bytes returns the content of m, and sets m->map.  archive_cache_head returns the
 * start of the content.  If the checksum is wrong, they remove the archive from the cache and
 * return a NULL string.  The caller must then unpack the archive again.
 */
struct str archive_cache_bytes(struct source *s, struct member *m);
struct str archive_cache_head(struct source *s, struct member *m);

/* Unmaps the entries of the archive. */
void archive_cache_close(struct source *s);

#endif

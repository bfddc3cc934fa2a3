/*
 * cache - keeps results in a directory from one run to the next.
 *
 * An entry is one file.  It appears complete, by rename, and is never changed, so any number of
 * programs may use the directory at once.  It begins with the identity of its subject and a
 * checksum of its front.  Each kind has its own checksums for the content after the front.  An
 * entry that is damaged, belongs to another subject, or was written by other sources than this
 * program's is ignored and written again.  Other entries are never replaced: what a later run adds
 * becomes another part, see cache_part.  The cache is best effort: no error is reported if it
 * fails.
 *
 * Checksums have secret keys, which are stored in the directory.  A user who cannot read
 * the keys, but writes archives or images, cannot make two of them with the same
 * checksum.
 *
 * A confined program has neither the directory nor the seal.  Its keeper seals and names
 * the entries, and makes the entries that other inputs use (order.h).
 */
#ifndef CACHE_CACHE_H
#define CACHE_CACHE_H

#include "base/hash.h"
#include "base/keeper.h"

struct cache_sum {
	uint64_t a, b;
};

struct cache {
	int dir; /* -1 if the cache is off, or if only the keeper has the directory */
	uint64_t max;       /* limit of the size of all entries in bytes */
	bool archives;      /* also keep unpacked archives */
	bool no_profiles;   /* do not keep unpacked archives of profiles */
	bool resized;       /* `max` may be less than in earlier runs */
	uint64_t stored;    /* bytes stored since the entries were last counted */
	int64_t changed_ns; /* mtime of the directory when it was opened */
	unsigned char key[HASH_SECRET]; /* key for checksums of names and contents */
	/* key for checksums of heads and fronts, or zeros with a keeper */
	unsigned char seal[HASH_SECRET];
	const struct keeper *keeper; /* NULL if this program opens the directory itself */
	bool ordered; /* this process makes an entry that a confined process requested */
};

/*
 * Returns false if the cache cannot be used.  Then c->dir is -1.  errno is EPERM if the
 * directory belongs to another user, or if others may write to it.
 */
bool cache_open(struct cache *c, const char *dir, uint64_t max);

/*
 * Removes the least recently used entries while the total exceeds max.  Accepts a closed
 * cache.
 */
void cache_close(struct cache *c);

static inline bool cache_is_open(const struct cache *c)
{
	return c && (c->dir >= 0 || c->keeper);
}

/*
 * Closes the directory and deletes the seal.  From now on the keeper opens and names
 * entries.
 */
void cache_give_to_keeper(struct cache *c, const struct keeper *k);

struct cache_sum cache_sum(const struct cache *c, struct str bytes);

/* The same, with the seal. */
struct cache_sum cache_secret_sum(const struct cache *c, struct str bytes);

/* The name of an entry. */
struct cache_name {
	char kind; /* a letter for each format.  For capitals, see cache_is_own */
	struct cache_sum of;
};

enum {
	CACHE_HEAD = 64, /* bytes before the front */
	CACHE_PARTS = 8, /* of a subject, at most */
};

/* Returns true if only runs with the same inputs and sources use entries of this kind. */
static inline bool cache_is_own(char kind)
{
	return kind >= 'A' && kind <= 'Z';
}

/* The name of another part of the same subject, from 1 on.  Parts of lower numbers have priority. */
struct cache_name cache_part(const struct cache_name *name, unsigned part);

struct cache_entry {
	struct str map;   /* all bytes, to be unmapped */
	struct str front; /* the part that the checksum protects */
};

/* Maps an entry, and marks it as recently used.  Returns false if no entry is valid. */
bool cache_load(struct cache *c, const struct cache_name *name, struct cache_entry *out);

/* Accepts an entry whose fields are all zero. */
void cache_unload(struct cache_entry *e);

/*
 * Sets the front of an entry.  Returns false if the entry is damaged or has another name.
 */
bool cache_check(const struct cache *c, struct str bytes, const struct cache_name *name,
                 struct str *front);

/*
 * Removes an entry that is damaged after its front, or not valid any more.  With a keeper, this
 * program must have loaded it, and cannot write it again.
 */
void cache_forget(struct cache *c, const struct cache_name *name);

/*
 * An entry that is being written.  Its front is written first, at CACHE_HEAD.  Errors are
 * only found by cache_end.
 */
struct cache_writing {
	struct cache *cache;
	int fd; /* -1 if it cannot be written */
	uint64_t at;
	bool bad;
	char name[32]; /* until it is whole */
	uint64_t id;   /* for the keeper */
};
void cache_begin(struct cache *c, struct cache_writing *w);
void cache_put(struct cache_writing *w, const void *p, uint64_t n);
void cache_end(struct cache_writing *w, const struct cache_name *name, struct str front);

struct cache_size {
	/* size of all, including the head, and size of the front */
	uint64_t bytes, front;
};

/* Finishes an entry, as the keeper does for cache_end.  size: NULL to drop the entry. */
void cache_finish(struct cache_writing *w, const struct cache_name *name,
                  const struct cache_size *size);

/* Returns true if this kind of entry exists. */
bool cache_knows_kind(char kind);

/* Opens a valid entry for reading.  Returns its descriptor or -1. */
int cache_entry_open(const struct cache *c, const struct cache_name *name);

/* Stores an entry that consists of a front only. */
void cache_store(struct cache *c, const struct cache_name *name, struct str front);

#endif

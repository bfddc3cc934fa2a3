/*
 * cache - keeps results in a directory from one run to the next.
 *
 * An entry is one file.  A rename makes the complete file visible, and the file never changes, so
 * several programs may use the directory at once.  The file begins with the identity of its
 * subject (the data that it describes) and a checksum of its first part, the front.  Each kind of
 * entry has its own checksums for the content after the front.  An entry is ignored and written
 * again if it is damaged, belongs to another subject, or was written by another version of this
 * program.  A valid entry is never replaced.  Later runs add parts (cache_part).  Failures of the
 * cache are not reported.
 *
 * Checksums have secret keys, which are stored in the directory.  The author of an archive or
 * image cannot read the keys, and so cannot make two files with the same checksum.
 *
 * A confined program has neither the directory nor the seal, which is the key for fronts.  Its
 * parent process, the keeper (base/keeper.h), seals and names entries.  If runs with other inputs
 * may use an entry, the keeper also makes the entry (order.h).
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
	bool archives;      /* also store unpacked archives */
	bool no_profiles;   /* do not store unpacked archives of profiles */
	bool resized;       /* `max` may be less than in earlier runs */
	uint64_t stored;    /* bytes stored since the entries were last counted */
	int64_t changed_ns; /* mtime of the directory when it was opened */
	unsigned char key[HASH_SECRET]; /* key for checksums of names and contents */
	/* key for checksums of heads and fronts.  Zeros if there is a keeper */
	unsigned char seal[HASH_SECRET];
	const struct keeper *keeper; /* NULL if this program opens the directory itself */
	bool ordered; /* this process makes the entry that an order describes (order.h) */
};

/*
 * Returns false if the cache cannot be used.  Then c->dir is -1.  errno is EPERM if the
 * directory belongs to another user, or if others may write to it.
 */
bool cache_open(struct cache *c, const char *dir, uint64_t max);

/* If the total size exceeds max, removes the least recently used entries.  c may be closed. */
void cache_close(struct cache *c);

static inline bool cache_is_open(const struct cache *c)
{
	return c && (c->dir >= 0 || c->keeper);
}

/* Closes the directory and deletes the seal.  The keeper then opens and names entries. */
void cache_give_to_keeper(struct cache *c, const struct keeper *k);

struct cache_sum cache_sum(const struct cache *c, struct str bytes);

/* Like cache_sum, but uses the seal as key. */
struct cache_sum cache_secret_sum(const struct cache *c, struct str bytes);

/* The name of an entry. */
struct cache_name {
	char kind; /* a letter for each format.  Capitals: see cache_is_own */
	struct cache_sum of;
};

enum {
	CACHE_HEAD = 64, /* size of the head in bytes */
	CACHE_PARTS = 8, /* maximum number of parts (cache_part) for a subject */
};

/* Returns true if entries of this kind are used only by runs with the same inputs and sources. */
static inline bool cache_is_own(char kind)
{
	return kind >= 'A' && kind <= 'Z';
}

/*
 * Returns the name of part number `part` of the subject of `name`.  If several parts have the
 * same data, the lowest number has priority.
 */
struct cache_name cache_part(const struct cache_name *name, unsigned part);

struct cache_entry {
	struct str map;   /* the mapped entry */
	struct str front; /* the first part, which the checksum in the head protects */
};

/*
 * Maps an entry, and marks it as recently used.  Returns false if there is no valid entry.
 */
bool cache_load(struct cache *c, const struct cache_name *name, struct cache_entry *out);

/* The fields of e may all be zero. */
void cache_unload(struct cache_entry *e);

/* Checks an entry, and sets *front.  Returns false if the entry is damaged or has another name. */
bool cache_check(const struct cache *c, struct str bytes, const struct cache_name *name,
                 struct str *front);

/*
 * Removes an entry that is damaged after its front, or that is no longer valid.  With a keeper, a
 * program can remove only an entry that it has loaded, and cannot write this entry again.
 */
void cache_forget(struct cache *c, const struct cache_name *name);

/*
 * An entry that is being written.  The front comes first, at offset CACHE_HEAD.  Only cache_end
 * reports errors.
 */
struct cache_writing {
	struct cache *cache;
	int fd; /* -1 if the entry cannot be written */
	uint64_t at;
	bool bad;
	char name[32]; /* temporary name */
	uint64_t id;   /* identifies the entry for the keeper */
};
void cache_begin(struct cache *c, struct cache_writing *w);
void cache_put(struct cache_writing *w, const void *p, uint64_t n);
void cache_end(struct cache_writing *w, const struct cache_name *name, struct str front);

struct cache_size {
	/* total size including the head, and size of the front */
	uint64_t bytes, front;
};

/* Completes an entry, on behalf of cache_end.  If size is NULL, drops the entry. */
void cache_finish(struct cache_writing *w, const struct cache_name *name,
                  const struct cache_size *size);

/* Returns true if `kind` is a kind of cache entry. */
bool cache_knows_kind(char kind);

/* Opens a valid entry for reading.  Returns its descriptor or -1. */
int cache_entry_open(const struct cache *c, const struct cache_name *name);

/* Stores an entry that has only a front. */
void cache_store(struct cache *c, const struct cache_name *name, struct str front);

#endif

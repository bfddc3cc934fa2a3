/*
 * source - reads files, directories, archives and pipes as lists of members.
 *
 * Each argument of the command line is a source, and has a list of members.  A member is a range
 * of bytes in an open file.  A plain file has one member.  Selected members of an archive are
 * unpacked once, first into 32 MiB of memory, then into an unlinked file in TMPDIR.  A pipe that
 * must be read as a whole is stored in the same way.  Names of members are only compared, never
 * opened as paths, so `../` and absolute names in an archive have no effect.  Names are relative
 * to the source, without a leading "./", and need not be UTF-8.
 *
 * This module does not know any formats.  The caller's `look` recognises them by the first bytes.
 * If `look` rejects a file, the file is tried as an archive.
 */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

#include "base/arena.h"
#include "base/budget.h"
#include "cache/cache.h"

enum { SOURCE_HEAD = 16 << 10 }; /* maximum number of bytes passed to `look` */

enum source_look {
	LOOK_NOTHING, /* unknown format.  The file may be an archive, or is not needed */
	LOOK_STREAM,  /* text, which can be read in parts, also from a pipe */
	LOOK_WHOLE,   /* the whole file is needed, so a pipe is stored first */
};

struct source_opts {
	enum source_look (*look)(struct str name, struct str head);
	/* limit of stored bytes.  0: the limit depends on free space and on the input's size */
	uint64_t max_spool;
	/* the source is the profile, so damage is reported as damage of the profile */
	bool is_profile;
	/*
	 * Open only a regular file, without messages, and not as an archive.  Used for
	 * paths from a profile, which may lead to a device.
	 */
	bool plain;
	const char *opened;          /* replaces the path of a `plain` source, or NULL */
	struct cache *cache;         /* may be NULL */
	const struct keeper *keeper; /* NULL if this process creates temporary files */
	struct budget *budget; /* grows with the number of bytes read.  May be NULL */
	struct arena *run;     /* memory for names and lists */
	struct diag *diag;
};

enum source_kind { SOURCE_FILE, SOURCE_PIPE, SOURCE_DIR, SOURCE_ARCHIVE };

struct member {
	/* path inside the source.  For a plain file, the argument of the command line */
	struct str name;
	uint64_t size; /* 0 for a pipe, and for a directory's file that is not open yet */
	unsigned depth; /* number of slashes in name */
	bool cut;       /* the archive ended, or was damaged, inside this member */
	bool absent;    /* listed without content, because the limit was exceeded */
	bool unread;    /* the member was reported as unreadable */
	bool linked;    /* a symbolic link in the archive to another member */
	uint8_t note;   /* for the caller's use, initially 0 */
	/* private to source/ */
	uint64_t off;             /* offset in the file or in the temporary file */
	bool placed;              /* `map` is in memory that spool.h has lent */
	struct str map;           /* content, or empty before source_map */
	bool in_file;             /* `map` maps a file, so its memory can be released */
	struct str head;          /* start of the content, or empty before source_head */
	struct kept_member *kept; /* checksums of a member from the cache */
	struct member_file *file; /* data of an opened file in a directory, or NULL */
};

enum { SOURCE_PASSED = 8, SOURCE_PASSED_HEAD = 1 << 10 };

struct source {
	enum source_kind kind;
	struct str name;        /* the path or "standard input", for messages */
	struct member *members; /* sorted by name.  A file or pipe has one member */
	size_t n;
	bool crashed;          /* libarchive crashed, so members may be missing */
	struct budget *budget; /* from source_opts */
	struct source_passed { /* the first files of unknown format in an archive */
		struct str name, head;
	} * passed;
	size_t npassed;
	struct source_state *state; /* private */
};

/*
 * Opens a path, or standard input if path is NULL.  If it cannot be opened, reports this by
 * diag_fatal and returns NULL.  With opts->plain, errno is 0 if there is no such file.
 * Directories are listed recursively, but their files are not opened.  Symbolic links are
 * followed only if their target is inside the directory.
 */
struct source *source_open(const char *path, const struct source_opts *opts);

/*
 * Returns the start of a member, at most SOURCE_HEAD bytes.  If the member is unreadable, returns
 * an empty string and reports this once by diag_unread.  source_map reports this in the same way.
 * The bytes are valid until source_close.  In a directory, they are valid until the next
 * source_head.
 */
struct str source_head(struct source *s, size_t member);

/*
 * Returns the content of a member, valid until source_close.  Like source_head and streams, skips
 * a UTF-8 byte order mark.  Returns a NULL string with errno set if the member is a streamed pipe
 * or is unreadable.  For an empty member, p is not NULL and n is 0.  If another program truncates
 * a plain file while it is mapped, this program ends by SIGBUS.  This risk is accepted, because
 * mapping avoids copies.
 */
struct str source_map(struct source *s, size_t member);

/*
 * Release or prepare whole pages of `bytes`, a part of a result of source_map.  Released bytes
 * stay readable.  Bytes that are not in a file stay as they are.
 */
void source_give_back(const struct source *s, size_t member, struct str bytes);
void source_expect(const struct source *s, size_t member, struct str bytes);

/*
 * Sets *out to a checksum that identifies the bytes of a mapped member.  If the member is a file,
 * the checksum is computed from inode, size and times, and *placed is set to true.  Otherwise it is
 * computed from the bytes, if there are at most `most`.  Returns false if neither is possible.
 * source_reopen returns a new descriptor of such a file (*placed is true), or -1.
 */
bool source_identity(struct source *s, size_t member, const struct cache *c,
                     uint64_t most, struct cache_sum *out, bool *placed);
int source_reopen(struct source *s, size_t member);

/*
 * Returns true if this run or an earlier run has noted the build-id of a directory's member, and
 * sets *id.  source_remember and source_close store the notes in the cache.  source_remember
 * accepts NULL.
 */
bool source_noted_id(const struct source *s, size_t member, struct str *id);
void source_note_id(struct source *s, size_t member, struct str id);
void source_remember(struct source *s);

/* Returns the keeper that creates temporary files of s, or NULL if this process creates them. */
const struct keeper *source_keeper(const struct source *s);

/*
 * Sets *out to the birth time and the mtime of the file (statx(2)).  Returns false if s is not a
 * plain file.
 */
struct statx;
bool source_times(const struct source *s, struct statx *out);

/* s may be NULL. */
void source_close(struct source *s);

#endif

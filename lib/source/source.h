/*
 * source - the origin of bytes: a file, a directory, an archive, a pipe.
 *
 * Each argument of the command line becomes a list of members.  A member is a run of
 * bytes in an open file.  A plain file has one member.  The selected members of an
 * archive are unpacked once, into 32 MiB of memory, and then into one unlinked file in
 * TMPDIR.  A pipe that must be seen completely is also stored there.  The name of a
 * member is never opened as a path, only compared.  So `../` and absolute names in an
 * archive have no effect.  Names are relative to the source, without a leading "./", and
 * need not be UTF-8.
 *
 * This module does not know the formats.  The caller's `look` decides by the first bytes.
 * Only files that it does not want are tried as an archive.
 */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

#include "base/arena.h"
#include "base/budget.h"
#include "cache/cache.h"

enum { SOURCE_HEAD = 16 << 10 }; /* maximal number of bytes passed to `look` */

enum source_look {
	LOOK_NOTHING, /* not one of our formats: an archive or unwanted */
	LOOK_STREAM,  /* text, which can be read through a window, also from a pipe */
	LOOK_WHOLE,   /* must be seen as a whole, so a pipe is stored first */
};

struct source_opts {
	enum source_look (*look)(struct str name, struct str head);
	/* limit of stored bytes, or 0 to limit by free space and input size */
	uint64_t max_spool;
	bool is_profile; /* report damage as damage of the profile */
	/*
	 * Open only a regular file, without messages and not as an archive, because a
	 * path from a profile may lead to a device.
	 */
	bool plain;
	const char *opened;          /* with `plain`: another path of the file, or NULL */
	struct cache *cache;         /* the cache, or NULL */
	const struct keeper *keeper; /* or NULL if this process creates temporary files */
	struct budget *budget;       /* grows by the bytes read, or NULL */
	struct arena *run;           /* arena for names and lists */
	struct diag *diag;
};

enum source_kind { SOURCE_FILE, SOURCE_PIPE, SOURCE_DIR, SOURCE_ARCHIVE };

struct member {
	struct str name; /* path inside the source; of a plain file, as given */
	uint64_t size;   /* 0 for a pipe, and until a directory's file is opened */
	unsigned depth;  /* slashes in name */
	bool cut;        /* the archive ended or was damaged inside this member */
	bool absent;     /* listed without bytes, because the limit was exceeded */
	bool unread;     /* it was reported as unreadable */
	bool linked;     /* a symbolic link of the archive to another member */
	uint8_t note;    /* for the caller; initially 0 */
	/* private to source/ */
	uint64_t off;             /* offset of its start, in the file or the spool */
	bool placed;              /* `map` is in memory lent by the spool */
	struct str map;           /* all bytes, or empty until source_map */
	bool in_file;             /* `map` is of a file, so its memory can be released */
	struct str head;          /* the first bytes, or empty until source_head */
	struct kept_member *kept; /* its checksums, if it is from the cache */
	struct member_file *file; /* data of a directory's opened file, or NULL */
};

enum { SOURCE_PASSED = 8, SOURCE_PASSED_HEAD = 1 << 10 };

struct source {
	enum source_kind kind;
	struct str name;        /* the path, or "standard input", for messages */
	struct member *members; /* sorted by name; a file or a pipe has one */
	size_t n;
	bool crashed;          /* libarchive crashed, so members may be missing */
	struct budget *budget; /* of source_opts */
	struct source_passed { /* in an archive, the first files with unknown formats */
		struct str name, head;
	} * passed;
	size_t npassed;
	struct source_state *state; /* private */
};

/*
 * Opens a path, or standard input if path is NULL.  Returns NULL if it cannot be opened,
 * after diag_fatal.  If opts->plain is set and there is no such file, errno is 0.  A
 * directory is listed recursively, but its files are not opened.  Symbolic links are
 * followed only if they lead to files inside of it.
 */
struct source *source_open(const char *path, const struct source_opts *opts);

/*
 * Returns the first bytes of a member, at most SOURCE_HEAD.  If the member is unreadable,
 * returns an empty string, and reports this once by diag_unread (for a plain file, as a
 * note), as source_map does.  The bytes are valid until source_close, or, in a directory,
 * until the next source_head.
 */
struct str source_head(struct source *s, size_t member);

/*
 * Returns all bytes of a member, valid until source_close.  A UTF-8 byte order mark at
 * the start is skipped, as in source_head and in streams.  Returns a NULL string if the
 * bytes cannot be mapped: a pipe that is streamed, or an unreadable file, with errno set.
 * An empty member has p != NULL and n == 0.  If another program truncates a plain file
 * while it is mapped, this program ends by SIGBUS.  This risk is accepted, because
 * mapping avoids copies.
 */
struct str source_map(struct source *s, size_t member);

/*
 * Releases the memory of whole pages of `bytes`, a part of a source_map.  They can still
 * be read, from the file again.  Has no effect on bytes without a file.
 */
void source_give_back(const struct source *s, size_t member, struct str bytes);

/*
 * Identifies the bytes of a mapped member: by its place on this machine and its times
 * (`placed`), or else by a checksum of at most `most` bytes.  Returns false if neither is
 * possible.  source_reopen returns a new descriptor of a placed member, or -1.
 */
bool source_identity(struct source *s, size_t member, const struct cache *c,
                     uint64_t most, struct cache_sum *out, bool *placed);
int source_reopen(struct source *s, size_t member);

/*
 * Returns true if the build-id of a directory's member was noted in this run or an
 * earlier one, and sets *id.  Notes are stored in the cache by source_remember, which
 * accepts NULL, and by source_close.
 */
bool source_noted_id(const struct source *s, size_t member, struct str *id);
void source_note_id(struct source *s, size_t member, struct str id);
void source_remember(struct source *s);

/* Returns the keeper that creates temporary files of s, or NULL if this process does. */
const struct keeper *source_keeper(const struct source *s);

/*
 * Sets the times at which the file was created and written, see statx(2).  Returns false
 * if s is not a plain file.
 */
struct statx;
bool source_times(const struct source *s, struct statx *out);

/* Accepts NULL. */
void source_close(struct source *s);

#endif

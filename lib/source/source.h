/*
 * source - the origin of bytes: a file, a directory, an archive, a pipe.
 *
 * Each argument of the command line becomes a list of members, each a run of bytes in an open
 * file.  A plain file has one member.  The selected members of an archive are unpacked once, into
 * 32 MiB of memory, and then into one unlinked file in TMPDIR.  A pipe that must be seen
 * completely goes there too.  The name of a member is only compared and never opened as a path,
 * so `../` and absolute names in an archive have no effect. Names are relative to the source,
 * without a leading "./", and need not be UTF-8.
 *
 * This module does not know the formats.  The caller's `look` decides by the first bytes.  Only
 * other files are tried as an archive.
 */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

#include "base/arena.h"
#include "base/budget.h"
#include "cache/cache.h"

enum { SOURCE_HEAD = 16 << 10 }; /* bytes shown to look, at most */

enum source_look {
	LOOK_NOTHING, /* not one of our formats: maybe an archive, else unwanted */
	LOOK_STREAM,  /* text: can be read through a window, also from a pipe */
	LOOK_WHOLE,   /* must be seen whole: spooled when it comes from a pipe */
};

struct source_opts {
	enum source_look (*look)(struct str name, struct str head);
	/* bytes unpacked or kept of a pipe, or 0 for a limit by free space and input size */
	uint64_t max_spool;
	bool is_profile; /* damage counts as damage of the profile, else warns */
	/*
	 * A regular file or an error, without a message, and no archive, because a path
	 * from a profile may lead to a device.
	 */
	bool plain;
	const char *opened;  /* plain: another name of the file, or NULL */
	struct cache *cache; /* the cache, or NULL */
	const struct keeper
	        *keeper;       /* makes temporary files, or NULL: this process does */
	struct budget *budget; /* of the input, which grows by the bytes read, or NULL */
	struct arena *run;     /* names and lists live here */
	struct diag *diag;
};

enum source_kind { SOURCE_FILE, SOURCE_PIPE, SOURCE_DIR, SOURCE_ARCHIVE };

struct member {
	struct str name; /* path inside the source.  Of a plain file, the path as given */
	uint64_t size;   /* bytes.  0 for a pipe, and in a directory until it is opened */
	unsigned depth;  /* slashes in name */
	bool cut;        /* the archive ended or broke inside it */
	bool absent;     /* listed, but its bytes are not to be had (over the bound) */
	bool unread;     /* that it cannot be read was reported */
	bool linked;     /* another member, by a symbolic link of the archive */
	uint8_t note;    /* for the caller, initially 0 */
	/* private to source/ */
	uint64_t off;             /* offset of its start in the file or the spool */
	bool placed;              /* map is in memory that the spool has lent */
	struct str map;           /* bytes, or empty until source_map */
	bool in_file;             /* map is of a file, so its memory can be given back */
	struct str head;          /* first bytes, or empty until source_head */
	struct kept_member *kept; /* of a kept archive: the checksums of its bytes */
	/* NULL if it is not in a directory, or was not opened */
	struct member_file *file;
};

enum { SOURCE_PASSED = 8, SOURCE_PASSED_HEAD = 1 << 10 };

struct source {
	enum source_kind kind;
	struct str name;        /* for messages: the path, or "standard input" */
	struct member *members; /* sorted by name.  n is 1 for a file or a pipe */
	size_t n;
	/* libarchive, which is reported: there may be more members */
	bool crashed;
	struct budget *budget; /* of source_opts */
	struct source_passed { /* of an archive: the first files that are not of our formats */
		struct str name, head;
	} * passed;
	size_t npassed;
	struct source_state *state; /* private */
};

/*
 * path NULL is standard input.  Returns NULL if it cannot be opened, after a report by
 * diag_fatal.  For a plain source, errno is 0 if there is no such file.  A directory is listed
 * recursively.  Symbolic links are followed only while they stay inside it, and its files are not
 * opened.
 */
struct source *source_open(const char *path, const struct source_opts *opts);

/*
 * Returns the first bytes of a member (at most SOURCE_HEAD).  Empty if unreadable, which
 * diag_unread reports once (as a note for a plain file), as source_map does.  Valid until
 * source_close, or, in a directory, until the next source_head.
 */
struct str source_head(struct source *s, size_t member);

/*
 * Maps all bytes of a member, valid until source_close.  Here, in source_head and in streams, a
 * byte order mark of UTF-8 at the start is skipped.  p is NULL if that is impossible (a pipe that
 * is streamed, an unreadable file with errno set).  An empty member has p != NULL and n == 0.  If
 * another program shortens a plain file while it is mapped, this program ends by SIGBUS.  That
 * risk is accepted, because it avoids copies.
 */
struct str source_map(struct source *s, size_t member);

/*
 * Releases the memory of whole pages of these bytes, which are part of a source_map.  They stay
 * readable from the file.  Bytes without a file keep their memory.
 */
void source_give_back(const struct source *s, size_t member, struct str bytes);

/*
 * Identifies the bytes of a mapped member: by their place on this machine and their times, or by
 * a checksum if it reads at most that many bytes.  Returns false if neither is cheap enough.
 */
bool source_identity(struct source *s, size_t member, const struct cache *c,
                     uint64_t most, struct cache_sum *out);

/*
 * Returns the build-id that was noted for a directory's member, in this run or an earlier one, or
 * false.  Notes are for the cache, to which source_remember (which accepts NULL) and source_close
 * write new ones.
 */
bool source_noted_id(const struct source *s, size_t member, struct str *id);
void source_note_id(struct source *s, size_t member, struct str id);
void source_remember(struct source *s);

/* Returns the keeper that makes temporary files of s, or NULL if this process does. */
const struct keeper *source_keeper(const struct source *s);

/*
 * Sets the times at which the file s was created and written, see statx(2).  Returns false if it
 * is not a plain file.
 */
struct statx;
bool source_times(const struct source *s, struct statx *out);

/* Accepts NULL. */
void source_close(struct source *s);

#endif

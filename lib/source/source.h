/*
 * source - where bytes come from: a file, a directory, an archive, a pipe.
 *
 * Whatever was named on the command line becomes a list of members, each a run of
 * bytes in an open file.  A plain file has one member.  Archive members that are wanted
 * are unpacked once, into memory, and what outgrows 32 MiB into one unlinked file in
 * TMPDIR, where a pipe goes that must be seen whole; a member's name is only compared,
 * never opened as a path, so `../` and absolute names in an archive reach nothing.
 * Names are relative to the source, without "./" in front, and need not be UTF-8.
 *
 * What formats there are is not known here: the caller's `look` says of the first
 * bytes whether they are one of ours.  Only what is not is tried as an archive.
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
	uint64_t max_spool;  /* bytes unpacked or kept of a pipe; 0: by what is free and the input's size */
	bool is_profile;     /* damage counts as damage of the profile, else warns */
	/* A regular file or nothing, without a word, and no archive; a path that a profile has
	 * recorded may lead to a device. */
	bool plain;
	const char *opened; /* plain: where the file is found under another name; NULL */
	struct cache *cache; /* what is kept from run to run; NULL: nothing */
	const struct keeper *keeper; /* makes temporary files; NULL: this process does */
	struct budget *budget; /* of the input, to which what is read adds its share; NULL */
	struct arena *run;   /* names and lists live here */
	struct diag *diag;
};

enum source_kind { SOURCE_FILE, SOURCE_PIPE, SOURCE_DIR, SOURCE_ARCHIVE };

struct member {
	struct str name; /* path inside the source; a plain file: as it was named */
	uint64_t size;   /* bytes; of a pipe, and in a directory until it is opened: 0 */
	unsigned depth;  /* slashes in name */
	bool cut;        /* the archive ended or broke inside it */
	bool absent;     /* listed, but its bytes are not to be had (over the bound) */
	bool unread;     /* that it cannot be read was reported */
	bool linked;     /* another member, by a symbolic link of the archive */
	uint8_t note;    /* for who opened the source; 0 at first */
	/* private to source/ */
	uint64_t off;             /* where in the file or the spool it begins */
	bool placed;              /* map is in memory that the spool has lent */
	struct str map;           /* bytes; empty until source_map */
	bool in_file;             /* map is of a file, so its memory can be given back */
	struct str head;          /* first bytes; empty until source_head */
	struct kept_member *kept; /* of a kept archive: what its bytes must be */
	struct member_file *file; /* NULL: it is none, or was not opened */
};

enum { SOURCE_PASSED = 8, SOURCE_PASSED_HEAD = 1 << 10 };

struct source {
	enum source_kind kind;
	struct str name;        /* for messages: the path, or "standard input" */
	struct member *members; /* sorted by name; n is 1 for a file or a pipe */
	size_t n;
	bool crashed;               /* libarchive, which is reported: there may be more members */
	struct budget *budget;      /* of source_opts */
	struct source_passed { /* of an archive: the first files that are not of our formats */
		struct str name, head;
	} *passed;
	size_t npassed;
	struct source_state *state; /* private */
};

/*
 * path NULL is standard input.  NULL: cannot be opened, reported by diag_fatal
 * with the reason; of a plain one errno is 0 when there is no such file.  A directory is listed recursively, symbolic links followed
 * only while they stay inside it; its files are not opened.
 */
struct source *source_open(const char *path, const struct source_opts *opts);

/*
 * The first bytes of a member (at most SOURCE_HEAD); empty when unreadable, which
 * diag_unread reports once (of a plain file a note), as source_map does.  Valid
 * until source_close, but those of a directory's member until the next source_head.
 */
struct str source_head(struct source *s, size_t member);

/*
 * All bytes of a member, mapped; valid until source_close.  Here, in source_head and in
 * streams, a byte order mark of UTF-8 at the beginning is left out.  p is NULL when that
 * cannot be (a pipe that is streamed, an unreadable file; errno says why).  An
 * empty member is p != NULL, n == 0.  Who cuts a plain file short while it is mapped
 * ends the program by SIGBUS: that risk is taken, a copy of every file is not.
 */
struct str source_map(struct source *s, size_t member);

/*
 * Takes the memory of whole pages of these bytes, which lie in what source_map returned.  They
 * stay readable, from the file again; bytes of no file keep their memory.
 */
void source_give_back(const struct source *s, size_t member, struct str bytes);

/*
 * What tells the bytes of a member, which are mapped, from any others: where they lie on
 * this machine and since when, or a checksum, if reading at most that many bytes makes
 * one.  False: nothing that is cheap enough.
 */
bool source_identity(struct source *s, size_t member, const struct cache *c,
                     uint64_t most, struct cache_sum *out);

/*
 * The build-id that was noted of a directory's member, this time or by an earlier run;
 * false: none was.  Noting it is for the cache, where source_remember (which accepts
 * NULL) and source_close put what is new.
 */
bool source_noted_id(const struct source *s, size_t member, struct str *id);
void source_note_id(struct source *s, size_t member, struct str id);
void source_remember(struct source *s);

/* Makes temporary files of s; NULL: this process does. */
const struct keeper *source_keeper(const struct source *s);

/* When the file that s is was made and written, see statx(2); false: it is no plain file. */
struct statx;
bool source_times(const struct source *s, struct statx *out);

/* Accepts NULL. */
void source_close(struct source *s);

#endif

/*
 * state - what the files of source/ share behind the public door.
 */
#ifndef SOURCE_STATE_H
#define SOURCE_STATE_H

#include <sys/types.h>

#include "source/source.h"
#include "source/spool.h"

/* What tells a file of this machine, and that it was not changed; all 0: nothing does. */
struct file_stamp {
	uint64_t dev, ino, size, mtime_ns, ctime_ns;
};

/* Of a file of this machine that was opened. */
struct member_file {
	struct file_stamp stamp;
	struct str id; /* source_note_id */
	bool id_known;
};

/* What must be as it was for an index to hold: a directory, or where a link leads. */
struct watch {
	struct str name; /* NUL terminated; empty for the top */
	struct file_stamp stamp;
	bool link; /* only dev and ino count */
};

struct source_state {
	struct source_opts opts;
	int fd;             /* the file, pipe or directory itself; -1 when closed */
	bool streamed;      /* the pipe has found its reader */
	bool spooled;       /* the members' bytes are in spool, not in fd */
	struct spool spool; /* unpacked members, or a pipe that must be seen whole */
	struct area area;   /* members of a gzip file, where they were unpacked to */
	char *head;         /* what source_head read last from a directory */
	struct cache_name kept_as; /* of a kept archive, which entry */
	struct source *repaired;   /* the same unpacked anew; NULL: no need */
	/* of a directory, index.h */
	struct cache_entry index; /* what names may lie in */
	struct watch *watch;
	size_t watched, watch_cap;
	struct member *before; /* of an index that does not hold any more */
	size_t nbefore;
	bool learned; /* something the cache does not have */
	bool unsure;  /* it would not be known whether it holds */
};

/* The members of the directory open in s->state->fd.  -1: errno says why. */
int directory_list(struct source *s, const char *path);

/* A directory's member, opened for reading; the caller closes it.  -1: errno. */
int directory_member(struct source *s, struct member *m);

/*
 * The file or directory open in fd.  False: it is neither, or so young that a change might not show
 * in its times.
 */
bool file_stamp(int fd, struct file_stamp *out);
struct stat;
void stamp_from(const struct stat *sb, struct file_stamp *out);

/* By name, and depth counted. */
void members_sort(struct source *s);

/* read and pread that wait: for a signal to pass, for a pipe that says EAGAIN. */
ssize_t read_some(int fd, void *p, size_t n);
ssize_t pread_some(int fd, void *p, size_t n, uint64_t at);

#endif

/* source_private - the state of a source that the files of source/ share. */
#ifndef SOURCE_SOURCE_PRIVATE_H
#define SOURCE_SOURCE_PRIVATE_H

#include "source/file.h"
#include "source/source.h"
#include "source/spool.h"

/* Stamp and build-id of an opened file of a directory. */
struct member_file {
	struct file_stamp stamp;
	struct str id; /* source_note_id */
	bool id_known;
};

/* A directory or link target that must be unchanged for an index to hold. */
struct watch {
	struct str name; /* with a NUL after it, empty for the top */
	struct file_stamp stamp;
	bool link; /* only dev and ino count */
};

struct source_state {
	struct source_opts opts;
	int fd;             /* the file, pipe or directory itself, or -1 if closed */
	bool streamed;      /* the pipe has found its reader */
	bool spooled;       /* the members' bytes are in spool, not in fd */
	struct spool spool; /* unpacked members, or a pipe that must be seen whole */
	struct spool made;  /* made.h */
	char *head;         /* the last result of source_head in a directory */
	struct cache_name kept_as; /* of a kept archive, which entry */
	struct source *repaired;   /* the same archive, unpacked again, or NULL */
	/* of a directory, index.h */
	struct cache_entry index[CACHE_PARTS]; /* names may point into them */
	unsigned parts;                        /* of them, that hold */
	struct watch *watch;
	size_t watched, watch_cap;
	struct member *before; /* of an index that does not hold any more */
	size_t nbefore;
	bool learned; /* something the cache does not have */
	bool unsure;  /* it would not be known whether it holds */
};

#endif

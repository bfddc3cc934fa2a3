/* source_private - the state of a source, which the files of source/ share. */
#ifndef SOURCE_SOURCE_PRIVATE_H
#define SOURCE_SOURCE_PRIVATE_H

#include "source/file.h"
#include "source/source.h"
#include "source/spool.h"

/* Identity and build-id of an opened file in a directory. */
struct member_file {
	struct file_stamp stamp;
	struct str id; /* source_note_id */
	bool id_known;
};

/*
 * A directory or link target.  The index of a directory is valid only while all of them
 * are unchanged.
 */
struct watch {
	struct str name; /* name with a NUL after it; empty for the top */
	struct file_stamp stamp;
	bool link; /* true for a link, of which only dev and ino are compared */
};

struct source_state {
	struct source_opts opts;
	/* descriptor of the file, pipe or directory, or -1 if it is closed */
	int fd;
	bool streamed;      /* the pipe is read by a stream */
	bool spooled;       /* the members' bytes are in `spool`, not in `fd` */
	struct spool spool; /* unpacked members, or a pipe that must be seen as a whole */
	struct spool made;  /* made.h */
	char *head;         /* for a directory: the last result of source_head */
	struct cache_name kept_as; /* for an archive from the cache: name of its entry */
	struct source *repaired;   /* the same archive, unpacked again, or NULL */
	/* of a directory, index.h */
	struct cache_entry index[CACHE_PARTS]; /* names may point into them */
	unsigned parts;                        /* of them, that hold */
	struct watch *watch;
	size_t watched, watch_cap;
	struct member *before; /* members of an index that is not valid any more */
	size_t nbefore;
	bool learned; /* data was found that is not in the cache */
	bool unsure;  /* changes might go unnoticed, so no index is stored */
};

#endif

/* source_private - the state of a source, shared by the files of source/. */
#ifndef SOURCE_SOURCE_PRIVATE_H
#define SOURCE_SOURCE_PRIVATE_H

#include "source/file.h"
#include "source/source.h"
#include "source/spool.h"

/* Identity and build-id of an opened file in a directory. */
struct member_file {
	struct file_stamp stamp;
	struct str id; /* set by source_note_id */
	bool id_known;
};

/*
 * A directory or link.  The listing is valid only while all its directories and links are
 * unchanged.
 */
struct watch {
	struct str name; /* with a final NUL.  Empty for the top directory */
	struct file_stamp stamp;
	bool link; /* true for a link.  Only dev and ino of the link's target are compared */
};

struct source_state {
	struct source_opts opts;
	/* file, pipe or directory, or -1 if closed */
	int fd;
	bool streamed;             /* a stream reads the pipe */
	bool spooled;              /* the members are in `spool`, not in `fd` */
	struct spool spool;        /* unpacked members, or a stored pipe */
	struct spool made;         /* see made.h */
	char *head;                /* for a directory: last result of source_head */
	struct cache_name kept_as; /* for an archive from the cache: name of its entry */
	/* the same archive after it was unpacked again, or NULL */
	struct source *repaired;
	/* The following fields are used only for a directory (index.h). */
	/* valid parts of the directory's cache entry.  Names may point into these parts */
	struct cache_entry index[CACHE_PARTS];
	unsigned parts; /* number of valid parts */
	struct watch *watch;
	size_t watched, watch_cap;
	struct member *before; /* members of a listing that is no longer valid */
	size_t nbefore;
	bool learned; /* data was found that the cache lacks */
	bool unsure;  /* changes might go unnoticed, so no listing is stored */
};

#endif

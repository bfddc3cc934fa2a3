/*
 * header - reads the description in a perf.data: events, build ids, features.  Private to
 * reader/.
 *
 * A file has a header, and sections after the data.  A pipe capture has records among the data.
 * All of them are read before the first event.
 */
#ifndef READER_PERFDATA_HEADER_H
#define READER_PERFDATA_HEADER_H

#include "base/diag.h"
#include "reader/capture.h"
#include "reader/perfdata/attr.h"

struct known_build_id {
	struct str path; /* as recorded */
	struct str id;   /* raw bytes */
};

struct header {
	struct arena *arena;
	struct diag *diag;
	struct str name;        /* of the input, for messages */
	struct str bytes;       /* the whole input */
	struct capture capture; /* the public part */
	bool unsized;           /* the data section has size 0, because perf was killed */
	/* a bad feature section was reported, and the others have the same cause */
	bool reported;
	uint64_t data_at, data_end; /* the place of the records in bytes */
	uint64_t missing; /* bytes of the data section after the end of the input */
	struct attrs attrs;
	struct known_build_id *ids;
	size_t nids, ids_cap;
	struct table id_of; /* hash of a path -> index into ids + 1 */
	struct str tracing; /* TRACING_DATA, or empty */
	int pc;             /* number of the program counter in user registers, or -1 */
};

/* Returns true if these are the first bytes of a perf.data. */
bool header_is_perfdata(struct str head);

/*
 * name, arena and diag must be set, and attr_done called afterwards.  -1: unreadable,
 * reported by diag_fatal.
 */
int header_read(struct header *h, struct str bytes);

/* True: a perf.data in pipe mode. */
bool header_is_pipe(struct str head);

/*
 * Number of bytes of a pipe capture before its first event.  Returns 0 if there are more bytes,
 * or if they are not a pipe capture.
 */
size_t header_of_pipe(struct str bytes);

/* Returns the recorded build-id of the file at path.  Empty if unknown. */
struct str header_build_id(const struct header *h, struct str path);

#endif

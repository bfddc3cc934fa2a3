/*
 * header - reads the description in a perf.data: events, build ids, features.  Private to
 * reader/.
 *
 * In a file, they are in the header and in sections after the data.  In a pipe capture, they are
 * records among the data.  All are read before the first event.
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
	struct str name;        /* name of the input, for messages */
	struct str bytes;       /* the whole input */
	struct capture capture; /* the public part */
	bool unsized;           /* the data section has size 0, because perf was killed */
	/*
	 * A bad feature section was reported.  Others have the same cause and are not reported.
	 */
	bool reported;
	uint64_t data_at, data_end; /* offsets of the records in `bytes` */
	uint64_t missing; /* bytes of the data section after the end of the input */
	struct attrs attrs;
	struct known_build_id *ids;
	size_t nids, ids_cap;
	struct table id_of; /* hash of a path -> index into ids + 1 */
	struct str tracing; /* TRACING_DATA, or empty */
	int pc;             /* register number of the program counter, or -1 */
};

/* Returns true if these are the first bytes of a perf.data. */
bool header_is_perfdata(struct str head);

/*
 * Reads the header in `bytes`.  The caller sets name, arena and diag before, and calls attr_done
 * afterwards.  Returns -1 after a report by diag_fatal if it is unreadable.
 */
int header_read(struct header *h, struct str bytes);

/* Returns true if `head` begins a perf.data in pipe mode. */
bool header_is_pipe(struct str head);

/*
 * Returns the number of bytes of a pipe capture before its first event.  Returns 0 if `bytes`
 * ends before that event, or is not a pipe capture.
 */
size_t header_of_pipe(struct str bytes);

/* Returns the recorded build-id of the file at path, or an empty string. */
struct str header_build_id(const struct header *h, struct str path);

#endif

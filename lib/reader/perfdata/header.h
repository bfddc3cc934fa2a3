/*
 * header - reads the description of the recording in a perf.data: events, build-ids, features.
 * Private to reader/.
 *
 * A file contains the description in its header and in sections after the data.  A pipe capture
 * contains it in records that precede the first event.  The whole description is read before the
 * first event.
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
	struct str bytes;       /* content of the input */
	struct capture capture; /* the part that reader_capture returns */
	bool unsized; /* the header has a data size of 0, because perf was killed */
	/*
	 * A bad section was reported.  Other bad sections have the same cause, so they
	 * are not reported.
	 */
	bool reported;
	uint64_t data_at, data_end; /* start and end of the records in `bytes` */
	/* number of data bytes that are missing at the end of the input */
	uint64_t missing;
	struct attrs attrs;
	struct known_build_id *ids;
	size_t nids, ids_cap;
	struct table id_of; /* hash of a path -> index in ids + 1 */
	struct str tracing; /* content of TRACING_DATA, or empty */
	int pc;             /* register number of the program counter, or -1 */
};

/* Returns true if `head` is the start of a perf.data. */
bool header_is_perfdata(struct str head);

/*
 * Reads the header in `bytes`.  The caller must set name, arena and diag before, and must call
 * attr_done afterwards.  If the header is unreadable, reports this by diag_fatal and returns -1.
 */
int header_read(struct header *h, struct str bytes);

/* Returns true if `head` is the start of a perf.data in pipe mode. */
bool header_is_pipe(struct str head);

/*
 * Returns the number of bytes before the first event of a pipe capture.  Returns 0 if `bytes`
 * ends before that event, or if it is not a pipe capture.
 */
size_t header_of_pipe(struct str bytes);

/* Returns the recorded build-id of the file at path, or an empty string. */
struct str header_build_id(const struct header *h, struct str path);

#endif

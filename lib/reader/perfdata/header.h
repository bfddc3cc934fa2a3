/*
 * header - reads what a perf.data says about itself: events, build ids, features; private
 * to reader/.
 *
 * A file has it in a header and in sections behind the data, a pipe capture in records
 * among the data.  All of it is read before the first event.
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
	struct capture capture; /* what the reader shows of it */
	bool unsized;           /* the data section says 0: perf was killed */
	bool reported; /* a bad feature section was reported; the others are bad for the same cut */
	uint64_t data_at, data_end; /* where the records are in bytes */
	uint64_t missing; /* bytes of the data section behind the end of the input */
	struct attrs attrs;
	struct known_build_id *ids;
	size_t nids, ids_cap;
	struct table id_of; /* hash of a path -> index into ids + 1 */
	struct str tracing; /* TRACING_DATA; empty when there is none */
	int pc; /* register number of the program counter in user registers; -1: unknown */
};

/* True: these first bytes are those of a perf.data. */
bool header_is_perfdata(struct str head);

/*
 * name, arena and diag must be set, and attr_done called afterwards.  -1: unreadable,
 * reported by diag_fatal.
 */
int header_read(struct header *h, struct str bytes);

/* True: a perf.data in pipe mode. */
bool header_is_pipe(struct str head);

/*
 * Number of bytes of a pipe capture before its first event.  0: more than these bytes, or
 * they are no pipe capture.
 */
size_t header_of_pipe(struct str bytes);

/* Build-id recorded for the file at path; empty when unknown. */
struct str header_build_id(const struct header *h, struct str path);

#endif

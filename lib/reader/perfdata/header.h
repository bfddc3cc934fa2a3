/*
 * header - what a perf.data says about itself: its events, build ids, machine;
 * private to reader/.
 *
 * A file has it in a header and in sections behind the data, a pipe capture in
 * records among the data.  All of it is gathered before the first event is read.
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
	bool reported;          /* a bad feature section was; the rest are the same cut */
	uint64_t data_at, data_end; /* the records, inside bytes */
	uint64_t missing; /* bytes of the data section behind the end of the input */
	struct attrs attrs;
	struct known_build_id *ids;
	size_t nids, ids_cap;
	struct table id_of; /* hash of a path -> index into ids + 1 */
	struct str tracing; /* TRACING_DATA; empty when there is none */
	int pc;             /* number of the program counter in user registers; -1 */
};

/* perf.data by its first bytes? */
bool header_is_perfdata(struct str head);

/*
 * name, arena and diag are set; what is left to do is attr_done.  -1: unreadable,
 * reported by diag_fatal.
 */
int header_read(struct header *h, struct str bytes);

/* A perf.data that was written into a pipe? */
bool header_is_pipe(struct str head);

/*
 * How many bytes of a pipe capture stand before its first event; 0: more than these,
 * or these are no pipe capture.
 */
size_t header_of_pipe(struct str bytes);

/* The build id of what is mapped from path; empty when unknown. */
struct str header_build_id(const struct header *h, struct str path);

#endif

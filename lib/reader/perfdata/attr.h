/*
 * attr - the events of a perf.data: their perf_event_attr, ids and names; private to
 * reader/.
 *
 * A record names its event by an id whose place in the record depends on that event; so
 * all places that occur in this file are tried.
 */
#ifndef READER_PERFDATA_ATTR_H
#define READER_PERFDATA_ATTR_H

#include "base/cursor.h"
#include "base/table.h"
#include "reader/event.h"
#include "reader/fields.h"

struct event_attr {
	struct attr pub;      /* what the reader shows of it */
	uint64_t period;      /* period of samples that do not record one */
	uint64_t read_format; /* PERF_FORMAT_* */
	uint64_t regs_user;   /* which registers samples hold */
	uint64_t regs_intr;
	uint64_t bp_addr; /* of a breakpoint */
	uint32_t bp_type;
	bool big;             /* the writer was big-endian */
	bool inherit;         /* threads created later are counted as well */
	bool offcpu;          /* "offcpu-time", whose samples say all in their raw data */
	bool trailers;        /* sample_id_all: other records end in a sample id */
	uint8_t id_at;        /* SAMPLE: which u64 is the id, from 1; 0: none */
	uint8_t time_at;      /* SAMPLE: which u64 is the time, from 1; 0: none */
	uint8_t id_back;      /* other records: which u64 from the end; 0: none */
	uint8_t trailer;      /* u64s in the sample id; 0: none */
	uint8_t trailer_time; /* which of them is the time, from 1; 0: none */
	uint8_t trailer_cpu;  /* and the cpu */
	uint8_t exclude;      /* bits: user kernel hv idle host guest, from bit 0 */
	uint8_t precise;      /* 0 to 3 */
};

struct attrs {
	struct arena *arena;
	struct event_attr *attr;
	size_t n, cap;
	const struct attr **list; /* their pub, when complete */
	struct table ids;         /* event id -> index + 1 */
	unsigned id_at, id_back;  /* bit i: some event has its id there */
	bool alike;               /* all have records of the same layout */
};

/*
 * bytes is the perf_event_attr as written, of any size from 64; big says that the
 * writer was big-endian.  NULL: too short.  Indices stay, pointers do not, until
 * attr_done.
 */
struct event_attr *attr_add(struct attrs *as, struct str bytes, bool swap, bool big);

/* Adds an id of the event that was added last. */
void attr_add_id(struct attrs *as, uint64_t id);

/* Ends adding: derives the names that are missing and builds as->list. */
void attr_done(struct attrs *as);

/*
 * Index of the event of a record whose bytes behind the header are body.  -1:
 * the id is not known.
 */
int attr_of_sample(const struct attrs *as, struct str body, bool swap);
int attr_of_record(const struct attrs *as, struct str body, bool swap);

/* The name perf derives: "cpu-clock:u", "L1-dcache-loads", "raw 0x1a8". */
struct str attr_name(const struct event_attr *a, struct arena *arena);

#endif

/*
 * attr - the events of a perf.data: their perf_event_attr, ids and names.  Private to reader/.
 *
 * A record names its event by an id, whose place in the record depends on that event, so all
 * places that occur in this file are tried.
 */
#ifndef READER_PERFDATA_ATTR_H
#define READER_PERFDATA_ATTR_H

#include "base/cursor.h"
#include "base/table.h"
#include "reader/event.h"
#include "reader/fields.h"

struct event_attr {
	struct attr pub;      /* the public part */
	uint64_t period;      /* period of samples that do not record one */
	uint64_t read_format; /* PERF_FORMAT_* */
	uint64_t regs_user;   /* which registers samples hold */
	uint64_t regs_intr;
	uint64_t bp_addr; /* of a breakpoint */
	uint32_t bp_type;
	bool big;     /* the writer was big-endian */
	bool inherit; /* threads created later are counted as well */
	/* "offcpu-time", with all fields of its samples in their raw data */
	bool offcpu;
	bool trailers;   /* sample_id_all: other records end in a sample id */
	uint8_t id_at;   /* SAMPLE: number of the u64 with the id, from 1, or 0 */
	uint8_t time_at; /* SAMPLE: number of the u64 with the time, from 1, or 0 */
	/* other records: number of the u64 with the id, from the end, or 0 */
	uint8_t id_back;
	uint8_t trailer;      /* u64s in the sample id, or 0 */
	uint8_t trailer_time; /* number of the one with the time, from 1, or 0 */
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
 * bytes is the perf_event_attr as written, of any size from 64.  big: the writer was big-endian.
 * Returns NULL if it is too short.  Indices stay valid, pointers do not, until attr_done.
 */
struct event_attr *attr_add(struct attrs *as, struct str bytes, bool swap, bool big);

/* Adds an id of the event that was added last. */
void attr_add_id(struct attrs *as, uint64_t id);

/* Ends adding: derives the names that are missing and builds as->list. */
void attr_done(struct attrs *as);

/*
 * Returns the index of the event of a record with that body after the header, or -1 if the id is
 * unknown.
 */
int attr_of_sample(const struct attrs *as, struct str body, bool swap);
int attr_of_record(const struct attrs *as, struct str body, bool swap);

/* The name perf derives: "cpu-clock:u", "L1-dcache-loads", "raw 0x1a8". */
struct str attr_name(const struct event_attr *a, struct arena *arena);

#endif

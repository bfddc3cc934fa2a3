/*
 * attr - reads the events of a perf.data: their perf_event_attr, ids and names.  Private to
 * reader/.
 *
 * A record contains the id of its event, but the event determines the position of the id.
 * Therefore all positions that occur in the file are tried.
 */
#ifndef READER_PERFDATA_ATTR_H
#define READER_PERFDATA_ATTR_H

#include "base/cursor.h"
#include "base/table.h"
#include "reader/event.h"
#include "reader/fields.h"

struct event_attr {
	struct attr pub;      /* the public part */
	uint64_t period;      /* period of samples that do not contain a period */
	uint64_t read_format; /* PERF_FORMAT_* */
	uint64_t regs_user;   /* mask of the user registers in samples */
	uint64_t regs_intr;
	uint64_t bp_addr; /* address of a breakpoint */
	uint32_t bp_type;
	bool big;     /* the writer was big-endian */
	bool inherit; /* threads created later are also counted */
	/* true for the event "offcpu-time".  The raw data of its samples contain all fields */
	bool offcpu;
	bool trailers;   /* sample_id_all: other records also end with a sample id */
	uint8_t id_at;   /* SAMPLE: position of the id in u64s, starting at 1, or 0 */
	uint8_t time_at; /* SAMPLE: position of the time in u64s, starting at 1, or 0 */
	/* Other records: position of the id in u64s, counted from the end, or 0. */
	uint8_t id_back;
	uint8_t trailer; /* length of the sample id in u64s, or 0 */
	/* position of the time in the sample id, starting at 1, or 0 */
	uint8_t trailer_time;
	/* position of the cpu in the sample id, starting at 1, or 0 */
	uint8_t trailer_cpu;
	/* excluded modes.  Bits from 0 on: user kernel hv idle host guest */
	uint8_t exclude;
	uint8_t precise; /* 0 to 3 */
};

struct attrs {
	struct arena *arena;
	struct event_attr *attr;
	size_t n, cap;
	const struct attr **list; /* a pointer to each `pub`.  attr_done sets it */
	struct table ids;         /* event id -> index of the event + 1 */
	/* bit i is set if i is the id_at or id_back of at least one event */
	unsigned id_at, id_back;
	bool alike; /* records of all events have the same layout */
};

/*
 * Adds an event.  `bytes` is its perf_event_attr, at least 64 bytes.  `big`: the writer was
 * big-endian.  Returns NULL if the bytes are too short.  Before attr_done, indices are stable but
 * pointers are not.
 */
struct event_attr *attr_add(struct attrs *as, struct str bytes, bool swap, bool big);

/* Adds an id to the last event. */
void attr_add_id(struct attrs *as, uint64_t id);

/* Completes the list: makes missing names, and fills as->list. */
void attr_done(struct attrs *as);

/*
 * Return the index of the event to which a SAMPLE or another record belongs, or -1 if the id is
 * unknown.  `body` is the record without its header.
 */
int attr_of_sample(const struct attrs *as, struct str body, bool swap);
int attr_of_record(const struct attrs *as, struct str body, bool swap);

/*
 * Returns the name that perf derives from the attr, for example "cpu-clock:u", "L1-dcache-loads"
 * or "raw 0x1a8".
 */
struct str attr_name(const struct event_attr *a, struct arena *arena);

#endif

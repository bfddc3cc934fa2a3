/*
 * attr - the events of a perf.data: their perf_event_attr, ids and names.  Private to reader/.
 *
 * A record contains the id of its event.  The position of the id depends on the event, so all
 * positions that occur in this file are tried.
 */
#ifndef READER_PERFDATA_ATTR_H
#define READER_PERFDATA_ATTR_H

#include "base/cursor.h"
#include "base/table.h"
#include "reader/event.h"
#include "reader/fields.h"

struct event_attr {
	struct attr pub;      /* the public part */
	uint64_t period;      /* period of samples, if they do not record it */
	uint64_t read_format; /* PERF_FORMAT_* */
	uint64_t regs_user;   /* mask of the user registers in samples */
	uint64_t regs_intr;
	uint64_t bp_addr; /* breakpoint: its address */
	uint32_t bp_type;
	bool big;     /* the writer was big-endian */
	bool inherit; /* threads that are created later are counted too */
	/* The event "offcpu-time".  Its samples use only their raw data for all fields. */
	bool offcpu;
	bool trailers;   /* sample_id_all: records other than SAMPLE end in a sample id */
	uint8_t id_at;   /* SAMPLE: number of the u64 with the id, from 1, or 0 */
	uint8_t time_at; /* SAMPLE: number of the u64 with the time, from 1, or 0 */
	/*
	 * Records other than SAMPLE: number of the u64 with the id, counted from the end, or 0.
	 */
	uint8_t id_back;
	uint8_t trailer; /* u64s in the sample id, or 0 */
	/* number of the sample id's u64 with the time, from 1, or 0 */
	uint8_t trailer_time;
	/* number of the sample id's u64 with the cpu, from 1, or 0 */
	uint8_t trailer_cpu;
	uint8_t exclude; /* excluded modes: user kernel hv idle host guest, from bit 0 */
	uint8_t precise; /* 0 to 3 */
};

struct attrs {
	struct arena *arena;
	struct event_attr *attr;
	size_t n, cap;
	const struct attr **list; /* pointers to each `pub`, set by attr_done */
	struct table ids;         /* event id -> index + 1 */
	unsigned id_at, id_back;  /* bit i: some event has this id_at, id_back */
	bool alike;               /* all events have the same layout of records */
};

/*
 * Adds an event from its perf_event_attr as written, which has 64 bytes or more.  `big` is true
 * if the writer was big-endian.  Returns NULL if the bytes are too short.  Until attr_done,
 * indices stay valid, but pointers do not.
 */
struct event_attr *attr_add(struct attrs *as, struct str bytes, bool swap, bool big);

/* Adds an id of the event that was added last. */
void attr_add_id(struct attrs *as, uint64_t id);

/* Ends adding: derives the names that are missing and builds as->list. */
void attr_done(struct attrs *as);

/*
 * Return the index of the event of a SAMPLE or another record.  `body` is the record without its
 * header.  Return -1 if the id is unknown.
 */
int attr_of_sample(const struct attrs *as, struct str body, bool swap);
int attr_of_record(const struct attrs *as, struct str body, bool swap);

/*
 * Returns the name that perf derives from the attr: "cpu-clock:u", "L1-dcache-loads", "raw
 * 0x1a8".
 */
struct str attr_name(const struct event_attr *a, struct arena *arena);

#endif

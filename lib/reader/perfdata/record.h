/*
 * record - reads the records of perf.data: their bounds, times and contents.  Private to reader/.
 */
#ifndef READER_PERFDATA_RECORD_H
#define READER_PERFDATA_RECORD_H

#include "reader/perfdata/attr.h"

enum {
	RECORD_HEAD = 8,
	/* maximum number of frames in a call chain, because the size of a record has 16 bits */
	RECORD_MAX_FRAMES = 65536 / 8,
	MISC_CPUMODE = 7, /* bits of misc that contain an enum cpumode */
};

/* PERF_RECORD_*.  The kernel writes types below 64, and perf writes the others. */
enum record_type {
	REC_MMAP = 1,
	REC_LOST = 2,
	REC_COMM = 3,
	REC_EXIT = 4,
	REC_THROTTLE = 5,
	REC_UNTHROTTLE = 6,
	REC_FORK = 7,
	REC_SAMPLE = 9,
	REC_MMAP2 = 10,
	REC_AUX = 11,
	REC_ITRACE_START = 12,
	REC_LOST_SAMPLES = 13,
	REC_SWITCH = 14,
	REC_SWITCH_CPU_WIDE = 15,
	REC_NAMESPACES = 16,
	REC_KSYMBOL = 17,
	REC_BPF_EVENT = 18,
	REC_CGROUP = 19,
	REC_TEXT_POKE = 20,
	REC_CALLCHAIN_DEFERRED = 22, /* since Linux 6.18 */
	REC_LAST_OF_KERNEL = REC_CALLCHAIN_DEFERRED,
	REC_USER = 64,
	REC_ATTR = 64,
	REC_TRACING_DATA = 66,
	REC_BUILD_ID = 67,
	REC_FINISHED_ROUND = 68,
	REC_AUXTRACE = 71,
	REC_EVENT_UPDATE = 78,
	REC_FEATURE = 80,
	REC_COMPRESSED = 81,
	REC_FINISHED_INIT = 82,
	REC_COMPRESSED2 = 83,
	REC_BPF_METADATA = 84,
	REC_KNOWN = 86, /* the highest type in perf 6.18 */
	/* other writers, such as simpleperf, use types from here on */
	REC_FOREIGN = 32768,
};

struct record {
	const char *p; /* header of the record */
	uint32_t type;
	uint16_t misc;
	uint64_t size;    /* bytes up to the next record */
	struct str body;  /* bytes after the header */
	struct str extra; /* data that follows the record (TRACING_DATA, AUXTRACE) */
};

enum record_end {
	RECORD_WHOLE,
	RECORD_CUT, /* the record is incomplete.  out->size is set */
	RECORD_BAD, /* there is no record at this position */
};

/* Reads the record at the start of `left`, which must not be empty. */
enum record_end record_read(struct str left, bool swap, struct record *out);

/*
 * Returns the offset in `left` at which reading can continue after damage.  Tests every 8th byte,
 * starting at `from`.  Accepts an offset if several consecutive records begin there, or if
 * records fill the rest of `left`.  Returns left.n if no offset is accepted.  The time is linear
 * in the number of skipped bytes.
 */
size_t record_search(struct str left, size_t from, bool swap);

static inline uint64_t record_word(const char *p, bool swap)
{
	uint64_t v;

	memcpy(&v, p, 8);
	return swap ? __builtin_bswap64(v) : v;
}

/*
 * Returns the time of a kernel record.  A time of 0 or ~0 means that the record has no time and
 * is delivered immediately.
 */
uint64_t record_time(const struct record *r, const struct event_attr *a, bool swap);

/* Returns the name of a type, such as "MMAP2", or NULL if records of this type are not events. */
const char *record_name(uint32_t type);

/* Memory used for one decoded record.  It grows to the size of the largest record. */
struct room {
	struct arena *arena;
	struct frame *frames; /* RECORD_MAX_FRAMES elements */
	struct fields fields;
	struct other_fields other;
	uint64_t regs[2][64];
	struct counter *counters;
	struct branch *branches;
	struct namespace_link *namespaces;
	size_t counters_cap, branches_cap, namespaces_cap;
	struct frame like; /* template for the frames of callers */
	/*
	 * Number of frames before the user frames, or SIZE_MAX if there is no marker of
	 * user mode.
	 */
	size_t user_at;
	/* A CALLCHAIN_DEFERRED record with this cookie will contain the user frames. */
	bool deferred;
	uint64_t cookie;
	uint64_t *later; /* frames of the last CALLCHAIN_DEFERRED record */
	size_t nlater, later_cap;
};

/*
 * Decodes r into ev.  Does not set ev->at.  `pc` is the register number of the program counter, or
 * -1.  Paths are set as recorded.  Returns false if lengths in the record are inconsistent, or if
 * records of its type are not events.
 */
bool record_decode(const struct record *r, const struct event_attr *a, bool swap, int pc,
                   struct room *room, struct event *ev);

#endif

/*
 * capture - the description of a recording in a perf.data.
 *
 * From its header, and from the feature sections of a file or the feature records of a pipe
 * capture.  Lives as long as the reader.
 */
#ifndef READER_CAPTURE_H
#define READER_CAPTURE_H

#include "base/cursor.h"
#include "reader/event.h"

/* HEADER_* of tools/perf/util/header.h, 6.1. */
enum feature {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_ID,
	FEATURE_HOSTNAME,
	FEATURE_OSRELEASE,
	FEATURE_VERSION,
	FEATURE_ARCH,
	FEATURE_NRCPUS,
	FEATURE_CPUDESC,
	FEATURE_CPUID,
	FEATURE_TOTAL_MEM,
	FEATURE_CMDLINE,
	FEATURE_EVENT_DESC,
	FEATURE_CPU_TOPOLOGY,
	FEATURE_NUMA_TOPOLOGY,
	FEATURE_BRANCH_STACK,
	FEATURE_PMU_MAPPINGS,
	FEATURE_GROUP_DESC,
	FEATURE_AUXTRACE,
	FEATURE_STAT,
	FEATURE_CACHE,
	FEATURE_SAMPLE_TIME,
	FEATURE_MEM_TOPOLOGY,
	FEATURE_CLOCKID,
	FEATURE_DIR_FORMAT,
	FEATURE_BPF_PROG_INFO,
	FEATURE_BPF_BTF,
	FEATURE_COMPRESSED,
	FEATURE_CPU_PMU_CAPS,
	FEATURE_CLOCK_DATA,
	FEATURE_HYBRID_TOPOLOGY,
	FEATURE_PMU_CAPS,
	FEATURES, /* of perf 6.1.  The following ones are of perf 7 */
	FEATURE_CPU_DOMAIN_INFO = FEATURES,
	FEATURE_E_MACHINE,
	FEATURE_CLN_SIZE,
	FEATURES_OF_7
};

enum { CAPTURE_FEATURES = 256 };

struct capture {
	bool swap; /* the recording machine has the other byte order: so have sections */
	bool big;  /* it is big-endian */
	bool pipe; /* records only: no place in the file means anything */
	uint64_t data_at,
	        data_bytes;   /* the records, by the header.  0 bytes: perf was killed */
	uint64_t features[4]; /* bit i of the 256: the header announces feature i */
	struct str section[CAPTURE_FEATURES]; /* as written.  p NULL: not in the input */
	const struct attr *const *attrs;      /* the events */
	size_t nattrs;
	bool has_clock;    /* the next three are used: perf record -k */
	uint32_t clockid;  /* clockid_t of the events' times */
	uint64_t clock_ns; /* that clock when the wall's showed wall_ns */
	uint64_t wall_ns;  /* since 1970 */
	uint64_t first_ns; /* time of the first sample, or 0 */
	uint64_t last_ns;  /* and of the last */
	struct str arch;   /* "x86_64", or empty */
};

static inline bool capture_has(const struct capture *c, unsigned feature)
{
	return c->features[feature / 64] >> feature % 64 & 1;
}

/* A string of a section: a length, and that many bytes with a NUL among them. */
static inline struct str capture_string(struct cursor *c)
{
	uint32_t n = cur_u32(c);
	const char *p = cur_take(c, n);

	return p ? (struct str){ p, strnlen(p, n) } : (struct str){ 0 };
}

/*
 * Bit of the flags, the 8 bytes at 40 of a perf_event_attr: a big-endian compiler fills
 * bit fields from the other end.
 */
static inline unsigned capture_flag(const char *flags, unsigned bit, bool big)
{
	unsigned in_byte = big ? 7 - bit % 8 : bit % 8;

	return (unsigned char)flags[bit / 8] >> in_byte & 1;
}

#endif

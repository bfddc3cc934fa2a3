/*
 * capture - describes the recording in a perf.data.
 *
 * The description comes from the header, and from feature sections of a file or feature records
 * of a pipe.  It lives as long as the reader.
 */
#ifndef READER_CAPTURE_H
#define READER_CAPTURE_H

#include "base/cursor.h"
#include "reader/event.h"

/* Numbers of features: HEADER_* of tools/perf/util/header.h, 6.1. */
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
	/* Number of features in perf 6.1.  The features below are from perf 7. */
	FEATURES,
	FEATURE_CPU_DOMAIN_INFO = FEATURES,
	FEATURE_E_MACHINE,
	FEATURE_CLN_SIZE,
	FEATURES_OF_7
};

enum { CAPTURE_FEATURES = 256 };

struct capture {
	bool swap; /* this machine's byte order differs from the recording machine's */
	bool big;  /* the recording machine is big-endian */
	bool pipe; /* a capture in pipe mode, without data_at and data_bytes */
	/*
	 * Position of the records according to the header.  If perf was killed,
	 * data_bytes is 0.
	 */
	uint64_t data_at, data_bytes;
	/* 256 bits.  Bit i is set if the file contains feature i */
	uint64_t features[4];
	/* bytes of each section, as written.  p is NULL if the section is missing */
	struct str section[CAPTURE_FEATURES];
	const struct attr *const *attrs; /* the events */
	size_t nattrs;
	bool has_clock;    /* the next three fields are set (perf record -k) */
	uint32_t clockid;  /* clockid_t of the clock that gives the events' times */
	uint64_t clock_ns; /* time of clock `clockid` at the wall-clock time wall_ns */
	uint64_t wall_ns;  /* wall-clock time in ns since 1970 */
	uint64_t first_ns; /* time of the first sample, or 0 */
	uint64_t last_ns;  /* time of the last sample, or 0 */
	struct str arch;   /* "x86_64", or empty */
};

static inline bool capture_has(const struct capture *c, unsigned feature)
{
	return c->features[feature / 64] >> feature % 64 & 1;
}

/* Reads a string of a section: its length (u32), then that many bytes, including a NUL. */
static inline struct str capture_string(struct cursor *c)
{
	uint32_t n = cur_u32(c);
	const char *p = cur_take(c, n);

	return p ? (struct str){ p, strnlen(p, n) } : (struct str){ 0 };
}

/*
 * Returns a bit of `flags`, the 8 bytes at offset 40 of a perf_event_attr.  Compilers for
 * big-endian machines allocate bit fields from the highest bit down.
 */
static inline unsigned capture_flag(const char *flags, unsigned bit, bool big)
{
	unsigned in_byte = big ? 7 - bit % 8 : bit % 8;

	return (unsigned char)flags[bit / 8] >> in_byte & 1;
}

#endif

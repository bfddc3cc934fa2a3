/*
 * capture - what a perf.data says of its recording as a whole.
 *
 * From the feature sections of a file, or the feature records of a pipe capture.
 * Strings live as long as the reader.
 */
#ifndef READER_CAPTURE_H
#define READER_CAPTURE_H

#include "base/out.h"
#include "reader/reader.h"

struct capture {
	bool has_clock;    /* the next three count: perf record -k */
	uint32_t clockid;  /* clockid_t of the events' times */
	uint64_t clock_ns; /* that clock when the wall's showed wall_ns */
	uint64_t wall_ns;  /* since 1970 */
	uint64_t first_ns; /* time of the first sample; 0: not said */
	uint64_t last_ns;  /* and of the last */
	struct str arch;   /* "x86_64"; empty: not said */
};

/* All zero when r is no perf.data. */
const struct capture *reader_capture(const struct reader *r);

/*
 * The block that `perf script --header` prints, without the line "captured on"; full:
 * with -I.  False: r is no perf.data.
 */
bool reader_describe(struct reader *r, bool full, struct out *out);

#endif

/* skimming - states which samples reader_next may omit. */
#ifndef READER_SKIMMING_H
#define READER_SKIMMING_H

#include "reader/event.h"

enum { NEEDED_RANGES = 8 };

/* The addresses of a process that are needed. */
struct needed {
	bool all;
	size_t n;
	struct needed_range {
		uint64_t start, end; /* the end is exclusive */
	} range[NEEDED_RANGES];      /* sorted, without overlap */
};

struct skimming {
	/*
	 * Returns the needed addresses for a sample, which are valid until the next call.  A
	 * sample without any of them may be omitted.  Only the ids, the cpu, the weight and
	 * the time of ev are set.  NULL: all addresses are needed.
	 */
	const struct needed *(*needs)(void *data, const struct event *ev);
	void *data;
};

#endif

/*
 * location - an element in the table of code locations.  Samples of a profile refer to locations.
 *
 * pprof and OTLP have such tables.  A location refers to its mapping, because mappings of several
 * processes in a profile may overlap.
 */
#ifndef READER_LOCATION_H
#define READER_LOCATION_H

#include "base/str.h"

/* A function at a location.  The functions of a location are sorted innermost first. */
struct location_line {
	struct str func; /* may be empty */
	struct str file; /* source file, or empty */
	/* line of the location, and first line of the function, or 0 */
	uint32_t line, begins;
};

struct location {
	uint64_t addr;    /* 0 if it was not recorded */
	uint32_t mapping; /* map.number of an EV_MMAP, or 0 */
	/* functions at this location, as named in the profile */
	const struct location_line *lines;
	size_t nlines;
	struct str written; /* the protobuf message of the location, in reader_written */
};

#endif

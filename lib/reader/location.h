/*
 * location - a table of the code locations to which the samples of a profile refer.
 *
 * pprof and OTLP have such tables.  A location names its mapping, because
 * mappings of several processes may overlap in one profile.
 */
#ifndef READER_LOCATION_H
#define READER_LOCATION_H

#include "base/str.h"

/* A function at a location, innermost first. */
struct location_line {
	struct str func;       /* or empty */
	struct str file;       /* source file, or empty */
	uint32_t line, begins; /* lines of the location and of the function, or 0 */
};

struct location {
	uint64_t addr;                     /* 0 if it was not recorded */
	uint32_t mapping;                  /* as map.number of an EV_MMAP, or 0 */
	const struct location_line *lines; /* the names that the profile has */
	size_t nlines;
	struct str written; /* the message of the location in reader_written */
};

#endif

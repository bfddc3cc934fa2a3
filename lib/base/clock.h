/* clock - converts times of the system to numbers. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <sys/time.h>
#include <time.h>

enum { CLOCK_SECOND_NS = 1000000000 };

static inline uint64_t clock_ns(struct timespec t)
{
	return (uint64_t)t.tv_sec * CLOCK_SECOND_NS + (uint64_t)t.tv_nsec;
}

/* Converts a time of getrusage(2) to ns. */
static inline uint64_t clock_usage_ns(struct timeval t)
{
	return (uint64_t)t.tv_sec * CLOCK_SECOND_NS + (uint64_t)t.tv_usec * 1000;
}

/* Returns the time of CLOCK_MONOTONIC in ms. */
static inline uint64_t clock_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return clock_ns(now) / 1000000;
}

#endif

/*
 * perfmade - what tests of the perf.data reader share: one event, records of it,
 * and a reader over what was made.
 */
#ifndef TESTS_PERFMADE_H
#define TESTS_PERFMADE_H

#include "reader/reader.h"

#include "perfgen.h"

enum { PLAIN = 0x127, ID_ALL = 1 << 18 }; /* IP TID TIME CALLCHAIN PERIOD */

static const struct gen_event clock_event = {
	.name = "cpu-clock", .type = 1, .sample_type = PLAIN, .flags = ID_ALL, .id = 7
};

static struct gen g;
static struct arena run;
static struct diag diag;
static struct member member;
static struct source source;
static struct reader *reader;
static struct event ev;

static inline int enter(void **state)
{
	(void)state;
	memset(&g, 0, sizeof(g));
	diag = (struct diag){ .prog = "perfdata" };
	reader = NULL;
	return 0;
}

static inline int leave(void **state)
{
	(void)state;
	reader_close(reader);
	reader = NULL;
	arena_release(&run);
	return 0;
}

static inline struct reader *over(struct str bytes)
{
	member = (struct member){ .name = STR("made"), .map = bytes, .head = bytes };
	source = (struct source){ .members = &member, .n = 1 };
	reader = reader_open(&source, 0, &run, &diag);
	return reader;
}

static inline void begin(void)
{
	gen_start(&g, &clock_event, 1);
}

/* A sample of clock_event with the addresses and markers of ips. */
static inline void put_sample(uint64_t time, const uint64_t *ips, size_t n)
{
	gen_open(&g, 9, 2);
	gen_u64(&g, n ? ips[0] : 0x10);
	gen_u32(&g, 42);
	gen_u32(&g, 43);
	gen_u64(&g, time);
	gen_u64(&g, 1000);
	gen_u64(&g, n);
	for (size_t i = 0; i < n; i++)
		gen_u64(&g, ips[i]);
	gen_close(&g);
}

static inline void put_time(uint64_t time)
{
	put_sample(time, &time, 1);
}

static inline void put_comm(uint64_t time, unsigned misc, const char *comm)
{
	gen_open(&g, 3, misc);
	gen_u32(&g, 42);
	gen_u32(&g, 43);
	gen_text(&g, comm);
	gen_trailer(&g, &clock_event, 42, 43, time);
	gen_close(&g);
}

static inline void put_round(void)
{
	gen_open(&g, 68, 0);
	gen_close(&g);
}

/* reader_next, rounds aside. */
static inline int next_event(void)
{
	int got;

	do
		got = reader_next(reader, &ev);
	while (got == 1 && ev.kind == EV_ROUND);
	return got;
}

static inline void next_sample(uint64_t time)
{
	assert_int_equal(next_event(), 1);
	assert_int_equal(ev.kind, EV_SAMPLE);
	assert_int_equal(ev.time_ns, time);
}

#endif

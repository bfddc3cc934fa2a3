/*
 * perfgen - makes a small perf.data in memory: describe events, then records.
 *
 *	gen_start(&g, &(struct gen_event){ .sample_type = 0x27, .id = 7 }, 1);
 *	gen_open(&g, 9, 2); gen_u64(&g, ip); ... gen_close(&g);
 *	bytes = gen_finish(&g);
 *
 * Layout: tools/perf/Documentation/perf.data-file-format.txt.
 */
#ifndef TESTS_PERFGEN_H
#define TESTS_PERFGEN_H

#include <assert.h>
#include <endian.h>

#include "base/str.h"

enum { GEN_ROOM = 1 << 18, GEN_EVENTS = 4, GEN_FEATURES = 32 };

/* The byte order of the machine that runs the test. */
enum { HOST_IS_BIG = BYTE_ORDER == BIG_ENDIAN };

struct gen_event {
	const char *name;    /* NULL: written nowhere */
	uint32_t type, size; /* size of the attr; 0 is 128 */
	uint64_t config, period, sample_type, read_format, flags, id;
	uint64_t branch_type, regs_user, regs_intr;
};

struct gen {
	bool big, pipe;       /* set before gen_start */
	bool dir;             /* DIR_FORMAT feature: of several files */
	const char *path;     /* BUILD_ID feature: one file */
	const char *build_id; /* its 20 bytes; NULL: no feature */
	const char *arch;     /* ARCH feature, or NULL */
	const char *host;     /* HOSTNAME; NULL: "host" */
	const char *release;  /* OSRELEASE, or NULL */
	struct gen_event events[GEN_EVENTS];
	size_t nevents;
	size_t data_at, record_at;
	size_t n_data; /* bytes of records, after gen_finish */
	char bytes[GEN_ROOM];
	size_t n;
};

static inline void gen_bytes(struct gen *g, const void *p, size_t n)
{
	assert(n <= GEN_ROOM - g->n);
	if (n)
		memcpy(g->bytes + g->n, p, n);
	g->n += n;
}

static inline void gen_number(struct gen *g, size_t at, uint64_t v, size_t size)
{
	for (size_t i = 0; i < size; i++)
		g->bytes[at + (g->big ? size - 1 - i : i)] = (char)(v >> 8 * i);
}

static inline void gen_add(struct gen *g, uint64_t v, size_t size)
{
	assert(size <= GEN_ROOM - g->n);
	gen_number(g, g->n, v, size);
	g->n += size;
}

static inline void gen_u32(struct gen *g, uint64_t v)
{
	gen_add(g, v, 4);
}

static inline void gen_u64(struct gen *g, uint64_t v)
{
	gen_add(g, v, 8);
}

static inline void gen_zeros(struct gen *g, size_t n)
{
	while (n--)
		gen_add(g, 0, 1);
}

/* With its NUL, padded to 8. */
static inline void gen_text(struct gen *g, const char *z)
{
	gen_bytes(g, z, strlen(z) + 1);
	gen_zeros(g, -g->n & 7);
}

/* A string of a feature section. */
static inline void gen_string(struct gen *g, const char *z)
{
	gen_u32(g, 64);
	gen_bytes(g, z, strlen(z));
	gen_zeros(g, 64 - strlen(z));
}

static inline void gen_open(struct gen *g, unsigned type, unsigned misc)
{
	g->record_at = g->n;
	gen_u32(g, type);
	gen_add(g, misc, 2);
	gen_add(g, 0, 2);
}

static inline void gen_close(struct gen *g)
{
	gen_number(g, g->record_at + 6, g->n - g->record_at, 2);
}

/* perf_event_attr; bit fields are filled from the other end when big-endian. */
static inline void gen_attr(struct gen *g, const struct gen_event *e)
{
	size_t at = g->n, size = e->size ? e->size : 128;

	gen_u32(g, e->type);
	gen_u32(g, size);
	gen_u64(g, e->config);
	gen_u64(g, e->period);
	gen_u64(g, e->sample_type);
	gen_u64(g, e->read_format);
	for (unsigned i = 0; i < 8; i++) {
		unsigned byte = e->flags >> 8 * i & 0xff, turned = 0;

		for (unsigned bit = 0; bit < 8; bit++)
			turned |= (byte >> bit & 1) << (7 - bit);
		gen_add(g, g->big ? turned : byte, 1);
	}
	gen_zeros(g, size - (g->n - at));
	if (size >= 80)
		gen_number(g, at + 72, e->branch_type, 8);
	if (size >= 88)
		gen_number(g, at + 80, e->regs_user, 8);
	if (size >= 104)
		gen_number(g, at + 96, e->regs_intr, 8);
}

static inline void gen_start_pipe(struct gen *g)
{
	gen_u64(g, 16);
	for (size_t i = 0; i < g->nevents; i++) {
		const struct gen_event *e = &g->events[i];

		gen_open(g, 64, 0);
		gen_attr(g, e);
		if (e->id)
			gen_u64(g, e->id);
		gen_close(g);
		if (!e->name)
			continue;
		gen_open(g, 78, 0);
		gen_u64(g, 2);
		gen_u64(g, e->id);
		gen_text(g, e->name);
		gen_close(g);
	}
}

static inline void gen_start(struct gen *g, const struct gen_event *events, size_t n)
{
	size_t size = events->size ? events->size : 128, ids = 104;

	memcpy(g->events, events, n * sizeof(*events));
	g->nevents = n;
	g->n = 0;
	gen_bytes(g, g->big ? "2ELIFREP" : "PERFILE2", 8);
	if (g->pipe) {
		gen_start_pipe(g);
		g->data_at = 16;
		return;
	}
	gen_u64(g, 104);
	gen_u64(g, size + 16);
	gen_u64(g, ids + n * 8);
	gen_u64(g, n * (size + 16));
	gen_zeros(g, 104 - g->n); /* data and features: gen_finish */
	for (size_t i = 0; i < n; i++)
		gen_u64(g, events[i].id);
	for (size_t i = 0; i < n; i++) {
		gen_attr(g, &events[i]);
		gen_u64(g, ids + i * 8);
		gen_u64(g, events[i].id ? 8 : 0);
	}
	g->data_at = g->n;
}

/* Sample id behind a record, for a sample_type of TID, TIME, ID and IDENTIFIER. */
static inline void gen_trailer(struct gen *g, const struct gen_event *e, uint32_t pid,
                               uint32_t tid, uint64_t time)
{
	if (e->sample_type & 2) {
		gen_u32(g, pid);
		gen_u32(g, tid);
	}
	if (e->sample_type & 4)
		gen_u64(g, time);
	if (e->sample_type & 64)
		gen_u64(g, e->id);
	if (e->sample_type & 1 << 16)
		gen_u64(g, e->id);
}

static inline void gen_event_desc(struct gen *g)
{
	gen_u32(g, g->nevents);
	gen_u32(g, g->events->size ? g->events->size : 128);
	for (size_t i = 0; i < g->nevents; i++) {
		gen_attr(g, &g->events[i]);
		gen_u32(g, 1);
		gen_string(g, g->events[i].name);
		gen_u64(g, g->events[i].id);
	}
}

/* The feature sections that are wanted; returns the bytes of all. */
static inline struct str gen_finish(struct gen *g)
{
	bool wanted[GEN_FEATURES] = {
		[2] = g->build_id,      [3] = true,   [4] = g->release, [6] = g->arch,
		[12] = g->events->name, [24] = g->dir
	};
	size_t table = g->n, slot = table;
	uint64_t bits = 0;

	if (g->pipe)
		return (struct str){ g->bytes, g->n };
	for (unsigned i = 0; i < GEN_FEATURES; i++)
		bits |= (uint64_t)wanted[i] << i;
	g->n_data = table - g->data_at;
	gen_number(g, 40, g->data_at, 8);
	gen_number(g, 48, g->n_data, 8);
	gen_number(g, 72, bits, 8);
	gen_zeros(g, 16 * (size_t)__builtin_popcountll(bits));
	for (unsigned i = 0; i < GEN_FEATURES; i++) {
		size_t at = g->n;

		if (!wanted[i])
			continue;
		if (i == 2) {
			gen_open(g, 67, 2);
			gen_u32(g, 0xffffffff);
			gen_bytes(g, g->build_id, 20);
			gen_zeros(g, 4);
			gen_text(g, g->path);
			gen_close(g);
		} else if (i == 12) {
			gen_event_desc(g);
		} else if (i == 24) {
			gen_u64(g, 1);
		} else {
			gen_string(g, i == 3   ? (g->host ? g->host : "host")
			              : i == 4 ? g->release
			                       : g->arch);
		}
		gen_number(g, slot, at, 8);
		gen_number(g, slot + 8, g->n - at, 8);
		slot += 16;
	}
	return (struct str){ g->bytes, g->n };
}

#endif

/*
 * jitdump - jit-PID.dump: code made at run time, with the time at which it was made.
 *
 * A runtime appends a record for each piece of code; where addresses are used again,
 * the sample's time says which piece lay there.  Only the headers of records are
 * read when a dump is opened; names and lines are read from its bytes when asked for,
 * code bytes never.  Written by .NET (5 and later), V8 (--perf-prof), perf's JVMTI
 * agent, LLVM and Mono.  What a line's address means differs: of OpenJDK, behind it.
 *
 * Source: tools/perf/Documentation/jitdump-specification.txt.
 */
#ifndef IMAGE_JIT_JITDUMP_H
#define IMAGE_JIT_JITDUMP_H

#include "base/arena.h"

/* Code at an address, from a time on. */
struct jit_code {
	uint64_t start;   /* ip */
	uint64_t time_ns; /* of the dump's clock */
	uint64_t at;      /* where in the bytes its LOAD record begins */
	uint32_t size;
	uint32_t lines; /* index of its line table + 1; 0: it has none */
};

struct jit_index; /* finds code by ip and time */
struct jit_lines; /* a table of lines */

struct jitdump {
	struct str bytes; /* the file */
	bool swap;
	bool cpu_clock; /* times are ticks of the CPU's counter, not CLOCK_MONOTONIC */
	bool is_v8;
	uint32_t machine; /* EM_*, of the code */
	int32_t pid;      /* that the runtime had, in the namespace it ran in */
	const struct jit_code *code; /* by time */
	size_t n;
	const uint64_t *lines;   /* where DEBUG_INFO records begin */
	struct jit_lines *table; /* of each, read when it is first asked for */
	size_t damaged;          /* places where no record could be read */
	uint64_t damage_at;      /* the first of them, byte of the file */
	const char *damage;      /* what is wrong there */
	const struct jit_index *index;
};

bool jitdump_bid(struct str head);

/* False: bytes have no such header.  bytes and arena must outlive d. */
bool jitdump_read(struct jitdump *d, struct str bytes, struct arena *a);

/* What was at ip then: begun by time_ns, the latest; else the first after it. */
bool jitdump_find(const struct jitdump *d, uint64_t ip, uint64_t time_ns, size_t *out);

/* The name of code[i]: in the file's bytes, or in a if it had to be cleaned. */
struct str jitdump_name(const struct jitdump *d, size_t i, struct arena *a);

/* The number it was loaded under. */
uint64_t jitdump_number(const struct jitdump *d, size_t i);

/* A call instruction ends right before off in its bytes: it can be a return address. */
bool jitdump_follows_call(const struct jitdump *d, size_t i, uint64_t off);

/* Its bytes; empty when the dump leaves them out or is cut off there. */
struct str jitdump_code(const struct jitdump *d, size_t i);

/*
 * Source file, as the dump has it, and line of ip in code[i]; false: it does not say.
 * Tables are kept in a, which must live as long as d.
 */
bool jitdump_line(const struct jitdump *d, size_t i, uint64_t ip, struct arena *a,
                  struct str *file, uint32_t *line);

/* "jit-8292.dump" -> 8292; -1 for other names.  Only the last part counts. */
int32_t jitdump_pid(struct str name);

#endif

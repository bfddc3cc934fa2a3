/*
 * jitdump - reads jit-PID.dump, a list of JIT code with the time of its creation.
 *
 * A runtime appends a record for each piece of code.  If an address is reused, the time of a
 * sample selects the code.  jitdump_read reads only the headers of records.  Names, lines and
 * code bytes are read on request.
 *
 * Writers of jitdumps are .NET (5 and later), V8 (--perf-prof), CPython (3.13, -X perf_jit),
 * perf's JVMTI agent, LLVM and Mono.  In line tables of OpenJDK, the address of an entry is the
 * end of its range.
 *
 * Source: tools/perf/Documentation/jitdump-specification.txt.
 */
#ifndef IMAGE_JIT_JITDUMP_H
#define IMAGE_JIT_JITDUMP_H

#include "base/arena.h"

/* Code at an address.  It is valid from time_ns on. */
struct jit_code {
	uint64_t start;   /* ip */
	uint64_t time_ns; /* of the dump's clock */
	uint64_t at;      /* offset of its LOAD record */
	uint32_t size;
	uint32_t lines; /* index + 1 of its line table, or 0 */
};

/* Unwind data for the code of a LOAD record. */
struct jit_unwinding {
	uint64_t load_at; /* offset of the LOAD record */
	/* offset of the UNWINDING_INFO record, which precedes the LOAD record */
	uint64_t at;
};

struct jit_index; /* finds code by ip and time */
struct jit_lines; /* a line table */

struct jitdump {
	struct str bytes; /* the file */
	bool swap;
	bool cpu_clock; /* times count CPU ticks instead of CLOCK_MONOTONIC */
	bool is_v8;
	uint32_t machine;            /* EM_* of the code */
	int32_t pid;                 /* pid of the runtime, in its own namespace */
	const struct jit_code *code; /* sorted by time */
	size_t n;
	const uint64_t *lines;   /* offsets of DEBUG_INFO records */
	struct jit_lines *table; /* line tables.  Each is read on first use */
	const struct jit_unwinding *unwinding; /* in the order of the file */
	size_t nunwinding;
	size_t damaged; /* number of damaged parts, which contain no readable record */
	uint64_t damage_at; /* offset of the first damaged part */
	const char *damage; /* description of the damage at damage_at */
	/* only the last record is damaged, because the file is truncated */
	bool cut;
	const struct jit_index *index;
};

bool jitdump_bid(struct str head);

/*
 * Returns false if the file does not begin with a jitdump header.  bytes and arena must outlive
 * d.
 */
bool jitdump_read(struct jitdump *d, struct str bytes, struct arena *a);

/*
 * Finds the last code at ip that was made at or before time_ns.  If there is no such code, finds
 * the first code at ip that was made later.
 */
bool jitdump_find(const struct jitdump *d, uint64_t ip, uint64_t time_ns, size_t *out);

/*
 * Moves *i to the last code at ip that is older than code[*i].  Returns false if there is no such
 * code.
 */
bool jitdump_earlier(const struct jitdump *d, uint64_t ip, size_t *i);

/*
 * Returns the name of code[i].  It is in the file's bytes or, if characters had to be replaced,
 * in `a`.
 */
struct str jitdump_name(const struct jitdump *d, size_t i, struct arena *a);

/* Returns the code_index in the LOAD record of code[i]. */
uint64_t jitdump_number(const struct jitdump *d, size_t i);

/*
 * Returns true if a call instruction ends directly before offset `off` of code[i], so that off
 * may be a return address.
 */
bool jitdump_follows_call(const struct jitdump *d, size_t i, uint64_t off);

/*
 * Returns the .eh_frame of code[i].  Its contents are relative to the run-time address that perf
 * assumes for this section.  Sets *va to this address.  Returns a NULL string if the dump
 * contains no .eh_frame.  V8 writes an empty .eh_frame for code with frame pointers.
 */
struct str jitdump_eh_frame(const struct jitdump *d, size_t i, uint64_t *va);

/*
 * Returns the machine code of code[i], or an empty string if the dump does not contain
 * it.
 */
struct str jitdump_code(const struct jitdump *d, size_t i);

/*
 * Sets the source file, as the dump spells it, and the line of ip in code[i].  Returns false if
 * they are unknown.  Line tables are stored in `a`, which must live as long as d.
 */
bool jitdump_line(const struct jitdump *d, size_t i, uint64_t ip, struct arena *a,
                  struct str *file, uint32_t *line);

/*
 * Returns the pid in the file name of a path: 8292 for "jit-8292.dump".  Returns -1 for other
 * names.
 */
int32_t jitdump_pid(struct str name);

#endif

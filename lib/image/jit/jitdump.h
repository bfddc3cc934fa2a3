/*
 * jitdump - jit-PID.dump: code made at run time, with the time of its creation.
 *
 * A runtime appends a record for each piece of code.  If addresses are used again, the
 * time of a sample selects the piece.  Opening a dump reads only the headers of its
 * records.  Names, lines and code bytes are read on request.
 *
 * Writers of jitdumps are .NET (5 and later), V8 (--perf-prof), CPython (3.13, -X
 * perf_jit), perf's JVMTI agent, LLVM and Mono.  In line tables of OpenJDK, the address
 * of an entry is the end of its range.
 *
 * Source: tools/perf/Documentation/jitdump-specification.txt.
 */
#ifndef IMAGE_JIT_JITDUMP_H
#define IMAGE_JIT_JITDUMP_H

#include "base/arena.h"

/* Code at an address, valid from a time on. */
struct jit_code {
	uint64_t start;   /* ip */
	uint64_t time_ns; /* of the dump's clock */
	uint64_t at;      /* offset of its LOAD record */
	uint32_t size;
	uint32_t lines; /* index + 1 of its line table, or 0 */
};

/* Unwinding data for the code of a LOAD record. */
struct jit_unwinding {
	uint64_t load_at; /* offset of that record, */
	uint64_t at;      /* offset of the UNWINDING_INFO record before the LOAD record */
};

struct jit_index; /* an index to find code by ip and time */
struct jit_lines; /* a table of lines */

struct jitdump {
	struct str bytes; /* the file */
	bool swap;
	bool cpu_clock; /* times count ticks of the CPU, not CLOCK_MONOTONIC */
	bool is_v8;
	uint32_t machine;            /* EM_* of the code */
	int32_t pid;                 /* pid of the runtime, in its own namespace */
	const struct jit_code *code; /* by time */
	size_t n;
	const uint64_t *lines;                 /* offsets of DEBUG_INFO records */
	struct jit_lines *table;               /* line tables, each read on first use */
	const struct jit_unwinding *unwinding; /* as in the file */
	size_t nunwinding;
	size_t damaged;     /* number of places without a readable record */
	uint64_t damage_at; /* offset of the first such place */
	const char *damage; /* description of the damage at damage_at */
	/* only the last record is damaged, because the file ends inside it */
	bool cut;
	const struct jit_index *index;
};

bool jitdump_bid(struct str head);

/*
 * Returns false if the file does not begin with the header of a jitdump.  bytes and arena
 * must outlive d.
 */
bool jitdump_read(struct jitdump *d, struct str bytes, struct arena *a);

/*
 * Finds the code at ip at that time: the last made by time_ns, else the first made later.
 */
bool jitdump_find(const struct jitdump *d, uint64_t ip, uint64_t time_ns, size_t *out);

/*
 * Replaces *i by the last code at ip that was made before code[*i].  Returns false if
 * there is no such code.
 */
bool jitdump_earlier(const struct jitdump *d, uint64_t ip, size_t *i);

/*
 * Returns the name of code[i], which is in the file's bytes, or in `a` if it had to be
 * cleaned.
 */
struct str jitdump_name(const struct jitdump *d, size_t i, struct arena *a);

/* Returns the code_index in the LOAD record of code[i]. */
uint64_t jitdump_number(const struct jitdump *d, size_t i);

/*
 * Returns true if a call instruction ends right before offset `off` of code[i], so that
 * it may be a return address.
 */
bool jitdump_follows_call(const struct jitdump *d, size_t i, uint64_t off);

/*
 * Returns the .eh_frame of code[i].  Sets *va to the run-time address at which perf
 * places it, because its contents are relative to that address.  Returns a NULL string if
 * the dump does not contain it.  V8 writes an empty one for code with frame pointers.
 */
struct str jitdump_eh_frame(const struct jitdump *d, size_t i, uint64_t *va);

/*
 * Returns the machine code of code[i], or an empty string if the dump does not contain
 * it.
 */
struct str jitdump_code(const struct jitdump *d, size_t i);

/*
 * Sets the source file, as written in the dump, and the line of ip in code[i].  Returns
 * false if they are unknown.  Line tables are kept in `a`, which must live as long as d.
 */
bool jitdump_line(const struct jitdump *d, size_t i, uint64_t ip, struct arena *a,
                  struct str *file, uint32_t *line);

/*
 * Returns the pid in the last part of a path: "jit-8292.dump" -> 8292.  Returns -1 for
 * other names.
 */
int32_t jitdump_pid(struct str name);

#endif

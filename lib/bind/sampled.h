/*
 * sampled - the distinct addresses of frames in the profile.  Shared inside bind/.
 *
 * A source belongs to a process or mapping if it explains these addresses.
 */
#ifndef BIND_SAMPLED_H
#define BIND_SAMPLED_H

#include "base/table.h"
#include "process/process.h"

struct sampled_address {
	const struct mapping *m; /* NULL: in no mapping */
	int32_t pid;             /* the process that mapped the code */
	uint64_t ip;
	bool caller; /* ip is a return address */
	bool jit;    /* in code made at run time, not in a mapped file */
	/* of the same mapping, or for JIT code of the same process: index + 1 */
	uint32_t next;
};

/* Returns true if a decision needs the addresses in a mapping. */
enum sampled_asked { SAMPLED_UNSURE, SAMPLED_UNASKED, SAMPLED_ASKED };

struct sampled {
	struct arena scratch;        /* of seen, until sampled_end */
	struct table seen;           /* (mapping, ip and caller) */
	struct sampled_address *jit; /* in JIT code: a perf map must cover them */
	size_t njit, jit_cap;
	struct sampled_address *code; /* in mapped files: they reject wrong images */
	size_t ncode, code_cap;
	struct table code_of; /* mapping id -> index of its last code address + 1 */
	struct table njit_of; /* pid -> how many JIT addresses it has, kept or not */
	struct table jit_of;  /* pid -> index of its last JIT address + 1 */
	uint8_t *asked;       /* by mapping id: enum sampled_asked */
	size_t asked_cap;
	/* (path of a mapping, root directory) -> enum sampled_asked: is there such a file? */
	struct table had;
	/* files of -m may be of any module: their calls are counted */
	enum sampled_asked given;
};

/* JIT addresses of one process that are kept. */
enum { SAMPLED_JIT = 1 << 14 };

/* The byte to look up for a frame: of a return address, the last byte of the call. */
static inline uint64_t sampled_byte(uint64_t ip, bool caller)
{
	return caller ? ip - 1 : ip;
}

/*
 * Adds the address of a frame once.  m may be NULL, and then only jit shows that the code was
 * made at run time.  Kernel code needs no evidence and is skipped.
 */
void sampled_add(struct sampled *s, struct arena *run, const struct mapping *m,
                 int32_t pid, uint64_t ip, bool caller, bool jit);

/* After the last sampled_add. */
void sampled_end(struct sampled *s);

/* Returns an address in the mapped file m, or in the JIT code of pid, or NULL. */
const struct sampled_address *sampled_in(const struct sampled *s,
                                         const struct mapping *m);
const struct sampled_address *sampled_jit(const struct sampled *s, int32_t pid);

/* The next one of the same mapping or process, or NULL. */
const struct sampled_address *sampled_next(const struct sampled *s,
                                           const struct sampled_address *a);

/* How many JIT addresses of pid are kept. */
size_t sampled_jit_count(const struct sampled *s, int32_t pid);

#endif

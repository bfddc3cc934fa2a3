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
	const struct mapping *m; /* NULL if no mapping contains ip */
	int32_t pid;             /* the process in which the code is mapped */
	uint64_t ip;
	bool caller; /* ip is a return address */
	bool jit;    /* ip is in code made at run time, not in a mapped file */
	/*
	 * index + 1 of the next address of the same mapping, or for JIT code of the same process
	 */
	uint32_t next;
};

/* Whether a decision needs the addresses in a mapping. */
enum sampled_asked { SAMPLED_UNSURE, SAMPLED_UNASKED, SAMPLED_ASKED };

struct sampled {
	struct arena scratch; /* memory of `seen`, released by sampled_end */
	struct table seen;    /* (mapping id or pid, ip and caller) -> 1 */
	/* addresses in JIT code, which a perf map must cover */
	struct sampled_address *jit;
	size_t njit, jit_cap;
	/* addresses in mapped files, which can refute an image */
	struct sampled_address *code;
	size_t ncode, code_cap;
	struct table code_of; /* mapping id -> index of its last code address + 1 */
	/* pid -> number of its JIT addresses, including those that are not kept */
	struct table njit_of;
	struct table jit_of; /* pid -> index of its last JIT address + 1 */
	uint8_t *asked;      /* indexed by mapping id: an enum sampled_asked */
	size_t asked_cap;
	/* (path of a mapping, root directory) -> SAMPLED_ASKED if there is such a file */
	struct table had;
	/* SAMPLED_ASKED if -m names a file: it may be of any module, so all calls are counted */
	enum sampled_asked given;
};

/* Maximum number of JIT addresses that are kept for one process. */
enum { SAMPLED_JIT = 1 << 14 };

/*
 * Returns the byte to look up for a frame.  For a return address, this is the last byte of the
 * call.
 */
static inline uint64_t sampled_byte(uint64_t ip, bool caller)
{
	return caller ? ip - 1 : ip;
}

/*
 * Adds the address of a frame once.  If m is NULL, only jit shows that the code was made at run
 * time.  Kernel code is skipped, because it needs no evidence.
 */
void sampled_add(struct sampled *s, struct arena *run, const struct mapping *m,
                 int32_t pid, uint64_t ip, bool caller, bool jit);

/* Releases temporary memory.  Call it after the last sampled_add. */
void sampled_end(struct sampled *s);

/* Return the last noted address in the mapped file m, or in the JIT code of pid, or NULL. */
const struct sampled_address *sampled_find(const struct sampled *s,
                                           const struct mapping *m);
const struct sampled_address *sampled_jit(const struct sampled *s, int32_t pid);

/* Returns the next address of the same mapping or process, or NULL. */
const struct sampled_address *sampled_next(const struct sampled *s,
                                           const struct sampled_address *a);

/* Returns how many JIT addresses of pid are kept. */
size_t sampled_jit_count(const struct sampled *s, int32_t pid);

#endif

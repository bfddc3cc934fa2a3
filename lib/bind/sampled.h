/*
 * sampled - the distinct addresses of frames in the profile.
 *
 * They are the evidence that a perf map, a jitdump or an image belongs to a process or mapping.
 */
#ifndef BIND_SAMPLED_H
#define BIND_SAMPLED_H

#include "base/table.h"
#include "process/process.h"

struct sampled_address {
	const struct mapping *m; /* NULL if no mapping contains ip */
	int32_t pid;             /* the process that mapped the code */
	uint64_t ip;
	bool caller; /* ip is a return address */
	bool jit;    /* ip is in JIT code, not in a mapped file */
	/* index + 1 of the next address in the same mapping, or in JIT code of the same process */
	uint32_t next;
};

/*
 * States whether the sampled addresses in a mapping may be needed to choose the file that names
 * its code.  SAMPLED_UNSURE: this is not decided yet.
 */
enum sampled_asked { SAMPLED_UNSURE, SAMPLED_UNASKED, SAMPLED_ASKED };

struct sampled {
	struct arena scratch; /* memory of `seen`.  sampled_end releases it */
	struct table seen;    /* (mapping id or pid, ip and caller) -> 1 */
	/* addresses in JIT code.  The right perf map covers them */
	struct sampled_address *jit;
	size_t njit, jit_cap;
	/* addresses in mapped files.  They may refute an image */
	struct sampled_address *code;
	size_t ncode, code_cap;
	struct table code_of; /* mapping id -> index + 1 of its last address in `code` */
	/* pid -> number of its JIT addresses, including those beyond SAMPLED_JIT */
	struct table njit_of;
	struct table jit_of; /* pid -> index + 1 of its last address in `jit` */
	uint8_t *asked;      /* indexed by mapping id: its enum sampled_asked */
	size_t asked_cap;
	/* (path of a mapping, root directory) -> SAMPLED_ASKED if a file with this path exists */
	struct table had;
	/*
	 * SAMPLED_ASKED if -m names a file directly.  The file may belong to any module,
	 * so the addresses in all mappings are needed
	 */
	enum sampled_asked given;
};

/* Maximum number of JIT addresses that are stored for one process. */
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
 * Adds the address of a frame, unless it is known.  If m is NULL, `jit` states whether the
 * address is in JIT code.  Skips kernel code, because it needs no evidence.
 */
void sampled_add(struct sampled *s, struct arena *run, const struct mapping *m,
                 int32_t pid, uint64_t ip, bool caller, bool jit);

/* Releases temporary memory.  Call it after the last sampled_add. */
void sampled_end(struct sampled *s);

/*
 * Return the last noted address in the mapped file m, or in JIT code of pid.  Return NULL if
 * there is no such address.
 */
const struct sampled_address *sampled_find(const struct sampled *s,
                                           const struct mapping *m);
const struct sampled_address *sampled_jit(const struct sampled *s, int32_t pid);

/* Returns the next address of the same mapping or process, or NULL. */
const struct sampled_address *sampled_next(const struct sampled *s,
                                           const struct sampled_address *a);

/* Returns the number of stored JIT addresses of pid. */
size_t sampled_jit_count(const struct sampled *s, int32_t pid);

#endif

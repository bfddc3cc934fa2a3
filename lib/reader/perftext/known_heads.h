/*
 * known_heads - the parts of headers that a text had lately; private to reader/.
 *
 * Headers of one thread differ in their time and little else.  The bytes in front of the
 * time (comm, pid, cpu) and those behind it (period, event) each say the same whenever they
 * return, so they are parsed once.  They are compared in full; memory is bounded.
 */
#ifndef READER_PERFTEXT_KNOWN_HEADS_H
#define READER_PERFTEXT_KNOWN_HEADS_H

#include "base/arena.h"
#include "reader/perftext/scripthead.h"

/* Lives as long as run. */
struct known_heads *known_heads_new(struct arena *run);

/* Sets what stands before the time: comm, pid, tid and cpu.  False: not known. */
bool known_heads_find_before(const struct known_heads *k, struct str before,
                             struct script_header *h);
void known_heads_keep_before(struct known_heads *k, struct str before,
                             const struct script_header *h);

/* Sets what stands behind it: period, event and rest.  False: not known. */
bool known_heads_find_after(const struct known_heads *k, struct str after,
                            struct script_header *h);

/* h is the header of a sample: it has no record. */
void known_heads_keep_after(struct known_heads *k, struct str after,
                            const struct script_header *h);

#endif

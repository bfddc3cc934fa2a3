/*
 * known_heads - the recent parts of headers of a text.  Private to reader/.
 *
 * Headers of one thread differ mostly in their time.  The bytes before the time (comm, pid, cpu)
 * and after it (period, event) always have the same meaning, so they are parsed once.  They are
 * compared completely, and memory is bounded.
 */
#ifndef READER_PERFTEXT_KNOWN_HEADS_H
#define READER_PERFTEXT_KNOWN_HEADS_H

#include "base/arena.h"
#include "reader/perftext/scripthead.h"

/* Lives as long as run. */
struct known_heads *known_heads_new(struct arena *run);

/* Sets the fields before the time: comm, pid, tid and cpu.  Returns false if unknown. */
bool known_heads_find_before(const struct known_heads *k, struct str before,
                             struct script_header *h);
void known_heads_keep_before(struct known_heads *k, struct str before,
                             const struct script_header *h);

/* Sets the fields after it: period, event and rest.  Returns false if unknown. */
bool known_heads_find_after(const struct known_heads *k, struct str after,
                            struct script_header *h);

/* h is the header of a sample: it has no record. */
void known_heads_keep_after(struct known_heads *k, struct str after,
                            const struct script_header *h);

#endif

/*
 * known_heads - remembers recently parsed parts of a text's headers.  Private to reader/.
 *
 * Headers of one thread differ mostly in their time.  Equal bytes before the time (comm, pid,
 * cpu) or after it (period, event) always have the same meaning, so they are parsed only once.
 * All bytes are compared.  A fixed amount of memory is used.
 */
#ifndef READER_PERFTEXT_KNOWN_HEADS_H
#define READER_PERFTEXT_KNOWN_HEADS_H

#include "base/arena.h"
#include "reader/perftext/scripthead.h"

/* The result lives as long as `run`. */
struct known_heads *known_heads_new(struct arena *run);

/*
 * Sets the fields that precede the time: comm, pid, tid and cpu.  Returns false if `before` is
 * unknown.
 */
bool known_heads_find_before(const struct known_heads *k, struct str before,
                             struct script_header *h);
void known_heads_keep_before(struct known_heads *k, struct str before,
                             const struct script_header *h);

/*
 * Sets the fields that follow the time: period, event and rest.  Returns false if `after` is
 * unknown.
 */
bool known_heads_find_after(const struct known_heads *k, struct str after,
                            struct script_header *h);

/* h must be the header of a sample, so h->record must be empty. */
void known_heads_keep_after(struct known_heads *k, struct str after,
                            const struct script_header *h);

#endif

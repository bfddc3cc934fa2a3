/*
 * known_heads - remembers recently parsed parts of a text's headers.  Private to reader/.
 *
 * Headers of a thread differ mostly in their time.  The part before the time (comm, pid, cpu) and
 * the part after the time (period, event) repeat.  A part is parsed only if its bytes differ from
 * the remembered part.  The memory has a fixed size.
 */
#ifndef READER_PERFTEXT_KNOWN_HEADS_H
#define READER_PERFTEXT_KNOWN_HEADS_H

#include "base/arena.h"
#include "reader/perftext/scripthead.h"

/* Returns a new object, which lives as long as `run`. */
struct known_heads *known_heads_new(struct arena *run);

/*
 * Sets the fields before the time: comm, pid, tid and cpu.  Returns false if `before` is unknown.
 */
bool known_heads_find_before(const struct known_heads *k, struct str before,
                             struct script_header *h);
void known_heads_keep_before(struct known_heads *k, struct str before,
                             const struct script_header *h);

/* Sets the fields after the time: period, event and rest.  Returns false if `after` is unknown. */
bool known_heads_find_after(const struct known_heads *k, struct str after,
                            struct script_header *h);

/* h must be the header of a sample, so h->record is empty. */
void known_heads_keep_after(struct known_heads *k, struct str after,
                            const struct script_header *h);

#endif

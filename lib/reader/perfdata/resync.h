/*
 * resync - where records go on behind damage in perf.data; private to reader/.
 */
#ifndef READER_PERFDATA_RESYNC_H
#define READER_PERFDATA_RESYNC_H

#include "reader/perfdata/record.h"

/*
 * Offset in left of the first place, from `from` on in steps of 8 bytes, at which
 * several records follow each other, or records that reach the end of left; left.n
 * when there is none.  Takes time linear in what is passed over.
 */
size_t resync(struct str left, size_t from, bool swap);

#endif

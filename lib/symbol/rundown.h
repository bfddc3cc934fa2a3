/*
 * rundown - makes perf maps from the names in a nettrace.
 *
 * At the end of a trace, the runtime lists all methods that have code, including ReadyToRun code.
 * A recorder of the whole machine lists all sampled symbols, including kernel symbols.
 */
#ifndef SYMBOL_RUNDOWN_H
#define SYMBOL_RUNDOWN_H

#include "image/locate.h"
#include "reader/reader.h"

/*
 * Reads the nettrace item `of` to its end with r.  For each process with named code in the trace,
 * adds a perf map called "NAME/perf-PID.map" to l.  r reports damage.
 */
void rundown_read(struct locator *l, struct reader *r, const struct item *of);

#endif

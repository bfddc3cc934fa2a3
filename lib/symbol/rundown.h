/*
 * rundown - turns the names in a nettrace into perf maps.
 *
 * At the end of a trace a runtime lists all methods with code, including ReadyToRun code.  A
 * machine-wide recorder lists every symbol that was hit, in the kernel too.
 */
#ifndef SYMBOL_RUNDOWN_H
#define SYMBOL_RUNDOWN_H

#include "image/locate.h"
#include "reader/reader.h"

/*
 * Reads r, the reader of item `of`, to its end, and adds a perf map with the name
 * "NAME/perf-PID.map" to l for each process whose code it names.  r reports damage.
 */
void rundown_read(struct locator *l, struct reader *r, const struct item *of);

#endif

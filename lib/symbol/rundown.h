/*
 * rundown - the names that a nettrace carries, as the perf maps they could have been.
 *
 * A runtime tells at the end of a trace of all methods that have code, ReadyToRun code
 * included; a machine-wide recorder of every symbol that was hit, of the kernel too.
 */
#ifndef SYMBOL_RUNDOWN_H
#define SYMBOL_RUNDOWN_H

#include "image/locate.h"
#include "reader/reader.h"

/*
 * Reads r, which is that of item `of`, to its end, and adds a perf map to l for each
 * process that it names code of, called "NAME/perf-PID.map".  Damage is r's to report.
 */
void rundown_read(struct locator *l, struct reader *r, const struct item *of);

#endif

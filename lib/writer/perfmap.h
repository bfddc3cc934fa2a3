/*
 * perfmap - a table of ips as perf-PID.map: START SIZE NAME, hex without 0x.
 *
 * Format: tools/perf/Documentation/jit-interface.txt.
 */
#ifndef WRITER_PERFMAP_H
#define WRITER_PERFMAP_H

#include "base/out.h"
#include "image/symtab.h"

/* In the order of t: sorted when t is. */
void perfmap_write(struct out *o, const struct symtab *t);

#endif

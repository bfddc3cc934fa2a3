/* perfmap - maps of addresses to names: perf's own, and crossgen2's of an image. */
#ifndef WRITER_PERFMAP_H
#define WRITER_PERFMAP_H

#include "base/out.h"
#include "image/locate.h"
#include "image/symtab.h"

/*
 * A table of ips as perf-PID.map: START SIZE NAME, hex without 0x, in the order of t.
 *
 * Format: tools/perf/Documentation/jit-interface.txt.
 */
void perfmap_write(struct out *o, const struct symtab *t);

/*
 * The methods of a ReadyToRun image as crossgen2 lists them.
 *
 * 	FFFFFFFF 00 AC07F086B0F358523DBE539683360E48
 * 	...
 * 	00011520 2C Calc.Program::Main(System.String[])
 *
 * Five lines of header (signature, version, system, machine, ABI), then RVA, length and name of
 * each method, in the order of their addresses.
 *
 * Format: dotnet/runtime docs/design/coreclr/botr/r2r-perfmap-format.md.
 *
 * cold: also the parts that were split off, which crossgen2 omits.  Returns false if the inputs
 * of the compiler are unknown, and the signature is all zeros.
 */
bool perfmap_write_r2r(struct out *o, struct r2r *r, bool cold);

#endif

/* perfmap - writes maps from addresses to names, in the formats of perf and crossgen2. */
#ifndef WRITER_PERFMAP_H
#define WRITER_PERFMAP_H

#include "base/out.h"
#include "image/locate.h"
#include "image/symtab.h"

/*
 * Writes a perf-PID.map: START SIZE NAME, in the order of t.  Numbers are hexadecimal without 0x.
 *
 * Format: tools/perf/Documentation/jit-interface.txt.
 */
void perfmap_write(struct out *o, const struct symtab *t);

/*
 * Writes the methods of a ReadyToRun image in crossgen2's format:
 *
 * 	FFFFFFFF 00 AC07F086B0F358523DBE539683360E48
 * 	...
 * 	00011520 2C Calc.Program::Main(System.String[])
 *
 * The header has five lines (signature, version, system, machine, ABI).  RVA, length and name of
 * each method follow, in the order of their addresses.
 *
 * Format: dotnet/runtime docs/design/coreclr/botr/r2r-perfmap-format.md.
 *
 * cold: also writes the cold parts of methods, which crossgen2 omits.  Returns false, and writes
 * a signature of zeros, if the inputs of the compiler are unknown.
 */
bool perfmap_write_r2r(struct out *o, struct r2r *r, bool cold);

#endif

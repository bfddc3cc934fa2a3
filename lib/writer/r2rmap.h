/*
 * r2rmap - the methods of a ReadyToRun image as crossgen2 lists them.
 *
 *	FFFFFFFF 00 AC07F086B0F358523DBE539683360E48
 *	...
 *	00011520 2C Calc.Program::Main(System.String[])
 *
 * Five lines of header (signature, version, system, machine, ABI), then RVA, length
 * and name of each method, in the order of their addresses.
 *
 * Format: dotnet/runtime docs/design/coreclr/botr/r2r-perfmap-format.md.
 */
#ifndef WRITER_R2RMAP_H
#define WRITER_R2RMAP_H

#include "base/out.h"
#include "image/locate.h"

/*
 * cold: the parts that were split off too, which crossgen2 leaves out.  False: what
 * was compiled into it is not known, and the signature is all zeros.
 */
bool r2rmap_write(struct out *o, struct r2r *r, bool cold);

#endif

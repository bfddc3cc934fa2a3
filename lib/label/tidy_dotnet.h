/*
 * tidy_dotnet - names of .NET methods, as perf maps, jitdumps, crossgen maps, r2rmaps and
 * nettraces spell them, become one: ``Ns.Type<Args>::Method``.
 */
#ifndef LABEL_TIDY_DOTNET_H
#define LABEL_TIDY_DOTNET_H

#include "label/tidy.h"

/*
 * Returns s without the tier that the runtime used to compile it, "[OptimizedTier1]".  jit: s is
 * known to be from the runtime, so that a tier needs no argument list before it.
 */
struct str tidy_dotnet_without_tier(struct str s, bool jit);

/*
 * Writes the name of a .NET method or stub.  managed: the code is in a .dll or was made at run
 * time.  For other code, the name must contain its assembly.  Returns false for other names.
 */
bool tidy_dotnet(struct tidy *t, struct str s, bool managed);

/* Sets *assembly if the symbol of a method states it.  Returns false if not. */
bool tidy_dotnet_assembly(struct str s, struct str *assembly);

/* Returns true for code between methods that the runtime makes. */
bool tidy_dotnet_is_stub(struct str s);

#endif

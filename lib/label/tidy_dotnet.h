/*
 * tidy_dotnet - writes names of .NET methods in one spelling, ``Ns.Type<Args>::Method``.  Perf
 * maps, jitdumps, crossgen maps, r2rmaps and nettraces use several.
 */
#ifndef LABEL_TIDY_DOTNET_H
#define LABEL_TIDY_DOTNET_H

#include "label/tidy.h"

/*
 * Returns s without the tier with which the runtime compiled it, "[OptimizedTier1]".  A tier must
 * follow an argument list, unless `jit` is set: s is then known to be from the runtime.
 */
struct str tidy_dotnet_without_tier(struct str s, bool jit);

/*
 * Writes the name of a .NET method or stub.  `managed` is true if the code is in a .dll or was
 * made at run time.  If it is false, the name must contain its assembly.  Returns false for other
 * names.
 */
bool tidy_dotnet(struct tidy *t, struct str s, bool managed);

/* Sets *assembly if the symbol of a method states it.  Returns false if not. */
bool tidy_dotnet_assembly(struct str s, struct str *assembly);

/* Returns true for code that the runtime makes and uses between methods. */
bool tidy_dotnet_is_stub(struct str s);

#endif

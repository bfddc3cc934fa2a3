/*
 * tidy_dotnet - writes names of .NET methods in one spelling, ``Ns.Type<Args>::Method``.  Perf
 * maps, jitdumps, crossgen maps, r2rmaps and nettraces use several spellings.
 */
#ifndef LABEL_TIDY_DOTNET_H
#define LABEL_TIDY_DOTNET_H

#include "label/tidy.h"

/*
 * Returns s without the runtime's tier, such as "[OptimizedTier1]".  jit: s comes from the
 * runtime.  If `jit` is false, the tier must follow an argument list.
 */
struct str tidy_dotnet_without_tier(struct str s, bool jit);

/*
 * Writes the name of a .NET method or stub.  managed: the code is in a .dll or is JIT code.  If
 * `managed` is false, the name must contain the assembly.  Returns false for other names.
 */
bool tidy_dotnet(struct tidy *t, struct str s, bool managed);

/* If the symbol of a method contains its assembly, sets *assembly and returns true. */
bool tidy_dotnet_assembly(struct str s, struct str *assembly);

/* Returns true for code that the runtime generates for transitions between methods. */
bool tidy_dotnet_is_stub(struct str s);

#endif

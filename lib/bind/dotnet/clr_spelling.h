/*
 * clr_spelling - rewrites the name of a .NET method in a perf map to the form that crossgen2
 * writes to an r2rmap.  Private to bind/.
 *
 * 	instance !0 [calc10] Calc.Box`1[System.Int32]::Swap(!0,class [System.Runtime]System.Uri)
 * 	System.Int32 Calc.Box`1[System.Int32]::Swap(System.Int32, System.Uri)
 *
 * The reverse conversion is impossible.  An r2rmap contains neither the assembly nor "instance",
 * and does not distinguish two types that have the same name.
 *
 * Sources: dotnet/runtime src/coreclr/vm/method.cpp, and ILCompiler.Diagnostics.
 */
#ifndef BIND_DOTNET_CLR_SPELLING_H
#define BIND_DOTNET_CLR_SPELLING_H

#include "base/arena.h"

/* Returns name without a "[Tier1]" at its end. */
struct str clr_spelling_untiered(struct str name);

/*
 * Returns the assembly in a name of a perf map, or an empty string if `name` is not the name of a
 * method.
 */
struct str clr_spelling_assembly(struct str name);

/*
 * Converts name to the form of crossgen2.  The result is in `a`.  Returns false if the name has
 * another form, or lacks types, such as the type arguments of the method itself.
 */
bool clr_spelling_convert(struct str name, struct arena *a, struct str *out);

#endif

/*
 * clr_spelling - the name of a .NET method in a perf map, rewritten as crossgen2 writes it
 * into an r2rmap; private to bind/.
 *
 *	instance !0 [calc10] Calc.Box`1[System.Int32]::Swap(!0,class [System.Runtime]System.Uri)
 *	System.Int32 Calc.Box`1[System.Int32]::Swap(System.Int32, System.Uri)
 *
 * The opposite direction is impossible: an r2rmap has neither the assembly nor "instance",
 * nor which of two types of one name is meant.
 *
 * Sources: dotnet/runtime src/coreclr/vm/method.cpp; ILCompiler.Diagnostics.
 */
#ifndef BIND_DOTNET_CLR_SPELLING_H
#define BIND_DOTNET_CLR_SPELLING_H

#include "base/arena.h"

/* name without "[Tier1]" at its end. */
struct str clr_spelling_untiered(struct str name);

/* The assembly in a perf map's name; empty: it is not the name of a method. */
struct str clr_spelling_assembly(struct str name);

/*
 * name as crossgen2 writes it; lives in a.  False: that depends on more than the text (type
 * arguments of the method itself), or the name has another form.
 */
bool clr_spelling_convert(struct str name, struct arena *a, struct str *out);

#endif

/*
 * mapname - a .NET method's name in a perf map, as crossgen2 writes it into an r2rmap;
 * private to symbol/.
 *
 *	instance !0 [calc10] Calc.Box`1[System.Int32]::Swap(!0,class [System.Runtime]System.Uri)
 *	System.Int32 Calc.Box`1[System.Int32]::Swap(System.Int32, System.Uri)
 *
 * The other way round cannot be told from the text: it has neither the assembly nor
 * "instance", nor which of two types of one name is meant.
 *
 * Sources: dotnet/runtime src/coreclr/vm/method.cpp; ILCompiler.Diagnostics.
 */
#ifndef BIND_DOTNET_CLR_SPELLING_H
#define BIND_DOTNET_CLR_SPELLING_H

#include "base/arena.h"

/* name without "[Tier1]" at its end. */
struct str clr_spelling_untiered(struct str name);

/* The assembly that a perf map's name says; empty: it is none of a method. */
struct str clr_spelling_assembly(struct str name);

/*
 * False: it depends on more than the text (type arguments of the method itself), or is
 * of another form.  *out lives in a.
 */
bool clr_spelling_convert(struct str name, struct arena *a, struct str *out);

#endif

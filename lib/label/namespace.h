/* namespace - groups of functions that are larger than a type: by module and by name. */
#ifndef LABEL_NAMESPACE_H
#define LABEL_NAMESPACE_H

#include "base/str.h"

/*
 * Returns the module of the code of a symbol.  For code that .NET made at run time, this is the
 * assembly that the symbol states, or "[stubs]".  module is as perf prints it, flags are NAMED_*.
 */
struct str namespace_module(struct str func, struct str module, unsigned flags);

/* The same, for tables: the name of an assembly instead of its file, without directories. */
struct str namespace_assembly(struct str module);

/*
 * Returns the namespace, package or crate in a label: "System.Collections.Generic", "std",
 * "net/http".  Empty if the label does not contain one.  managed: its mark is 'j'.
 */
struct str namespace_of(struct str label, bool managed);

#endif

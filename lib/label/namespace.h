/* namespace - groups of functions that are larger than a type: by module and by name. */
#ifndef LABEL_NAMESPACE_H
#define LABEL_NAMESPACE_H

#include "base/str.h"

/*
 * Returns the module of a function.  If .NET made the code at run time, this is the assembly in
 * the symbol `func`, or "[stubs]".  `module` is as perf prints it, and `flags` are NAMED_*.
 */
struct str namespace_module(struct str func, struct str module, unsigned flags);

/*
 * Returns the name of a module for tables: of an assembly the name without directory and suffix.
 */
struct str namespace_assembly(struct str module);

/*
 * Returns the namespace, package or crate in a label: "System.Collections.Generic", "std",
 * "net/http".  Returns an empty string if the label contains no namespace.  `managed` is true if
 * the mark of the label is 'j'.
 */
struct str namespace_of(struct str label, bool managed);

#endif

/*
 * namespace - finds the module and the namespace of a function, by which tables group functions.
 */
#ifndef LABEL_NAMESPACE_H
#define LABEL_NAMESPACE_H

#include "base/str.h"

/*
 * Returns the module of a function.  For JIT code of .NET, this is the assembly in the symbol
 * `func`, or "[stubs]".  `module` is a name as perf prints it, and `flags` are NAMED_*.
 */
struct str namespace_module(struct str func, struct str module, unsigned flags);

/*
 * Returns the name with which tables show a module.  For an assembly, removes the directory and
 * the suffix.
 */
struct str namespace_assembly(struct str module);

/*
 * Returns the namespace, package or crate in a label: "System.Collections.Generic", "std",
 * "net/http".  Returns an empty string if the label has no namespace.  managed: the label has the
 * mark 'j'.
 */
struct str namespace_of(struct str label, bool managed);

#endif

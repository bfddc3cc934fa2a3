/*
 * kind - determines the kind of code in a frame from its module.
 *
 * The kind determines the mark after a label, and how the name is shortened.
 */
#ifndef LABEL_KIND_H
#define LABEL_KIND_H

#include "base/str.h"

enum kind {
	KIND_NATIVE,
	KIND_KERNEL,  /* code of the kernel, its modules, and BPF programs */
	KIND_JIT,     /* JIT code */
	KIND_DOTNET,  /* precompiled .NET code, in a .dll */
	KIND_RUNTIME, /* native code of a language runtime: libcoreclr.so, libjvm.so */
};

/*
 * Returns the kind of code.  `module` is a name as perf prints it.  `flags` are NAMED_* of
 * symbol/profile.h.
 */
enum kind kind_of(struct str module, unsigned flags);

/* Returns the module without " (deleted)". */
struct str kind_module(struct str module);

/* Returns true if the module is a program, not a library or a map of JIT code. */
bool kind_is_program(struct str module);

#endif

/*
 * kind - determines the kind of code in a frame from its module.
 *
 * The kind is used to select the mark after a label, and the rules that shorten the name.
 */
#ifndef LABEL_KIND_H
#define LABEL_KIND_H

#include "base/str.h"

enum kind {
	KIND_NATIVE,
	KIND_KERNEL,  /* code of the kernel, its modules, and BPF programs */
	KIND_JIT,     /* code that was generated at run time */
	KIND_DOTNET,  /* .NET code compiled ahead of time, in a .dll */
	KIND_RUNTIME, /* native code of a language's runtime: libcoreclr.so, libjvm.so */
};

/*
 * Returns the kind of code.  `module` is as perf prints it.  `flags` are NAMED_* of
 * symbol/profile.h.
 */
enum kind kind_of(struct str module, unsigned flags);

/* Returns the module without " (deleted)". */
struct str kind_module(struct str module);

#endif

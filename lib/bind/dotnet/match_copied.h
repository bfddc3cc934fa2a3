/*
 * match_copied - images that the runtime copied to anonymous memory.  Private to bind/.
 *
 * There is no mapped file that would identify them.  A jitdump contains the precompiled methods
 * that were called, with name and code: "int32 [calc10] Calc.Program::Fib(int32)[PreJIT]".  The
 * image of that assembly with the same bytes is the right one, and their place in it determines
 * the base.  The image then names all of its methods.  The code of a component is in the
 * composite image that it names.
 */
#ifndef BIND_DOTNET_MATCH_COPIED_H
#define BIND_DOTNET_MATCH_COPIED_H

#include "bind/bind.h"

/* Binds the images in anonymous memory if their code is in a jitdump. */
void match_copied(struct binder *b);

#endif

/*
 * match_copied - images that the runtime copied to anonymous memory.  Private to bind/.
 *
 * No mapped file identifies them.  A jitdump contains the precompiled methods that were called,
 * with name and code: "int32 [calc10] Calc.Program::Fib(int32)[PreJIT]".  The right image is the
 * image of assembly calc10 that has the same bytes.  The place of the methods in the image
 * determines its base.  The image then names all of its methods.  If the assembly is a
 * component, it names the composite image that has its code.
 */
#ifndef BIND_DOTNET_MATCH_COPIED_H
#define BIND_DOTNET_MATCH_COPIED_H

#include "bind/bind.h"

/* Binds the images in anonymous memory if their code is in a jitdump. */
void match_copied(struct binder *b);

#endif

/*
 * match_copied - images that the runtime copied to anonymous memory.  Private to bind/.
 *
 * No mapped file identifies such images.  However, a jitdump contains the name and the code of
 * each precompiled method that was called: "int32 [calc10] Calc.Program::Fib(int32)[PreJIT]". The
 * right image is the image of assembly calc10 that contains this code.  The positions of the
 * methods in the image determine the base address.  The image then names all of its methods.  If
 * calc10 is a component, its code is in a composite image.  The component contains the name of
 * this image.
 */
#ifndef BIND_DOTNET_MATCH_COPIED_H
#define BIND_DOTNET_MATCH_COPIED_H

#include "bind/bind.h"

/* Binds images in anonymous memory if a jitdump contains their code. */
void match_copied(struct binder *b);

#endif

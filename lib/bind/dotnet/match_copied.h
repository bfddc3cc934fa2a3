/*
 * match_copied - images that the runtime copied to anonymous memory; private to bind/.
 *
 * No file is mapped there that would say which they are.  A jitdump holds the precompiled
 * methods that were called, with name and code: "int32 [calc10]
 * Calc.Program::Fib(int32)[PreJIT]".  The image of that assembly which has the very same
 * bytes is the one, and where they are in it tells its base.  The image then names all of its
 * methods, called or not.  The code of a component is in the composite image that it names.
 */
#ifndef BIND_DOTNET_MATCH_COPIED_H
#define BIND_DOTNET_MATCH_COPIED_H

#include "bind/bind.h"

/* Binds the images in anonymous memory whose code a jitdump has. */
void match_copied(struct binder *b);

#endif

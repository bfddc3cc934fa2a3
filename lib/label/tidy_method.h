/*
 * tidy_method - a .NET method with the name that it has in the source.
 *
 * Compilers generate code for async methods, iterators, lambdas and local functions.  It uses the
 * name of the method that contains it.  Type arguments follow the types and methods that use
 * them.
 */
#ifndef LABEL_TIDY_METHOD_H
#define LABEL_TIDY_METHOD_H

#include "label/tidy.h"

/* The return type of a method, which distinguishes async methods from iterators. */
enum tidy_returns { RETURNS_UNSAID, RETURNS_VOID, RETURNS_BOOL, RETURNS_OTHER };

/* owner is ``Ns.Type`1+Inner[Arguments]``, method is a name without arguments. */
void tidy_method(struct tidy *t, struct str owner, struct str method,
                 enum tidy_returns returns);

/* Writes a type that precedes a method: ``Ns.Type`1[System.Int32][]`` as Ns.Type<int>[]. */
void tidy_method_type(struct tidy *t, struct str type);

#endif

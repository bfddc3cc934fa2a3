/*
 * tidy_method - a .NET method under the name it has in the source.
 *
 * What compilers make of async methods, iterators, lambdas and local functions is
 * called by the method that it stands in; type arguments stand behind the types and
 * methods that take them.
 */
#ifndef LABEL_TIDY_METHOD_H
#define LABEL_TIDY_METHOD_H

#include "label/tidy.h"

/* The return type of a method, as far as it tells async methods from iterators. */
enum tidy_returns { RETURNS_UNSAID, RETURNS_VOID, RETURNS_BOOL, RETURNS_OTHER };

/* owner is ``Ns.Type`1+Inner[Arguments]``, method is a name without arguments. */
void tidy_method(struct tidy *t, struct str owner, struct str method,
                 enum tidy_returns returns);

/* A type as it stands in front of a method: ``Ns.Type`1[System.Int32][]`` as Ns.Type<int>[]. */
void tidy_method_type(struct tidy *t, struct str type);

#endif

/*
 * tidy_method - writes a .NET method with its name in the source.
 *
 * Compilers generate methods for async methods, iterators, lambdas and local functions.  These
 * get the name of the method that contains them.  Type arguments follow the type or method to
 * which they belong.
 */
#ifndef LABEL_TIDY_METHOD_H
#define LABEL_TIDY_METHOD_H

#include "label/tidy.h"

/* The return type of a method, which distinguishes async methods from iterators. */
enum tidy_returns { RETURNS_UNSAID, RETURNS_VOID, RETURNS_BOOL, RETURNS_OTHER };

/*
 * Writes a method.  `owner` is a type, ``Ns.Type`1+Inner[Arguments]``.  `method` is a name
 * without arguments.
 */
void tidy_method(struct tidy *t, struct str owner, struct str method,
                 enum tidy_returns returns);

/* Writes a type that precedes a method.  ``Ns.Type`1[System.Int32][]`` becomes Ns.Type<int>[]. */
void tidy_method_type(struct tidy *t, struct str type);

#endif

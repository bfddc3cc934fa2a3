/*
 * tidy_method - writes the source name of a .NET method.
 *
 * For async methods, iterators, lambdas and local functions, compilers generate further methods.
 * The generated methods get the name of the source method that contains them.  Type arguments are
 * written after their type or method.
 */
#ifndef LABEL_TIDY_METHOD_H
#define LABEL_TIDY_METHOD_H

#include "label/tidy.h"

/*
 * The return type of a method.  The return type distinguishes async methods from iterators.
 */
enum tidy_returns { RETURNS_UNSAID, RETURNS_VOID, RETURNS_BOOL, RETURNS_OTHER };

/*
 * Writes a method.  `owner` is a type, ``Ns.Type`1+Inner[Arguments]``.  `method` is a name
 * without arguments.
 */
void tidy_method(struct tidy *t, struct str owner, struct str method,
                 enum tidy_returns returns);

/* Writes the type before a method.  ``Ns.Type`1[System.Int32][]`` becomes Ns.Type<int>[]. */
void tidy_method_type(struct tidy *t, struct str type);

#endif

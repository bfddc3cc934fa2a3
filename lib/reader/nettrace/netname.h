/*
 * netname - spells a method of the runtime's events as its perf map does.  Private to reader/.
 *
 * Events have an older spelling of signatures: "value class", "unsigned int32", "wchar". They
 * omit the outer type of a nested type among the parameters, and so does the result. Measured on
 * .NET 10: 2,960 of 3,274 methods are equal to the map.  The others differ only in parameters and
 * return type.
 */
#ifndef READER_NETTRACE_NETNAME_H
#define READER_NETTRACE_NETNAME_H

#include "base/arena.h"

/*
 * "instance void  (int32)" of type, name and module (may be empty), with MethodFlags:
 * "instance void [module] type::name(int32)[Tier0]".  Lives as long as a.
 */
struct str netname_method(struct arena *a, struct str module, struct str type,
                          struct str name, struct str signature, uint32_t flags);

#endif

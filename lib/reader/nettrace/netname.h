/*
 * netname - spells a method of the runtime's events as the perf map does.  Private to reader/.
 *
 * Events use an older spelling of signatures: "value class", "unsigned int32", "wchar".  If a
 * parameter has a nested type, events omit its outer type, and so does the result of
 * netname_method.  Measured on .NET 10: 2,960 of 3,274 methods are equal to the map.  The others
 * differ only in parameters and return type.
 */
#ifndef READER_NETTRACE_NETNAME_H
#define READER_NETTRACE_NETNAME_H

#include "base/arena.h"

/*
 * Returns "instance void [module] type::name(int32)[Tier0]" for the signature "instance void
 * (int32)".  `module` may be empty.  `flags` are MethodFlags.  The result is in arena `a`.
 */
struct str netname_method(struct arena *a, struct str module, struct str type,
                          struct str name, struct str signature, uint32_t flags);

#endif

/*
 * netname - converts method names of runtime events to the spelling of perf maps.  Private to
 * reader/.
 *
 * Events use an older spelling of signatures: "value class", "unsigned int32", "wchar".  For
 * nested types of parameters, events omit the outer type, so it is also missing in the result.
 * Measured on .NET 10: 2,960 of 3,274 names are equal to the perf map.  The other names differ
 * only in parameters and return type.
 */
#ifndef READER_NETTRACE_NETNAME_H
#define READER_NETTRACE_NETNAME_H

#include "base/arena.h"

/*
 * Returns "instance void [module] type::name(int32)[Tier0]" for the signature "instance void
 * (int32)".  `module` may be empty.  `flags` are MethodFlags, which contain the tier.  The result
 * is in arena `a`.
 */
struct str netname_method(struct arena *a, struct str module, struct str type,
                          struct str name, struct str signature, uint32_t flags);

#endif

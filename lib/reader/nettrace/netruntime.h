/*
 * netruntime - a table of the .NET runtime's events, with names and fields, because the runtime
 * does not write names and fields into a nettrace.  Private to reader/.
 *
 * Ids, names and fields come from dotnet/runtime src/coreclr/vm/ClrEtwAll.man of .NET 10.  New
 * versions of an event only append fields, so one row describes all versions.  The names omit the
 * version.
 */
#ifndef READER_NETTRACE_NETRUNTIME_H
#define READER_NETTRACE_NETRUNTIME_H

#include "base/str.h"

struct netruntime_event {
	uint32_t id;
	const char *name;
	/* description of the payload's fields in the form NETFIELD_LETTERS, or NULL if unknown */
	const char *fields;
};

/*
 * Returns the event of a provider with that id, or NULL if the provider or the event is unknown.
 */
const struct netruntime_event *netruntime_find(struct str provider, uint32_t id);

/* Returns the event of a provider with that name, or NULL. */
const struct netruntime_event *netruntime_named(struct str provider, struct str name);

#endif

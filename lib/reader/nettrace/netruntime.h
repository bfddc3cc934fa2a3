/*
 * netruntime - the events of the .NET runtime, which writes neither their names nor their fields
 * into a nettrace.  Private to reader/.
 *
 * Numbers, names and fields come from dotnet/runtime src/coreclr/vm/ClrEtwAll.man of .NET 10.
 * Newer versions of an event add fields at the end, so one row describes all versions.  Names
 * have no version.
 */
#ifndef READER_NETTRACE_NETRUNTIME_H
#define READER_NETTRACE_NETRUNTIME_H

#include "base/str.h"

struct netruntime_event {
	uint32_t id;
	const char *name;
	const char *fields; /* NETFIELD_LETTERS, or NULL if the layout is unknown */
};

/* Returns NULL if that provider has no such event, or is another. */
const struct netruntime_event *netruntime_find(struct str provider, uint32_t id);

/* The same by the name of the event. */
const struct netruntime_event *netruntime_named(struct str provider, struct str name);

#endif

/*
 * netruntime - the events of the .NET runtime, which writes neither their names nor their
 * fields into a nettrace; private to reader/.
 *
 * Numbers, names and fields are those of dotnet/runtime src/coreclr/vm/ClrEtwAll.man, as
 * .NET 10 has them.  Newer versions of an event add fields behind those of older ones, so
 * one row describes all; names stand without the version.
 */
#ifndef READER_NETTRACE_NETRUNTIME_H
#define READER_NETTRACE_NETRUNTIME_H

#include "base/str.h"

struct netruntime_event {
	uint32_t id;
	const char *name;
	const char *fields; /* NETFIELD_LETTERS; NULL: their layout is not known here */
};

/* NULL: that provider has no such event, or is another. */
const struct netruntime_event *netruntime_find(struct str provider, uint32_t id);

/* The same by the name of the event. */
const struct netruntime_event *netruntime_named(struct str provider, struct str name);

#endif

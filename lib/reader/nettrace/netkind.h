/*
 * netkind - the events of a nettrace that are used, and the fields of their payloads;
 * private to reader/.
 *
 * A metadata row gives a number to (provider, event), in version 6 with the fields of the
 * payload.  The runtime's own events have fixed layouts: dotnet/runtime
 * src/coreclr/vm/ClrEtwAll.man; those of machine-wide recorders are described by
 * microsoft/perfview src/TraceEvent/EventPipe/UniversalProviders.md.
 */
#ifndef READER_NETTRACE_NETKIND_H
#define READER_NETTRACE_NETKIND_H

#include "base/arena.h"
#include "base/table.h"
#include "reader/event.h"
#include "reader/fields.h"
#include "reader/nettrace/netfile.h"

enum netkind_role {
	NET_IGNORED,
	NET_THREAD_SAMPLE, /* SampleProfiler: what a thread does, running or not */
	NET_VALUE,         /* Universal.Events: cpu, cswitch, ... with a weight */
	NET_METHOD,        /* a method's code, which lay there before */
	NET_METHOD_LOAD,   /* a method's code, from now on */
	NET_MODULE,
	NET_COMMAND, /* the command line of the one process */
	NET_PROCESS, /* Universal.System ...: a process and its name */
	NET_MAPPING, /* ... */
	NET_FILE,    /* ... what is known of a mapping's file, its build-id */
	NET_SYMBOL,  /* ... a name for a range of addresses */
};

/* Fields that each sample of a nettrace has, as reader/fields.h numbers them. */
enum { NET_SAMPLE_TYPE = HAS_IP | HAS_TID | HAS_TIME | HAS_PERIOD | HAS_CALLCHAIN };

struct netkind {
	enum netkind_role role;
	const struct attr *attr; /* VALUE: name is that of the event; lives as ks->run */
	struct str fields;       /* version 6: descriptions of the payload's fields */
};

struct netkinds {
	struct arena *run;
	struct table by_id; /* metadata id -> index of kind + 1 */
	struct netkind *kind;
	size_t n, cap;
	const struct attr **sampled; /* of the kinds VALUE, in the order of the file */
	size_t nsampled, sampled_cap;
};

/* Reads a metadata block.  False: part of it is damaged. */
bool netkind_read(struct netkinds *ks, const struct netfile *nf,
                  const struct netblock *block);

/* NULL: no such metadata. */
const struct netkind *netkind_find(const struct netkinds *ks, uint32_t id);

/* Finds a field in a version 6 payload; false: it is missing, or of another type. */
bool netkind_number(const struct netkind *k, struct str payload, struct str name,
                    uint64_t *out);
bool netkind_text(const struct netkind *k, struct str payload, struct str name,
                  struct str *out);

/* Reads UTF-16 up to its NUL; returns UTF-8. */
struct str netkind_utf16(struct cursor *in, struct arena *a);

#endif

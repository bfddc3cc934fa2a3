/*
 * netkind - the kinds of events in a nettrace, and how they are used.  Private to reader/.
 *
 * A metadata row assigns a number to an event of a provider, and describes the fields of its
 * payload.  The rows of the runtime's own events lack names and fields (netruntime.h).
 * microsoft/perfview src/TraceEvent/EventPipe/UniversalProviders.md describes the events of
 * machine-wide recorders.
 */
#ifndef READER_NETTRACE_NETKIND_H
#define READER_NETTRACE_NETKIND_H

#include "base/table.h"
#include "reader/event.h"
#include "reader/fields.h"
#include "reader/nettrace/netfield.h"

struct event_names;

enum netkind_role {
	NET_IGNORED,
	NET_THREAD_SAMPLE, /* SampleProfiler: stack of a thread, which may be waiting */
	NET_VALUE,         /* Universal.Events: cpu, cswitch, ... with a weight */
	NET_METHOD,        /* code of a method, which existed when the trace began */
	NET_METHOD_LOAD,   /* code of a method, which exists from this time on */
	NET_IL_MAP,        /* offsets in the IL of a method */
	NET_MODULE,
	NET_COMMAND, /* command line of the only process */
	NET_PROCESS, /* Universal.System: a process and its name */
	NET_MAPPING, /* Universal.System: a mapping */
	NET_FILE,    /* Universal.System: data of a mapped file, as its build-id */
	NET_SYMBOL,  /* Universal.System: a name for a range of addresses */
};

/* Fields that each sample of a nettrace has, as reader/fields.h numbers them. */
enum { NET_SAMPLE_TYPE = HAS_IP | HAS_TID | HAS_TIME | HAS_PERIOD | HAS_CALLCHAIN };

struct netkind {
	enum netkind_role role;
	/*
	 * Its name is "Provider/Event", or for NET_VALUE only the event.  Lives as long as
	 * ks->run.
	 */
	const struct attr *attr;
	size_t event_at; /* offset of the event in attr->name */
	bool wanted;     /* netkind_want selected the kind */
	struct netfields fields;
	unsigned pointer; /* bytes of an address in a payload */
	const char *row;  /* place of the kind's row in the file */
};

struct netkinds {
	struct arena *run;
	bool stackless;     /* true if no event has a stack */
	struct table by_id; /* metadata id -> index of kind + 1 */
	struct netkind *kind;
	size_t n, cap;
	const struct attr **sampled; /* attrs of the NET_VALUE kinds, in file order */
	size_t nsampled, sampled_cap;
	const struct event_names *names; /* the argument of netkind_want */
};

/* Reads a metadata block.  Returns false if part of it is damaged. */
bool netkind_read(struct netkinds *ks, const struct netfile *nf,
                  const struct netblock *block);

/*
 * Sets `wanted` for the kinds in `names`, including kinds that are read later.  NULL clears it.
 */
void netkind_want(struct netkinds *ks, const struct event_names *names);

/* Returns the kind with that metadata id, or NULL. */
const struct netkind *netkind_find(const struct netkinds *ks, uint32_t id);

/* Read a field of a payload.  Return false if the field is missing or has another type. */
bool netkind_number(const struct netkind *k, struct str payload, struct str name,
                    uint64_t *out);
bool netkind_text(const struct netkind *k, struct str payload, struct str name,
                  struct str *out);

/* Reads UTF-16 up to its NUL, and returns it as UTF-8. */
struct str netkind_utf16(struct cursor *in, struct arena *a);

#endif

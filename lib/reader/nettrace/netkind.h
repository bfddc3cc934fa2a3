/*
 * netkind - reads the kinds of events in a nettrace, and assigns roles to them.  Private to
 * reader/.
 *
 * A metadata row assigns an id to a kind of event, and describes the fields of its payload.  Rows
 * for events of the runtime lack names and fields, which are in netruntime.h.
 * Source for the events of machine-wide recorders: microsoft/perfview
 * src/TraceEvent/EventPipe/UniversalProviders.md.
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
	/* SampleProfiler: stack of a running or waiting thread */
	NET_THREAD_SAMPLE,
	NET_VALUE,       /* Universal.Events: cpu, cswitch, ... with a weight */
	NET_METHOD,      /* code of a method that existed when the trace began */
	NET_METHOD_LOAD, /* code of a method, loaded at the time of the event */
	NET_IL_MAP,      /* IL offsets of a method */
	NET_MODULE,
	NET_COMMAND, /* command line of the only process */
	NET_PROCESS, /* Universal.System: a process and its name */
	NET_MAPPING, /* Universal.System: a mapping */
	NET_FILE,   /* Universal.System: data about a mapped file, such as its build-id */
	NET_SYMBOL, /* Universal.System: a name for a range of addresses */
};

/* Fields that all samples of a nettrace have (reader/fields.h). */
enum { NET_SAMPLE_TYPE = HAS_IP | HAS_TID | HAS_TIME | HAS_PERIOD | HAS_CALLCHAIN };

struct netkind {
	enum netkind_role role;
	/*
	 * attr->name is "Provider/Event", or only "Event" for NET_VALUE.  The attr lives
	 * as long as ks->run.
	 */
	const struct attr *attr;
	size_t event_at; /* offset of the event's name in attr->name */
	bool wanted;     /* netkind_want has selected the kind */
	struct netfields fields;
	unsigned pointer; /* size in bytes of an address in a payload */
	const char *row;  /* start of the kind's row in the bytes of the file */
};

struct netkinds {
	struct arena *run;
	bool stackless;     /* events of this nettrace have no stacks */
	struct table by_id; /* metadata id -> index of kind + 1 */
	struct netkind *kind;
	size_t n, cap;
	const struct attr **sampled; /* attrs of all NET_VALUE kinds, in file order */
	size_t nsampled, sampled_cap;
	const struct event_names *names; /* argument of the last netkind_want */
};

/* Reads a metadata block.  Returns false if a part of the block is damaged. */
bool netkind_read(struct netkinds *ks, const struct netfile *nf,
                  const struct netblock *block);

/*
 * Sets `wanted` of all kinds that `names` selects, also of kinds that are read later.  NULL
 * selects no kind.
 */
void netkind_want(struct netkinds *ks, const struct event_names *names);

/* Returns the kind with that metadata id, or NULL. */
const struct netkind *netkind_find(const struct netkinds *ks, uint32_t id);

/* Read a field of a payload.  Return false if the field is missing or has another type. */
bool netkind_number(const struct netkind *k, struct str payload, struct str name,
                    uint64_t *out);
bool netkind_text(const struct netkind *k, struct str payload, struct str name,
                  struct str *out);

/* Reads UTF-16 text and its NUL.  Returns UTF-8. */
struct str netkind_utf16(struct cursor *in, struct arena *a);

#endif

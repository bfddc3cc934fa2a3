/*
 * netkind - the kinds of events in a nettrace, and how they are used.  Private to reader/.
 *
 * A metadata row assigns a number to (provider, event), with the fields of the payload.  The
 * runtime's own events omit name and fields, see netruntime.h.  microsoft/perfview
 * src/TraceEvent/EventPipe/UniversalProviders.md describes the events of machine-wide recorders.
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
	NET_THREAD_SAMPLE, /* SampleProfiler: the stack of a thread, running or not */
	NET_VALUE,         /* Universal.Events: cpu, cswitch, ... with a weight */
	NET_METHOD,        /* a method's code, which existed before */
	NET_METHOD_LOAD,   /* a method's code, from now on */
	NET_MODULE,
	NET_COMMAND, /* the command line of the one process */
	NET_PROCESS, /* Universal.System ...: a process and its name */
	NET_MAPPING, /* ... */
	NET_FILE,    /* ... data of a mapping's file, such as its build-id */
	NET_SYMBOL,  /* ... a name for a range of addresses */
};

/* Fields that each sample of a nettrace has, as reader/fields.h numbers them. */
enum { NET_SAMPLE_TYPE = HAS_IP | HAS_TID | HAS_TIME | HAS_PERIOD | HAS_CALLCHAIN };

struct netkind {
	enum netkind_role role;
	/* "Provider/Event", or for VALUE the event alone.  Lives as long as ks->run. */
	const struct attr *attr;
	size_t event_at; /* in that name */
	bool wanted;     /* asked for by netkind_want */
	struct netfields fields;
	unsigned pointer; /* bytes of an address in a payload */
	const char *row;  /* its place in the file */
};

struct netkinds {
	struct arena *run;
	bool stackless;     /* no event has a stack */
	struct table by_id; /* metadata id -> index of kind + 1 */
	struct netkind *kind;
	size_t n, cap;
	const struct attr **sampled; /* of the kinds VALUE, in the order of the file */
	size_t nsampled, sampled_cap;
	const struct event_names *names; /* netkind_want */
};

/* Reads a metadata block.  Returns false if part of it is damaged. */
bool netkind_read(struct netkinds *ks, const struct netfile *nf,
                  const struct netblock *block);

/* Sets wanted for the kinds in names, including kinds that are read later.  NULL clears it. */
void netkind_want(struct netkinds *ks, const struct event_names *names);

/* Returns NULL if there is no such metadata. */
const struct netkind *netkind_find(const struct netkinds *ks, uint32_t id);

/* Finds a field in a payload.  Returns false if it is missing or has another type. */
bool netkind_number(const struct netkind *k, struct str payload, struct str name,
                    uint64_t *out);
bool netkind_text(const struct netkind *k, struct str payload, struct str name,
                  struct str *out);

/* Reads UTF-16 up to its NUL.  Returns UTF-8. */
struct str netkind_utf16(struct cursor *in, struct arena *a);

#endif

/*
 * netevent_kind - reads the kinds of events in a nettrace, and assigns roles to them.  Private to
 * reader/.
 *
 * A metadata row assigns an id to a kind of event, and describes the fields of its payload.  Rows
 * for events of the runtime lack names and fields, which are in netruntime.h.
 * Source for the events of machine-wide recorders: microsoft/perfview
 * src/TraceEvent/EventPipe/UniversalProviders.md.
 */
#ifndef READER_NETTRACE_NETEVENT_KIND_H
#define READER_NETTRACE_NETEVENT_KIND_H

#include "base/table.h"
#include "reader/event.h"
#include "reader/fields.h"
#include "reader/nettrace/netfield.h"

struct event_names;

enum netevent_kind_role {
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

struct netevent_kind {
	enum netevent_kind_role role;
	/*
	 * attr->name is "Provider/Event", or only "Event" for NET_VALUE.  The attr lives
	 * as long as ks->run.
	 */
	const struct attr *attr;
	size_t event_at; /* offset of the event's name in attr->name */
	bool wanted;     /* netevent_kind_want has selected the kind */
	struct netfields fields;
	unsigned pointer; /* size in bytes of an address in a payload */
	const char *row;  /* start of the kind's row in the bytes of the file */
};

struct netevent_kinds {
	struct arena *run;
	bool stackless;     /* events of this nettrace have no stacks */
	struct table by_id; /* metadata id -> index of kind + 1 */
	struct netevent_kind *kind;
	size_t n, cap;
	const struct attr **sampled; /* attrs of all NET_VALUE kinds, in file order */
	size_t nsampled, sampled_cap;
	const struct event_names *names; /* argument of the last netevent_kind_want */
};

/* Reads a metadata block.  Returns false if a part of the block is damaged. */
bool netevent_kind_read(struct netevent_kinds *ks, const struct netfile *nf,
                        const struct netblock *block);

/*
 * Sets `wanted` of all kinds that `names` selects, also of kinds that are read later.  NULL
 * selects no kind.
 */
void netevent_kind_want(struct netevent_kinds *ks, const struct event_names *names);

/* Returns the kind with that metadata id, or NULL. */
const struct netevent_kind *netevent_kind_find(const struct netevent_kinds *ks,
                                               uint32_t id);

/* Read a field of a payload.  Return false if the field is missing or has another type. */
bool netevent_kind_number(const struct netevent_kind *k, struct str payload,
                          struct str name, uint64_t *out);
bool netevent_kind_text(const struct netevent_kind *k, struct str payload,
                        struct str name, struct str *out);

/* Reads UTF-16 text and its NUL.  Returns UTF-8. */
struct str netevent_kind_utf16(struct cursor *in, struct arena *a);

#endif

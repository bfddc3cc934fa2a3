/*
 * netfile - splits a .nettrace file into blocks, and event blocks into events.  Private to
 * reader/.
 *
 * Versions 4 and 5 wrap every block into a FastSerialization object, and version 6 has plain
 * headers.  Sources: microsoft/perfview src/TraceEvent/EventPipe/, NetTraceFormat.md (6) and
 * NetTraceFormat_v5.md (4, 5).
 */
#ifndef READER_NETTRACE_NETFILE_H
#define READER_NETTRACE_NETFILE_H

#include "base/cursor.h"

/* The numbers of version 6. */
enum netblock_kind {
	NET_END,
	NET_TRACE,
	NET_EVENTS,
	NET_METADATA,
	NET_SEQUENCE_POINT,
	NET_STACKS,
	NET_THREADS,
	NET_REMOVE_THREADS,
	NET_LABELS,
	NET_OTHER, /* of a kind that is not known: skipped */
};

struct netblock {
	enum netblock_kind kind;
	struct str bytes; /* its payload, into the file */
	uint64_t at;      /* offset of its start in the file */
};

struct netfile {
	struct str bytes; /* all of the file */
	size_t at;        /* the next block */
	unsigned version; /* 4 to 6 */
	bool cut;         /* the file ends, or is damaged, at `at` */
	bool ended;       /* the mark of a complete file was met */
	unsigned damaged; /* number of places without a block */
	uint64_t damaged_at;

	/* From the trace block, which comes first. */
	uint64_t start_ticks, ticks_per_second;
	unsigned pointer; /* bytes of an address */
	int32_t pid;      /* -1: several processes, or unknown */
};

struct netevent {
	uint32_t metadata, stack, cpu;
	uint64_t thread; /* tid, or in version 6 an index of the threads */
	uint64_t writer; /* the thread that wrote it */
	/* counts the events of the writer, those it could not keep, too */
	uint32_t sequence;
	uint64_t ticks;
	struct str payload;
};

/* Iterates over the events of an event block, or in versions 4 and 5 of a metadata block. */
struct netevents {
	struct cursor in;
	unsigned version;
	bool compressed;
	struct netevent last; /* the source of numbers that an event omits */
	uint32_t payload;     /* bytes of the last payload */
};

bool netfile_bid(struct str head);

/* Returns false if it is not a nettrace, or has an unknown version.  *why has the reason. */
bool netfile_open(struct netfile *nf, struct str bytes, const char **why);

/*
 * Returns false at the end.  A truncated block is delivered up to the end of the file, with
 * nf->cut set.  After a damaged block, reading continues at the next one that can be found.
 */
bool netfile_next(struct netfile *nf, struct netblock *out);

/* Returns false if the block is too short for its header. */
bool netfile_events(struct netevents *it, const struct netfile *nf,
                    const struct netblock *block);

/* Returns false at the end.  in.bad is set if the block ends inside an event. */
bool netfile_next_event(struct netevents *it, struct netevent *out);

/* Returns the next n bytes.  If there are fewer, it is empty and in->bad is set. */
struct str netfile_take(struct cursor *in, uint64_t n);

/* A ULEB128 length, then UTF-8. */
struct str netfile_string(struct cursor *in);

#endif

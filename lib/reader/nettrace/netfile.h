/*
 * netfile - splits a .nettrace file into blocks, and event blocks into events.  Private to
 * reader/.
 *
 * Versions 4 and 5 use a FastSerialization object for every block.  Version 6 uses plain headers.
 * Sources: microsoft/perfview src/TraceEvent/EventPipe/, NetTraceFormat.md (6) and
 * NetTraceFormat_v5.md (4, 5).
 */
#ifndef READER_NETTRACE_NETFILE_H
#define READER_NETTRACE_NETFILE_H

#include "base/cursor.h"

/* Kinds of blocks, with the numbers of version 6. */
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
	NET_OTHER, /* a block of an unknown kind, which is skipped */
};

struct netblock {
	enum netblock_kind kind;
	struct str bytes; /* the payload.  Points into the file */
	uint64_t at;      /* offset of the block in the file */
};

struct netfile {
	struct str bytes; /* the whole file */
	size_t at;        /* offset of the next block */
	unsigned version; /* 4 to 6 */
	bool cut;         /* the file is truncated or damaged at `at` */
	bool ended;       /* the mark at the end of a complete file was read */
	unsigned damaged; /* number of damaged places */
	uint64_t damaged_at;

	/* The next fields are from the trace block, which comes first. */
	uint64_t start_ticks, ticks_per_second;
	unsigned pointer; /* bytes of an address */
	int32_t pid;      /* -1 if there are several processes, or if it is unknown */
};

struct netevent {
	uint32_t metadata, stack, cpu;
	uint64_t thread; /* tid, or in version 6 the index of a thread */
	uint64_t writer; /* the thread that wrote the event */
	/* Number of the event among the events of the writer, including lost events. */
	uint32_t sequence;
	uint64_t ticks;
	struct str payload;
};

/*
 * Iterates over the events of an event block.  In versions 4 and 5, it may be a metadata block.
 */
struct netevents {
	struct cursor in;
	unsigned version;
	bool compressed;
	struct netevent last; /* the last event, for numbers that the next one omits */
	uint32_t payload;     /* bytes of the last payload */
};

bool netfile_bid(struct str head);

/*
 * Reads the trace block.  Returns false with a reason in *why if the bytes are not a nettrace, or
 * have an unknown version.
 */
bool netfile_open(struct netfile *nf, struct str bytes, const char **why);

/*
 * Reads the next block.  Returns false at the end.  A truncated block is delivered up to the end
 * of the file, with nf->cut set.  After a damaged block, reading continues at the next block that
 * can be found.
 */
bool netfile_next(struct netfile *nf, struct netblock *out);

/* Begins to iterate over a block.  Returns false if the block is too short for its header. */
bool netfile_events(struct netevents *it, const struct netfile *nf,
                    const struct netblock *block);

/*
 * Reads the next event.  Returns false at the end.  it->in.bad is set if the block ends inside an
 * event.
 */
bool netfile_next_event(struct netevents *it, struct netevent *out);

/* Returns the next n bytes.  If fewer remain, returns an empty string and sets in->bad. */
struct str netfile_take(struct cursor *in, uint64_t n);

/* Reads a string: a ULEB128 length, then UTF-8. */
struct str netfile_string(struct cursor *in);

#endif

/*
 * netfile - splits a .nettrace file into blocks, and event blocks into events.  Private to
 * reader/.
 *
 * In versions 4 and 5, a block is a FastSerialization object.  In version 6, a block has a plain
 * header.  Sources: microsoft/perfview src/TraceEvent/EventPipe/, NetTraceFormat.md (6) and
 * NetTraceFormat_v5.md (4, 5).
 */
#ifndef READER_NETTRACE_NETFILE_H
#define READER_NETTRACE_NETFILE_H

#include "base/cursor.h"

/* Kinds of blocks.  The numbers are those of version 6. */
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
	struct str bytes; /* the payload, which is a part of netfile.bytes */
	uint64_t at;      /* offset of the block in the file */
};

struct netfile {
	struct str bytes; /* content of the file */
	size_t at;        /* offset of the next block */
	unsigned version; /* 4 to 6 */
	bool cut;         /* the file is truncated or damaged at `at` */
	bool ended;       /* the end mark of a complete file was read */
	unsigned damaged; /* number of damaged places */
	/* offset of the last damaged place */
	uint64_t damaged_at;

	/* Values from the trace block, which is the first block. */
	uint64_t start_ticks, ticks_per_second;
	unsigned pointer; /* size of an address in bytes */
	int32_t pid;      /* -1 if unknown, or if there are several processes */
};

struct netevent {
	uint32_t metadata, stack, cpu;
	uint64_t thread; /* tid.  In version 6: index of a thread */
	uint64_t writer; /* the thread that wrote the event */
	/* Number of the event among all events of its writer, including lost ones. */
	uint32_t sequence;
	uint64_t ticks;
	struct str payload;
};

/* Iterates over the events of an event block or, in versions 4 and 5, of a metadata block. */
struct netevents {
	struct cursor in;
	unsigned version;
	bool compressed;
	/* the last event.  The next event may omit numbers that did not change */
	struct netevent last;
	uint32_t payload; /* size of the last payload in bytes */
};

bool netfile_bid(struct str head);

/*
 * Reads the trace block.  Returns false if the bytes are not a nettrace, or if the version is
 * unknown.  Sets *why to the reason.
 */
bool netfile_open(struct netfile *nf, struct str bytes, const char **why);

/*
 * Reads the next block.  Returns false at the end.  If the block is truncated, returns its bytes
 * up to the end of the file, and sets nf->cut.  After a damaged block, continues at the next
 * block that it finds.
 */
bool netfile_next(struct netfile *nf, struct netblock *out);

/* Starts to iterate over a block.  Returns false if the block is shorter than its header. */
bool netfile_events(struct netevents *it, const struct netfile *nf,
                    const struct netblock *block);

/*
 * Reads the next event.  Returns false at the end.  If the block ends inside an event, sets
 * it->in.bad.
 */
bool netfile_next_event(struct netevents *it, struct netevent *out);

/* Returns the next n bytes.  If fewer bytes remain, returns an empty string and sets in->bad. */
struct str netfile_take(struct cursor *in, uint64_t n);

/* Reads a string: a ULEB128 length, and then UTF-8. */
struct str netfile_string(struct cursor *in);

#endif

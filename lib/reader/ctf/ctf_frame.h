/*
 * ctf_frame - the messages that CTF workers send.
 *
 * A frame is a block of a nettrace of version 6.  The first u32 contains the kind (highest byte)
 * and the size (three lower bytes).  The payload follows.  Blocks of events, metadata and threads
 * follow NetTraceFormat.md, so the reader of nettraces can read them.  The kinds below are used
 * only between a worker and this program.  Numbers are little-endian, as in every nettrace.
 */
#ifndef READER_CTF_CTF_FRAME_H
#define READER_CTF_CTF_FRAME_H

#include "reader/wireput.h"

enum ctf_frame_kind {
	CTF_FRAME_COMM = 0x40, /* i32 pid, and then the name of the process */
	CTF_FRAME_DAMAGE,      /* the reason why the stream was not read completely */
	CTF_FRAME_END,         /* empty payload.  The stream was read completely */
};

enum {
	CTF_FRAME_MOST = 1 << 20, /* maximum size of a payload in bytes */
	/* maximum size in bytes of an event's payload.  Longer payloads are truncated */
	CTF_FRAME_VALUE = 1 << 16,
	CTF_FRAME_WHY = 255, /* maximum length of a name or reason in bytes */
};

/* Types of sent fields, with the numbers of NetTraceFormat.md. */
enum ctf_frame_type {
	CTF_FRAME_I64 = 11,
	CTF_FRAME_U64 = 12,
	CTF_FRAME_F64 = 14,
	CTF_FRAME_UTF8 = 23,
};

/* Frames that were not sent yet. */
struct ctf_frames {
	int fd;      /* the pipe, or -1 to keep the bytes in memory */
	bool failed; /* the reader has closed the pipe */
	struct arena *arena;
	struct buffer rows, threads, events;
};

/* Sets all fields.  The memory of the frames is in the arena. */
void ctf_frame_begin(struct ctf_frames *f, int fd, struct arena *arena);

/* Appends a 16-bit length and the text, truncated to the maximum length. */
void ctf_frame_text(struct buffer *b, struct str text);
/* Appends the description of a field: its name, and its type (enum ctf_frame_type). */
void ctf_frame_field(struct buffer *b, struct str name, unsigned type);

/*
 * A kind of event, with provider and name as in a nettrace.  `fields` is filled by
 * ctf_frame_field.
 */
struct ctf_row {
	uint32_t metadata; /* number by which events refer to this row */
	/* id of a runtime event that has an ETW payload.  If it is 0, `name` is set. */
	uint32_t id;
	struct str provider, name;
	uint16_t nfields;
	struct str fields;
};

void ctf_frame_row(struct ctf_frames *f, const struct ctf_row *row);

/* Adds a thread, to which events refer by its index. */
void ctf_frame_thread(struct ctf_frames *f, uint32_t index, int32_t pid, int32_t tid);

struct ctf_event {
	uint32_t metadata, sequence, cpu;
	uint32_t thread; /* index of the thread */
	/* number of the stream.  `sequence` counts its events, including lost ones */
	uint64_t writer;
	uint64_t time_ns;
	struct str payload; /* at most CTF_FRAME_VALUE bytes */
};

void ctf_frame_event(struct ctf_frames *f, const struct ctf_event *ev);

void ctf_frame_comm(struct ctf_frames *f, int32_t pid, struct str comm);
void ctf_frame_damage(struct ctf_frames *f, struct str why);

/* Sends the remaining frames.  If `complete` is set, also sends CTF_FRAME_END. */
void ctf_frame_end(struct ctf_frames *f, bool complete);

#endif

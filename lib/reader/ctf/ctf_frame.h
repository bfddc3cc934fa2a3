/*
 * ctf_frame - the messages of the worker that reads CTF.
 *
 * A frame is a block of a nettrace of version 6: its kind in the highest byte of a u32, its bytes
 * in the lower three, then its payload.  Blocks of events, of metadata and of threads follow
 * NetTraceFormat.md, so the reader of nettraces can read them.  The kinds below exist only in
 * this pipe.  Numbers are little-endian, as in every nettrace.
 */
#ifndef READER_CTF_CTF_FRAME_H
#define READER_CTF_CTF_FRAME_H

#include "base/arena.h"

enum ctf_frame_kind {
	CTF_FRAME_COMM = 0x40, /* i32 pid, then the name of its program */
	CTF_FRAME_DAMAGE,      /* why the stream was not read to its end */
	CTF_FRAME_END,         /* empty: the stream was read to its end */
};

enum {
	CTF_FRAME_MOST = 1 << 20,  /* bytes of a payload */
	CTF_FRAME_VALUE = 1 << 16, /* bytes of an event's payload that are sent */
	CTF_FRAME_WHY = 255,       /* bytes of a name, or of why a stream was not read */
};

/* The types of NetTraceFormat.md that fields are sent as. */
enum ctf_frame_type {
	CTF_FRAME_I64 = 11,
	CTF_FRAME_U64 = 12,
	CTF_FRAME_F64 = 14,
	CTF_FRAME_UTF8 = 23,
};

/* Bytes of a frame, or of a part of one. */
struct ctf_bytes {
	char *p;
	size_t n, cap;
};

/* Frames that were not sent yet.  All zero but fd is an empty one. */
struct ctf_frames {
	int fd;      /* the pipe, or -1 to keep the bytes in memory */
	bool failed; /* the reader has closed it */
	struct arena arena;
	struct ctf_bytes rows, threads, events;
};

/* Append to b, in memory of a. */
void ctf_frame_put(struct ctf_bytes *b, struct arena *a, const void *p, size_t n);
void ctf_frame_u64(struct ctf_bytes *b, struct arena *a, uint64_t v);
void ctf_frame_uleb(struct ctf_bytes *b, struct arena *a, uint64_t v);
/* A length of 16 bits, then as many bytes of text as that can count. */
void ctf_frame_text(struct ctf_bytes *b, struct arena *a, struct str text);
/* A field of a row: its name, and one of ctf_frame_type. */
void ctf_frame_field(struct ctf_bytes *b, struct arena *a, struct str name,
                     unsigned type);

/*
 * A kind of event.  provider and name as in a nettrace, and nfields fields described by fields.
 */
struct ctf_row {
	uint32_t metadata; /* the number that its events have */
	/* of a runtime's event with a payload of ETW, else 0, with a name */
	uint32_t id;
	struct str provider, name;
	uint16_t nfields;
	struct str fields;
};

void ctf_frame_row(struct ctf_frames *f, const struct ctf_row *row);

/* A thread that events name by its index. */
void ctf_frame_thread(struct ctf_frames *f, uint32_t index, int32_t pid, int32_t tid);

struct ctf_event {
	uint32_t metadata, sequence, cpu;
	uint32_t thread; /* index */
	uint64_t writer; /* number of the stream, which counts its events in sequence */
	uint64_t time_ns;
	struct str payload; /* CTF_FRAME_VALUE bytes at most */
};

void ctf_frame_event(struct ctf_frames *f, const struct ctf_event *ev);

void ctf_frame_comm(struct ctf_frames *f, int32_t pid, struct str comm);
void ctf_frame_damage(struct ctf_frames *f, struct str why);

/* Sends the rest, and with complete that the stream was read to its end. */
void ctf_frame_end(struct ctf_frames *f, bool complete);

#endif

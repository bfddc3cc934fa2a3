#include "reader/ctf/ctf_frame.h"

#include <endian.h>

#include "base/out.h"
#include "reader/nettrace/netfile.h"

enum {
	FULL = 256 << 10, /* bytes after which a block is sent */
	/* size in bytes of a block's header: header size, flags, and two times */
	EVENTS_HEADER = 20,
	/* size in bytes of an uncompressed event's header, including the event size */
	EVENT_HEADER = 52,
	THREAD_PID = 2,
	THREAD_TID = 3,
};

static void put_u16(struct buffer *b, uint16_t v)
{
	v = htole16(v);
	buffer_put(b, (struct str){ (const char *)&v, sizeof(v) });
}

static void put_u32(struct buffer *b, uint32_t v)
{
	v = htole32(v);
	buffer_put(b, (struct str){ (const char *)&v, sizeof(v) });
}

void ctf_frame_text(struct buffer *b, struct str text)
{
	text = str_head(text, UINT16_MAX);
	put_u16(b, (uint16_t)text.n);
	buffer_put(b, text);
}

/* Appends the length of s as LEB128, and then the bytes of s. */
static void put_string(struct buffer *b, struct str s)
{
	wireput_varint(b, s.n);
	buffer_put(b, s);
}

void ctf_frame_field(struct buffer *b, struct str name, unsigned type)
{
	struct buffer row = { .arena = b->arena };
	char byte = (char)type;

	put_string(&row, str_head(name, 1 << 10));
	buffer_put(&row, (struct str){ &byte, 1 });
	put_u16(b, (uint16_t)row.n);
	buffer_put(b, buffer_str(&row));
}

void ctf_frame_begin(struct ctf_frames *f, int fd, struct arena *arena)
{
	struct buffer none = { .arena = arena };

	*f = (struct ctf_frames){ fd, false, arena, none, none, none };
}

static void send_bytes(struct ctf_frames *f, const char *p, size_t n)
{
	f->failed = f->failed || out_all(f->fd, (struct str){ p, n }) < 0;
}

static void send_frame(struct ctf_frames *f, unsigned kind, struct buffer *b)
{
	uint32_t head = htole32(kind << 24 | (uint32_t)b->n);

	if (f->fd < 0)
		return;
	send_bytes(f, (const char *)&head, sizeof(head));
	send_bytes(f, b->p, b->n);
	b->n = 0;
}

void ctf_frame_row(struct ctf_frames *f, const struct ctf_row *row)
{
	struct buffer one = { .arena = f->arena };

	wireput_varint(&one, row->metadata);
	put_string(&one, row->provider);
	wireput_varint(&one, row->id);
	put_string(&one, row->name);
	put_u16(&one, row->nfields);
	buffer_put(&one, row->fields);
	if (one.n > UINT16_MAX)
		return;
	if (!f->rows.n)
		put_u16(&f->rows, 0); /* size of the header */
	put_u16(&f->rows, (uint16_t)one.n);
	buffer_put(&f->rows, buffer_str(&one));
	if (f->rows.n >= FULL)
		send_frame(f, NET_METADATA, &f->rows);
}

void ctf_frame_thread(struct ctf_frames *f, uint32_t index, int32_t pid, int32_t tid)
{
	static const char kinds[] = { THREAD_PID, THREAD_TID };
	const int32_t numbers[] = { pid, tid };
	struct buffer one = { .arena = f->arena };

	wireput_varint(&one, index);
	for (size_t i = 0; i < sizeof(kinds); i++) {
		buffer_put(&one, (struct str){ &kinds[i], 1 });
		wireput_varint(&one, (uint32_t)numbers[i]);
	}
	put_u16(&f->threads, (uint16_t)one.n);
	buffer_put(&f->threads, buffer_str(&one));
	if (f->threads.n >= FULL)
		send_frame(f, NET_THREADS, &f->threads);
}

void ctf_frame_event(struct ctf_frames *f, const struct ctf_event *ev)
{
	struct str payload = str_head(ev->payload, CTF_FRAME_VALUE);
	struct buffer *b = &f->events;

	if (!b->n) {
		static const char rest[EVENTS_HEADER - 2] = { 0 };

		put_u16(b, EVENTS_HEADER);
		buffer_put(b, (struct str){ rest, sizeof(rest) });
	}
	put_u32(b, (uint32_t)(EVENT_HEADER - 4 + payload.n));
	put_u32(b, ev->metadata);
	put_u32(b, ev->sequence);
	wireput_fixed64(b, ev->thread);
	wireput_fixed64(b, ev->writer);
	put_u32(b, ev->cpu);
	put_u32(b, 0); /* no stack */
	wireput_fixed64(b, ev->time_ns);
	put_u32(b, 0); /* no labels */
	put_u32(b, (uint32_t)payload.n);
	buffer_put(b, payload);
	if (b->n >= FULL)
		send_frame(f, NET_EVENTS, b);
}

void ctf_frame_comm(struct ctf_frames *f, int32_t pid, struct str comm)
{
	struct buffer b = { .arena = f->arena };

	put_u32(&b, (uint32_t)pid);
	buffer_put(&b, str_head(comm, CTF_FRAME_WHY));
	send_frame(f, CTF_FRAME_COMM, &b);
}

void ctf_frame_damage(struct ctf_frames *f, struct str why)
{
	struct buffer b = { .arena = f->arena };

	buffer_put(&b, str_head(why, CTF_FRAME_WHY));
	send_frame(f, CTF_FRAME_DAMAGE, &b);
}

void ctf_frame_end(struct ctf_frames *f, bool complete)
{
	struct buffer none = { 0 };

	if (f->threads.n)
		send_frame(f, NET_THREADS, &f->threads);
	if (f->rows.n)
		send_frame(f, NET_METADATA, &f->rows);
	if (f->events.n)
		send_frame(f, NET_EVENTS, &f->events);
	if (complete)
		send_frame(f, CTF_FRAME_END, &none);
}

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

void ctf_frame_put(struct ctf_bytes *b, struct arena *a, const void *p, size_t n)
{
	arena_fit(a, b->p, b->n + n, b->cap);
	if (n)
		memcpy(b->p + b->n, p, n);
	b->n += n;
}

static void put_u16(struct ctf_bytes *b, struct arena *a, uint16_t v)
{
	v = htole16(v);
	ctf_frame_put(b, a, &v, sizeof(v));
}

static void put_u32(struct ctf_bytes *b, struct arena *a, uint32_t v)
{
	v = htole32(v);
	ctf_frame_put(b, a, &v, sizeof(v));
}

void ctf_frame_u64(struct ctf_bytes *b, struct arena *a, uint64_t v)
{
	v = htole64(v);
	ctf_frame_put(b, a, &v, sizeof(v));
}

static void put_uleb(struct ctf_bytes *b, struct arena *a, uint64_t v)
{
	char byte;

	for (; v > 0x7f; v >>= 7) {
		byte = (char)((v & 0x7f) | 0x80);
		ctf_frame_put(b, a, &byte, 1);
	}
	byte = (char)v;
	ctf_frame_put(b, a, &byte, 1);
}

void ctf_frame_text(struct ctf_bytes *b, struct arena *a, struct str text)
{
	text = str_head(text, UINT16_MAX);
	put_u16(b, a, (uint16_t)text.n);
	ctf_frame_put(b, a, text.p, text.n);
}

/* Appends the length of s as LEB128, and then the bytes of s. */
static void put_string(struct ctf_bytes *b, struct arena *a, struct str s)
{
	put_uleb(b, a, s.n);
	ctf_frame_put(b, a, s.p, s.n);
}

void ctf_frame_field(struct ctf_bytes *b, struct arena *a, struct str name, unsigned type)
{
	struct ctf_bytes row = { 0 };
	char byte = (char)type;

	put_string(&row, a, str_head(name, 1 << 10));
	ctf_frame_put(&row, a, &byte, 1);
	put_u16(b, a, (uint16_t)row.n);
	ctf_frame_put(b, a, row.p, row.n);
}

static void send_bytes(struct ctf_frames *f, const char *p, size_t n)
{
	f->failed = f->failed || out_all(f->fd, (struct str){ p, n }) < 0;
}

static void send_frame(struct ctf_frames *f, unsigned kind, struct ctf_bytes *b)
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
	struct ctf_bytes one = { 0 };
	struct arena *a = &f->arena;

	put_uleb(&one, a, row->metadata);
	put_string(&one, a, row->provider);
	put_uleb(&one, a, row->id);
	put_string(&one, a, row->name);
	put_u16(&one, a, row->nfields);
	ctf_frame_put(&one, a, row->fields.p, row->fields.n);
	if (one.n > UINT16_MAX)
		return;
	if (!f->rows.n)
		put_u16(&f->rows, a, 0); /* size of the header */
	put_u16(&f->rows, a, (uint16_t)one.n);
	ctf_frame_put(&f->rows, a, one.p, one.n);
	if (f->rows.n >= FULL)
		send_frame(f, NET_METADATA, &f->rows);
}

void ctf_frame_thread(struct ctf_frames *f, uint32_t index, int32_t pid, int32_t tid)
{
	static const char kinds[] = { THREAD_PID, THREAD_TID };
	const int32_t numbers[] = { pid, tid };
	struct ctf_bytes one = { 0 };

	put_uleb(&one, &f->arena, index);
	for (size_t i = 0; i < sizeof(kinds); i++) {
		ctf_frame_put(&one, &f->arena, &kinds[i], 1);
		put_uleb(&one, &f->arena, (uint32_t)numbers[i]);
	}
	put_u16(&f->threads, &f->arena, (uint16_t)one.n);
	ctf_frame_put(&f->threads, &f->arena, one.p, one.n);
	if (f->threads.n >= FULL)
		send_frame(f, NET_THREADS, &f->threads);
}

void ctf_frame_event(struct ctf_frames *f, const struct ctf_event *ev)
{
	struct str payload = str_head(ev->payload, CTF_FRAME_VALUE);
	struct ctf_bytes *b = &f->events;
	struct arena *a = &f->arena;

	if (!b->n) {
		static const char rest[EVENTS_HEADER - 2] = { 0 };

		put_u16(b, a, EVENTS_HEADER);
		ctf_frame_put(b, a, rest, sizeof(rest));
	}
	put_u32(b, a, (uint32_t)(EVENT_HEADER - 4 + payload.n));
	put_u32(b, a, ev->metadata);
	put_u32(b, a, ev->sequence);
	ctf_frame_u64(b, a, ev->thread);
	ctf_frame_u64(b, a, ev->writer);
	put_u32(b, a, ev->cpu);
	put_u32(b, a, 0); /* no stack */
	ctf_frame_u64(b, a, ev->time_ns);
	put_u32(b, a, 0); /* no labels */
	put_u32(b, a, (uint32_t)payload.n);
	ctf_frame_put(b, a, payload.p, payload.n);
	if (b->n >= FULL)
		send_frame(f, NET_EVENTS, b);
}

void ctf_frame_comm(struct ctf_frames *f, int32_t pid, struct str comm)
{
	struct ctf_bytes b = { 0 };

	put_u32(&b, &f->arena, (uint32_t)pid);
	ctf_frame_put(&b, &f->arena, comm.p, str_head(comm, CTF_FRAME_WHY).n);
	send_frame(f, CTF_FRAME_COMM, &b);
}

void ctf_frame_damage(struct ctf_frames *f, struct str why)
{
	struct ctf_bytes b = { 0 };

	ctf_frame_put(&b, &f->arena, why.p, str_head(why, CTF_FRAME_WHY).n);
	send_frame(f, CTF_FRAME_DAMAGE, &b);
}

void ctf_frame_end(struct ctf_frames *f, bool complete)
{
	struct ctf_bytes none = { 0 };

	if (f->threads.n)
		send_frame(f, NET_THREADS, &f->threads);
	if (f->rows.n)
		send_frame(f, NET_METADATA, &f->rows);
	if (f->events.n)
		send_frame(f, NET_EVENTS, &f->events);
	if (complete)
		send_frame(f, CTF_FRAME_END, &none);
}

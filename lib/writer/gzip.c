#include "writer/gzip.h"

#include <isa-l.h>

struct gzip {
	struct out *out;
	struct isal_zstream stream;
	uint8_t level[ISAL_DEF_LVL1_DEFAULT];
};

struct gzip *gzip_begin(struct out *o, struct arena *arena)
{
	struct gzip *z = arena_new(arena, struct gzip, 1);

	z->out = o;
	isal_deflate_init(&z->stream);
	z->stream.level = 1;
	z->stream.level_buf = z->level;
	z->stream.level_buf_size = sizeof(z->level);
	z->stream.gzip_flag = IGZIP_GZIP;
	return z;
}

/*
 * Compresses until all input is consumed.  At the end of the stream, continues until all output
 * is written.
 */
static void pump(struct gzip *z)
{
	struct isal_zstream *s = &z->stream;
	uint8_t packed[4096];

	do {
		s->next_out = packed;
		s->avail_out = sizeof(packed);
		isal_deflate(s);
		out_write(z->out, (const char *)packed, sizeof(packed) - s->avail_out);
	} while (!s->avail_out);
}

void gzip_write(struct gzip *z, const void *p, size_t n)
{
	enum { MOST = 1 << 30 };
	uint8_t *at = (uint8_t *)(uintptr_t)p;

	while (n) {
		size_t some = n < MOST ? n : MOST;

		z->stream.next_in = at;
		z->stream.avail_in = (uint32_t)some;
		pump(z);
		at += some;
		n -= some;
	}
}

void gzip_end(struct gzip *z)
{
	z->stream.next_in = NULL;
	z->stream.avail_in = 0;
	z->stream.end_of_stream = 1;
	pump(z);
}

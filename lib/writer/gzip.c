#include "writer/gzip.h"

#include <isa-l.h>

struct gzip {
	struct out *out;
	/*
	 * Bytes that isal_deflate will get.  Each call of isal_deflate moves about 30 KB of the
	 * stream's window, so it is not called for each field of a message.
	 */
	uint8_t held[1 << 16];
	size_t nheld;
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

static void pump_held(struct gzip *z)
{
	z->stream.next_in = z->held;
	z->stream.avail_in = (uint32_t)z->nheld;
	z->nheld = 0;
	pump(z);
}

void gzip_write(struct gzip *z, const void *p, size_t n)
{
	struct str rest = { p, n };

	while (rest.n) {
		struct str some = str_head(rest, sizeof(z->held) - z->nheld);

		memcpy(z->held + z->nheld, some.p, some.n);
		z->nheld += some.n;
		rest = str_from(rest, some.n);
		if (z->nheld == sizeof(z->held))
			pump_held(z);
	}
}

void gzip_end(struct gzip *z)
{
	z->stream.end_of_stream = 1;
	pump_held(z);
}

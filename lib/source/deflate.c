/*
 * gzip, RFC 1952: members that begin with 1f 8b follow each other; what follows the
 * last one and does not begin so is padding.  In it, and where deflate streams (RFC
 * 1951) stand alone, ISA-L unpacks: a collected archive is unpacked whole to be named,
 * and zlib took most of that time.
 */
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>

#include "source/inflate.h"

enum {
	PIECE_BYTES = 128 << 10,
	DEFLATE_MAX = 1032, /* times; no stream unpacks to more */
};

struct gunzip {
	struct inflate_state z;
	struct str rest;  /* not read yet */
	struct area room; /* what is left of it */
	bool ended;
	const char *error;
	uint8_t out[PIECE_BYTES];
};

bool gunzip_likely(struct str bytes)
{
	return str_starts(bytes, STR("\x1f\x8b\x08"));
}

static void begin_member(struct gunzip *z)
{
	isal_inflate_init(&z->z);
	z->z.crc_flag = ISAL_GZIP;
}

struct gunzip *gunzip_open(struct str bytes, struct area room)
{
	struct gunzip *z = gunzip_likely(bytes) ? malloc(sizeof(*z)) : NULL;

	if (!z)
		return NULL;
	z->rest = bytes;
	z->room = room;
	z->ended = false;
	z->error = NULL;
	begin_member(z);
	return z;
}

static const char *why(int error)
{
	switch (error) {
	case ISAL_INVALID_BLOCK:
		return "invalid deflate block";
	case ISAL_INVALID_SYMBOL:
		return "invalid deflate code";
	case ISAL_INVALID_LOOKBACK:
		return "invalid distance too far back";
	case ISAL_INCORRECT_CHECKSUM:
		return "incorrect data check";
	default:
		return "damaged gzip header";
	}
}

static int step(struct gunzip *z)
{
	uint32_t n = z->rest.n < 1 << 30 ? (uint32_t)z->rest.n : 1 << 30;
	int r;

	z->z.next_in = (uint8_t *)(uintptr_t)z->rest.p;
	z->z.avail_in = n;
	r = isal_inflate(&z->z);
	z->rest = str_from(z->rest, n - z->z.avail_in);
	return r;
}

/* One member has been read. */
static void next_member(struct gunzip *z)
{
	uint8_t *out = z->z.next_out;
	uint32_t room = z->z.avail_out;

	z->ended = !gunzip_likely(z->rest);
	if (z->ended)
		return;
	begin_member(z);
	z->z.next_out = out;
	z->z.avail_out = room;
}

struct str gunzip_next(struct gunzip *z)
{
	uint8_t *to = z->room.n ? (uint8_t *)z->room.p : z->out;
	uint32_t room = PIECE_BYTES;

	if (z->room.n && z->room.n < PIECE_BYTES)
		room = (uint32_t)z->room.n;
	z->z.next_out = to;
	z->z.avail_out = room;
	while (!z->ended && z->z.avail_out) {
		int r = step(z);

		if (r < 0)
			z->error = why(r);
		else if (z->z.block_state == ISAL_BLOCK_FINISH)
			next_member(z);
		else if (!z->rest.n && z->z.avail_out)
			z->error = "truncated gzip input";
		z->ended |= z->error != NULL;
	}
	room -= z->z.avail_out;
	if (z->room.n)
		z->room = (struct area){ z->room.p + room, z->room.n - room };
	return (struct str){ (char *)to, room };
}

const char *gunzip_error(const struct gunzip *z)
{
	return z->error;
}

void gunzip_close(struct gunzip *z)
{
	free(z);
}

uint32_t gzip_crc(struct str bytes)
{
	return crc32_gzip_refl(0, (const unsigned char *)bytes.p, bytes.n);
}

struct str deflate_unpack(struct str bytes, uint64_t size, bool whole, struct arena *a)
{
	struct inflate_state z;
	char *to;
	int r;

	if (!size || size > UINT32_MAX || bytes.n > UINT32_MAX ||
	    size / DEFLATE_MAX > bytes.n)
		return (struct str){ 0 };
	to = arena_new(a, char, size);
	isal_inflate_init(&z);
	z.next_in = (uint8_t *)(uintptr_t)bytes.p;
	z.avail_in = (uint32_t)bytes.n;
	z.next_out = (uint8_t *)to;
	z.avail_out = (uint32_t)size;
	r = isal_inflate_stateless(&z);
	if ((r == ISAL_DECOMP_OK || (!whole && r == ISAL_OUT_OVERFLOW)) && !z.avail_out)
		return (struct str){ to, size };
	return (struct str){ 0 };
}

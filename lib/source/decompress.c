/*
 * gzip, RFC 1952: one or more members, which begin with 1f 8b.  Other bytes after the last member
 * are padding.  ISA-L decompresses gzip, and also raw deflate streams (RFC 1951).  It is
 * used because zlib took most of the time that an archive needed.
 *
 * Zstandard, RFC 8878: 28 b5 2f fd, then blocks.
 *
 * xz, the .xz file format 1.1.0: fd 37 7a 58 5a 00, then blocks.
 */
#include "source/decompress.h"

#include <errno.h>
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <lzma.h>
#include <stdlib.h>
#include <zstd.h>

#include "base/buffer.h"

enum {
	GZIP_PIECE = 128 << 10,
	DEFLATE_MAX = 1032, /* maximum compression ratio of a deflate stream */
	/*
	 * bytes of input that ISA-L gets at a time near damage.  With so few bytes, ISA-L
	 * counts a match only after it has written the match
	 */
	EXACT_IN = 8,
	/* ISA-L reads less than this many bytes beyond the decoded bytes */
	READ_AHEAD = 64,
	PIECE_BYTES = 64 << 10,
	/* limit of the decoder's memory in bytes.  xz -9 needs 65 MiB */
	XZ_MEMORY = 128 << 20,
};

struct gunzip {
	/* state of ISA-L now, and before the last step */
	struct inflate_state z, before;
	struct str rest; /* input that was not read yet */
	char *room;      /* memory for the output, or NULL if `out` is used */
	size_t room_n;   /* free bytes of room */
	bool ended;
	const char *error;
	uint8_t out[GZIP_PIECE];
};

bool decompress_is_gzip(struct str bytes)
{
	return str_starts(bytes, STR("\x1f\x8b\x08"));
}

static void begin_member(struct gunzip *z, uint8_t *out, uint32_t room)
{
	isal_inflate_init(&z->z);
	z->z.crc_flag = ISAL_GZIP;
	z->z.next_out = out;
	z->z.avail_out = room;
}

struct gunzip *decompress_gzip_open(struct str bytes, char *room, size_t room_n)
{
	struct gunzip *z;

	if (!decompress_is_gzip(bytes))
		return NULL;
	z = arena_checked(malloc(sizeof(*z)));
	z->rest = bytes;
	z->room = room;
	z->room_n = room ? room_n : 0;
	z->ended = false;
	z->error = NULL;
	begin_member(z, NULL, 0);
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

static int inflate_some(struct gunzip *z, uint32_t most)
{
	uint32_t n = z->rest.n < most ? (uint32_t)z->rest.n : most;
	int r;

	z->z.next_in = (uint8_t *)(uintptr_t)z->rest.p;
	z->z.avail_in = n;
	r = isal_inflate(&z->z);
	z->rest = str_from(z->rest, n - z->z.avail_in);
	return r;
}

/*
 * Decompresses until ISA-L stops.  ISA-L counts a match before it detects an invalid code or
 * distance.  avail_in and avail_out are then too small or negative.  Therefore the input is
 * decompressed again, in small pieces near the damage, to count all bytes before the damage.
 */
static int step(struct gunzip *z)
{
	/* false if the header of the member was not read yet */
	bool begun = z->z.wrapper_flag;
	uint8_t *out = z->z.next_out;
	uint32_t room = z->z.avail_out, most;
	struct str rest = z->rest;
	int r;

	if (begun)
		z->before = z->z;
	r = inflate_some(z, 1 << 30);
	if (r != ISAL_INVALID_SYMBOL && r != ISAL_INVALID_LOOKBACK)
		return r;
	most = (uint32_t)(rest.n - z->rest.n);
	most = most > READ_AHEAD ? most - READ_AHEAD : EXACT_IN;
	z->rest = rest;
	if (begun)
		z->z = z->before;
	else
		begin_member(z, out, room);
	do {
		r = inflate_some(z, most);
		most = EXACT_IN;
	} while (r >= 0 && z->rest.n && z->z.avail_out &&
	         z->z.block_state != ISAL_BLOCK_FINISH);
	return r;
}

/* Starts the next member, or ends the file. */
static void next_member(struct gunzip *z)
{
	z->ended = !decompress_is_gzip(z->rest);
	if (!z->ended)
		begin_member(z, z->z.next_out, z->z.avail_out);
}

struct str decompress_gzip_next(struct gunzip *z)
{
	bool lent = z->room_n >= GZIP_PIECE;
	uint8_t *to = lent ? (uint8_t *)z->room : z->out;
	size_t n;

	z->z.next_out = to;
	z->z.avail_out = GZIP_PIECE;
	while (!z->ended && z->z.avail_out) {
		int r = step(z);

		if (r < 0) {
			z->error = why(r);
		} else if (z->z.block_state == ISAL_BLOCK_FINISH) {
			next_member(z);
			/*
			 * ISA-L decompresses up to sizeof(tmp_out_buffer) bytes ahead.
			 * If the input is damaged, ISA-L drops these bytes, unless the
			 * output has room for all of them.  So continue only with this room.
			 */
			if (z->z.avail_out < sizeof(z->z.tmp_out_buffer))
				break;
		} else if (!z->rest.n && z->z.avail_out) {
			z->error = "truncated gzip input";
		}
		z->ended |= z->error != NULL;
	}
	n = (size_t)(z->z.next_out - to);
	if (lent) {
		z->room += n;
		z->room_n -= n;
	}
	return (struct str){ (char *)to, n };
}

const char *decompress_gzip_error(const struct gunzip *z)
{
	return z->error;
}

void decompress_gzip_close(struct gunzip *z)
{
	free(z);
}

uint32_t decompress_crc32(struct str bytes)
{
	return crc32_gzip_refl(0, (const unsigned char *)bytes.p, bytes.n);
}

struct str decompress_deflate(struct str bytes, uint64_t size, bool whole,
                              struct arena *a)
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

/* Converts a handle of this module to the type of libzstd. */
static ZSTD_DStream *stream(struct zstd *z)
{
	return (ZSTD_DStream *)(void *)z;
}

struct zstd *decompress_zstd_open(void)
{
	errno = 0;
	return arena_checked(ZSTD_createDStream());
}

int decompress_zstd_step(struct zstd *z, struct str *in, char *out, size_t *n)
{
	ZSTD_inBuffer from = { in->p, in->n, 0 };
	ZSTD_outBuffer to = { out, *n, 0 };
	size_t got = ZSTD_decompressStream(stream(z), &to, &from);

	*in = str_from(*in, from.pos);
	*n = to.pos;
	return ZSTD_isError(got) ? -1 : 0;
}

void decompress_zstd_restart(struct zstd *z)
{
	ZSTD_DCtx_reset(stream(z), ZSTD_reset_session_only);
}

void decompress_zstd_close(struct zstd *z)
{
	ZSTD_freeDStream(stream(z));
}

struct str decompress_xz(struct str bytes, size_t max, struct arena *a)
{
	lzma_stream z = LZMA_STREAM_INIT;
	arena_scope(scratch);
	size_t cap = 0, n = 0;
	struct str out = { 0 };
	char *to = NULL;
	lzma_ret r = LZMA_OK;

	if (max / DECOMPRESS_RATIO > bytes.n)
		max = bytes.n * DECOMPRESS_RATIO;
	errno = 0;
	if (lzma_stream_decoder(&z, XZ_MEMORY, 0) != LZMA_OK) {
		arena_checked(NULL);
		return out;
	}
	z.next_in = (const uint8_t *)bytes.p;
	z.avail_in = bytes.n;
	while (r == LZMA_OK && n < max) {
		arena_fit(&scratch, to, n + PIECE_BYTES, cap);
		z.next_out = (uint8_t *)to + n;
		z.avail_out = PIECE_BYTES;
		r = lzma_code(&z, LZMA_FINISH);
		n += PIECE_BYTES - z.avail_out;
	}
	lzma_end(&z);
	if (r == LZMA_STREAM_END && n <= max)
		out = arena_str(a, (struct str){ to, n });
	return out;
}

static struct str zstd_unpack(struct str bytes, size_t max, struct arena *a)
{
	struct zstd *z = decompress_zstd_open();
	arena_scope(scratch);
	struct str out = { 0 };
	size_t cap = 0, n = 0, got;
	char *to = NULL;
	int r = 0;

	do {
		arena_fit(&scratch, to, n + PIECE_BYTES, cap);
		got = PIECE_BYTES;
		r = z ? decompress_zstd_step(z, &bytes, to + n, &got) : -1;
		n += got;
	} while (r >= 0 && n <= max && (bytes.n || got == PIECE_BYTES));
	if (r >= 0 && n && n <= max)
		out = arena_str(a, (struct str){ to, n });
	decompress_zstd_close(z);
	return out;
}

static struct str gzip_unpack(struct str bytes, size_t max, struct arena *a)
{
	struct gunzip *z = decompress_gzip_open(bytes, NULL, 0);
	arena_scope(scratch);
	struct buffer all = { .arena = &scratch };
	struct str out = { 0 }, got;

	while (z && all.n <= max && (got = decompress_gzip_next(z)).n)
		buffer_put(&all, got);
	if (z && all.n && all.n <= max && !decompress_gzip_error(z))
		out = arena_str(a, buffer_str(&all));
	decompress_gzip_close(z);
	return out;
}

struct str decompress_file(struct str bytes, size_t max, struct arena *a)
{
	if (max / DECOMPRESS_RATIO > bytes.n)
		max = bytes.n * DECOMPRESS_RATIO;
	if (str_starts(bytes, STR("\x28\xb5\x2f\xfd")))
		return zstd_unpack(bytes, max, a);
	if (str_starts(bytes, STR("\x1f\x8b")))
		return gzip_unpack(bytes, max, a);
	return decompress_xz(bytes, max, a);
}

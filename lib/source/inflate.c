/*
 * Zstandard, RFC 8878: 28 b5 2f fd, then blocks.
 *
 * gzip, RFC 1952: members that begin with 1f 8b follow each other; what follows the
 * last one and does not begin so is padding.
 *
 * xz, the .xz file format 1.1.0: fd 37 7a 58 5a 00, then blocks.
 */
#include "source/inflate.h"

#include <lzma.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

/* The handle is libzstd's own under our name: there is nothing to add. */
static ZSTD_DStream *stream(struct inflate *z)
{
	return (ZSTD_DStream *)(void *)z;
}

struct inflate *inflate_open(void)
{
	return (struct inflate *)(void *)ZSTD_createDStream();
}

int inflate_step(struct inflate *z, struct str *in, char *out, size_t *n)
{
	ZSTD_inBuffer from = { in->p, in->n, 0 };
	ZSTD_outBuffer to = { out, *n, 0 };
	size_t got = ZSTD_decompressStream(stream(z), &to, &from);

	*in = str_from(*in, from.pos);
	*n = to.pos;
	return ZSTD_isError(got) ? -1 : 0;
}

void inflate_restart(struct inflate *z)
{
	ZSTD_DCtx_reset(stream(z), ZSTD_reset_session_only);
}

void inflate_close(struct inflate *z)
{
	ZSTD_freeDStream(stream(z));
}

enum {
	PIECE_BYTES = 64 << 10,
	WINDOW_GZIP = 15 + 16, /* the largest window, with a gzip header */
};

struct gunzip {
	z_stream z;
	struct str rest; /* not read yet */
	bool ended;
	const char *error;
	unsigned char out[PIECE_BYTES];
};

static bool is_gzip(struct str bytes)
{
	return str_starts(bytes, STR("\x1f\x8b\x08"));
}

struct gunzip *gunzip_open(struct str bytes)
{
	struct gunzip *z = is_gzip(bytes) ? calloc(1, sizeof(*z)) : NULL;

	if (z && inflateInit2(&z->z, WINDOW_GZIP) != Z_OK) {
		free(z);
		return NULL;
	}
	if (z)
		z->rest = bytes;
	return z;
}

static int step(struct gunzip *z)
{
	uInt n = z->rest.n < 1 << 30 ? (uInt)z->rest.n : 1 << 30;
	int r;

	z->z.next_in = (Bytef *)(uintptr_t)z->rest.p;
	z->z.avail_in = n;
	r = inflate(&z->z, Z_NO_FLUSH);
	z->rest = str_from(z->rest, n - z->z.avail_in);
	return r;
}

struct str gunzip_next(struct gunzip *z)
{
	z->z.next_out = z->out;
	z->z.avail_out = PIECE_BYTES;
	while (!z->ended && z->z.avail_out) {
		int r = step(z);

		if (r == Z_STREAM_END && is_gzip(z->rest))
			inflateReset(&z->z);
		else if (r == Z_STREAM_END)
			z->ended = true;
		else if (r == Z_BUF_ERROR && !z->rest.n)
			z->error = "truncated gzip input";
		else if (r != Z_OK)
			z->error = z->z.msg ? z->z.msg : "damaged gzip input";
		z->ended |= z->error != NULL;
	}
	return (struct str){ (char *)z->out, PIECE_BYTES - z->z.avail_out };
}

const char *gunzip_error(const struct gunzip *z)
{
	return z->error;
}

void gunzip_close(struct gunzip *z)
{
	if (!z)
		return;
	inflateEnd(&z->z);
	free(z);
}

enum { XZ_MEMORY = 128 << 20 }; /* of the decoder; xz -9 takes 65 MiB */

struct str xz_unpack(struct str bytes, size_t max, struct arena *a)
{
	lzma_stream z = LZMA_STREAM_INIT;
	struct arena scratch = { 0 };
	size_t cap = 0, n = 0;
	struct str out = { 0 };
	char *to = NULL;
	lzma_ret r = LZMA_OK;

	if (max / PACKED_MAX > bytes.n)
		max = bytes.n * PACKED_MAX;
	if (lzma_stream_decoder(&z, XZ_MEMORY, 0) != LZMA_OK)
		return out;
	z.next_in = (const uint8_t *)bytes.p;
	z.avail_in = bytes.n;
	while (r == LZMA_OK && n < max) {
		to = arena_grow(&scratch, to, &cap, n + PIECE_BYTES, 1);
		z.next_out = (uint8_t *)to + n;
		z.avail_out = PIECE_BYTES;
		r = lzma_code(&z, LZMA_FINISH);
		n += PIECE_BYTES - z.avail_out;
	}
	lzma_end(&z);
	if (r == LZMA_STREAM_END && n <= max)
		out = arena_str(a, (struct str){ to, n });
	arena_release(&scratch);
	return out;
}

enum { DEFLATE_MAX = 1032 }; /* times; no stream unpacks to more */

struct str deflate_unpack(struct str bytes, uint64_t size, bool whole, struct arena *a)
{
	struct str out = { 0 };
	z_stream z = { 0 };
	char *to;
	int r;

	if (!size || size > UINT32_MAX || bytes.n > UINT32_MAX ||
	    size / DEFLATE_MAX > bytes.n || inflateInit2(&z, -MAX_WBITS) != Z_OK)
		return out;
	to = arena_new(a, char, size);
	z.next_in = (Bytef *)(uintptr_t)bytes.p;
	z.avail_in = (uInt)bytes.n;
	z.next_out = (Bytef *)to;
	z.avail_out = (uInt)size;
	r = inflate(&z, Z_FINISH);
	if ((r == Z_STREAM_END || (!whole && r == Z_BUF_ERROR)) && !z.avail_out)
		out = (struct str){ to, size };
	inflateEnd(&z);
	return out;
}

static struct str zstd_unpack(struct str bytes, size_t max, struct arena *a)
{
	struct inflate *z = inflate_open();
	struct arena scratch = { 0 };
	struct str out = { 0 };
	size_t cap = 0, n = 0, got;
	char *to = NULL;
	int r = 0;

	do {
		to = arena_grow(&scratch, to, &cap, n + PIECE_BYTES, 1);
		got = PIECE_BYTES;
		r = z ? inflate_step(z, &bytes, to + n, &got) : -1;
		n += got;
	} while (r >= 0 && n <= max && (bytes.n || got == PIECE_BYTES));
	if (r >= 0 && n && n <= max)
		out = arena_str(a, (struct str){ to, n });
	inflate_close(z);
	arena_release(&scratch);
	return out;
}

static struct str gzip_unpack(struct str bytes, size_t max, struct arena *a)
{
	struct gunzip *z = gunzip_open(bytes);
	struct arena scratch = { 0 };
	struct str out = { 0 }, got;
	size_t cap = 0, n = 0;
	char *to = NULL;

	while (z && n <= max && (got = gunzip_next(z)).n) {
		to = arena_grow(&scratch, to, &cap, n + got.n, 1);
		memcpy(to + n, got.p, got.n);
		n += got.n;
	}
	if (z && n && n <= max && !gunzip_error(z))
		out = arena_str(a, (struct str){ to, n });
	gunzip_close(z);
	arena_release(&scratch);
	return out;
}

struct str file_unpack(struct str bytes, size_t max, struct arena *a)
{
	if (max / PACKED_MAX > bytes.n)
		max = bytes.n * PACKED_MAX;
	if (str_starts(bytes, STR("\x28\xb5\x2f\xfd")))
		return zstd_unpack(bytes, max, a);
	if (str_starts(bytes, STR("\x1f\x8b")))
		return gzip_unpack(bytes, max, a);
	return xz_unpack(bytes, max, a);
}

/*
 * Zstandard, RFC 8878: 28 b5 2f fd, then blocks.
 *
 * xz, the .xz file format 1.1.0: fd 37 7a 58 5a 00, then blocks.
 */
#include "source/inflate.h"

#include <lzma.h>
#include <stdlib.h>
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
	XZ_MEMORY = 128 << 20, /* of the decoder; xz -9 takes 65 MiB */
};

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
	struct gunzip *z = gunzip_open(bytes, (struct area){ 0 });
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

/* Zstandard, RFC 8878: 28 b5 2f fd, then blocks. */
#include "source/inflate.h"

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

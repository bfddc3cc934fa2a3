/*
 * A COMPRESSED record (81) contains only zstd bytes.  A COMPRESSED2 record (83, perf 6.16)
 * contains the size of the zstd bytes as a u64, these bytes, and padding to a multiple of 8.
 *
 * perf 6.16 and 6.17 nest COMPRESSED2 records: if the bytes do not fit into one record, the outer
 * record contains all pieces.  Each piece except for the first has its own header.
 */
#include "reader/perfdata/unpack.h"

enum {
	/* maximum number of bytes that perf puts into one record */
	PIECE_MAX = 65536 - 16 - 1,
	PIECE_HEAD = 16,
	RATIO_MAX = 1024, /* maximum output per input byte, in addition to START_MAX */
	/*
	 * number of bytes that are decompressed at once.  It is constant, so damage is
	 * always found at the same position
	 */
	STEP = 64 << 10,
};

#define START_MAX ((uint64_t)16 << 20)

void unpack_drop(struct unpack *u)
{
	chunk_release(u->chunks, u->current);
	u->current = 0;
	u->pos = 0;
}

static const char *inflate_piece(struct unpack *u, uint32_t chunk, struct str in)
{
	struct chunk *k = &u->chunks->k[chunk];
	size_t got = STEP;

	u->in += in.n;
	while (in.n || got == STEP) {
		chunk_room(u->chunks, chunk, STEP);
		got = STEP;
		if (decompress_zstd_step(u->stream, &in, k->p + k->n, &got) < 0)
			return "compressed data are damaged";
		k->n += got;
		u->out += got;
		if (u->out > START_MAX + u->in * RATIO_MAX)
			return "compressed data unpack to an unreasonable size";
	}
	return NULL;
}

/* Takes the next piece of a record's bytes, as described at the top of this file. */
static struct str take_piece(struct str *bytes, bool first, bool swap)
{
	struct cursor c = cur_over(*bytes, swap);
	size_t n = bytes->n;
	struct str piece;

	if (first) {
		c = cur_over(str_from(*bytes, PIECE_MAX), swap);
		if (cur_u32(&c) == REC_COMPRESSED2)
			n = PIECE_MAX;
	} else {
		cur_take(&c, 6);
		n = cur_u16(&c);
		*bytes = str_from(*bytes, PIECE_HEAD);
		n = n > PIECE_HEAD ? n - PIECE_HEAD : 0;
	}
	piece = str_head(*bytes, n);
	*bytes = str_from(*bytes, n);
	return piece;
}

static const char *inflate_record(struct unpack *u, uint32_t k, const struct record *r,
                                  bool swap)
{
	struct str bytes = r->body, piece;
	struct cursor c = cur_over(r->body, swap);
	const char *wrong;
	uint64_t n;

	if (r->type == REC_COMPRESSED)
		return inflate_piece(u, k, bytes);
	n = cur_u64(&c);
	bytes = str_from(bytes, 8);
	if (c.bad)
		return "compressed record without a size";
	if (n < bytes.n)
		bytes = str_head(bytes, n);
	piece = take_piece(&bytes, true, swap);
	wrong = inflate_piece(u, k, piece);
	while (!wrong && bytes.n) {
		piece = take_piece(&bytes, false, swap);
		wrong = inflate_piece(u, k, piece);
	}
	if (!wrong && n > r->body.n)
		wrong = "compressed record longer than itself";
	return wrong;
}

/*
 * Returns true if the record can be decompressed.  After damage, it must begin with a new zstd
 * frame.
 */
static bool is_readable(struct unpack *u, const struct record *r)
{
	size_t skip = r->type == REC_COMPRESSED2 ? 8 : 0;

	if (!u->broken)
		return true;
	if (!str_starts(str_from(r->body, skip), STR("\x28\xb5\x2f\xfd")))
		return false;
	decompress_zstd_restart(u->stream);
	unpack_drop(u);
	u->broken = false;
	return true;
}

const char *unpack_add(struct unpack *u, const struct record *r, uint64_t at,
                       size_t input, bool swap)
{
	const char *wrong;
	struct chunk *k;
	struct str tail;
	uint32_t i;

	if (!u->stream && !(u->stream = decompress_zstd_open()))
		return "not enough memory to decompress";
	if (!is_readable(u, r))
		return NULL;
	tail = unpack_left(u);
	i = chunk_take(u->chunks, tail.n + STEP);
	k = &u->chunks->k[i];
	k->at = at;
	k->input = (uint32_t)input;
	if (tail.n)
		memcpy(k->p, tail.p, tail.n);
	k->n = tail.n;
	unpack_drop(u);
	u->current = i;
	wrong = inflate_record(u, i, r, swap);
	u->broken = wrong != NULL;
	return wrong;
}

void unpack_restart(struct unpack *u)
{
	unpack_drop(u);
	u->in = u->out = 0;
	u->broken = false;
	if (u->stream)
		decompress_zstd_restart(u->stream);
}

void unpack_close(struct unpack *u)
{
	decompress_zstd_close(u->stream);
	u->stream = NULL;
}

/*
 * decompress - unpacks the formats that libarchive does not: the only user of libzstd, of
 * liblzma, and of ISA-L for gzip and deflate.
 *
 * A zstd stream comes in pieces, as in the records of perf.data.  They are fed in order, and a
 * frame may begin and end anywhere.
 */
#ifndef SOURCE_DECOMPRESS_H
#define SOURCE_DECOMPRESS_H

#include "base/arena.h"

struct zstd;

/* Returns NULL if there is no memory. */
struct zstd *decompress_zstd_open(void);

/*
 * Reads from the front of *in, writes at most *n bytes to out, and sets *n to their number.  Call
 * it again while *in is not empty or *n was the whole room.  Returns -1 if it is not zstd, or
 * damaged.  Then only decompress_zstd_restart helps.
 */
int decompress_zstd_step(struct zstd *z, struct str *in, char *out, size_t *n);

/* Forgets the state.  The next piece begins a stream. */
void decompress_zstd_restart(struct zstd *z);

/* Accepts NULL. */
void decompress_zstd_close(struct zstd *z);

/*
 * A gzip file in memory, piece by piece up to a truncation.  libarchive's own gzip filter returns
 * blocks of 64 KiB and drops the block in which the file ends early, which can be all of a small
 * archive.
 */
struct gunzip;

/* These bytes begin a gzip file. */
bool decompress_is_gzip(struct str bytes);

/*
 * Returns NULL if these bytes are not the start of a gzip file, or if memory runs out.  room,
 * which may be NULL, is filled first, as long as 128 KiB of its room_n bytes are left.
 */
struct gunzip *decompress_gzip_open(struct str bytes, char *room, size_t room_n);

/* Returns the next bytes, empty at the end.  Valid until the next call, or as long as room. */
struct str decompress_gzip_next(struct gunzip *z);

/* Returns why the end came early, or NULL. */
const char *decompress_gzip_error(const struct gunzip *z);

/* Accepts NULL. */
void decompress_gzip_close(struct gunzip *z);

/*
 * Unpacks an xz file in memory.  Empty if it is damaged or unpacks to more than max bytes, or to
 * more than DECOMPRESS_RATIO times its size.
 */
enum { DECOMPRESS_RATIO = 256 };
struct str decompress_xz(struct str bytes, size_t max, struct arena *a);

/* Unpacks an xz, zstd or gzip file, detected by its first bytes. */
struct str decompress_file(struct str bytes, size_t max, struct arena *a);

/* The CRC-32 of RFC 1952, which debug links have, too. */
uint32_t decompress_crc32(struct str bytes);

/*
 * Unpacks size bytes of a deflate stream without a header.  Empty if it has fewer or is damaged
 * before.  whole: the stream must end there.
 */
struct str decompress_deflate(struct str bytes, uint64_t size, bool whole,
                              struct arena *a);

#endif

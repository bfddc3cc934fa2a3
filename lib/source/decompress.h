/*
 * decompress - unpacks the formats that libarchive does not unpack.  Only this module
 * uses libzstd, liblzma, and ISA-L for gzip and deflate.
 *
 * A zstd stream comes in pieces, as in the records of perf.data.  The pieces are passed
 * in order.  A frame may begin and end anywhere.
 */
#ifndef SOURCE_DECOMPRESS_H
#define SOURCE_DECOMPRESS_H

#include "base/arena.h"

struct zstd;

/* Returns NULL if memory runs out. */
struct zstd *decompress_zstd_open(void);

/*
 * Unpacks bytes from the front of *in to `out`, which has room for *n bytes.  Sets *n to
 * the number of bytes written.  Call it again while *in is not empty or `out` was filled.
 * Returns -1 if the input is not zstd or is damaged.  Then call decompress_zstd_restart
 * before the next piece.
 */
int decompress_zstd_step(struct zstd *z, struct str *in, char *out, size_t *n);

/* Discards the state.  The next piece must begin a stream. */
void decompress_zstd_restart(struct zstd *z);

/* Accepts NULL. */
void decompress_zstd_close(struct zstd *z);

/*
 * Unpacks a gzip file in memory, piece by piece, up to a truncation.  libarchive's own
 * gzip filter returns blocks of 64 KiB.  If the file is truncated, it drops the last
 * block, which can be all of a small archive.
 */
struct gunzip;

/* Returns true if these bytes begin a gzip file. */
bool decompress_is_gzip(struct str bytes);

/*
 * Returns NULL if the bytes do not begin a gzip file, or if memory runs out.  room: is
 * filled with the first bytes, as long as 128 KiB of its room_n bytes are left.  It may
 * be NULL.
 */
struct gunzip *decompress_gzip_open(struct str bytes, char *room, size_t room_n);

/*
 * Returns the next bytes, or an empty string at the end.  They are valid until the next
 * call, or as long as `room` if they are in it.
 */
struct str decompress_gzip_next(struct gunzip *z);

/* Returns the reason why the end came early, or NULL. */
const char *decompress_gzip_error(const struct gunzip *z);

/* Accepts NULL. */
void decompress_gzip_close(struct gunzip *z);

/*
 * Unpacks an xz file in memory.  Returns an empty string if it is damaged, or unpacks to
 * more than max bytes or to more than DECOMPRESS_RATIO times its size.
 */
enum { DECOMPRESS_RATIO = 256 };
struct str decompress_xz(struct str bytes, size_t max, struct arena *a);

/* Unpacks an xz, zstd or gzip file.  The format is detected by the first bytes. */
struct str decompress_file(struct str bytes, size_t max, struct arena *a);

/* Returns the CRC-32 of RFC 1952, which is also used in debug links. */
uint32_t decompress_crc32(struct str bytes);

/*
 * Unpacks `size` bytes of a deflate stream without a header.  Returns an empty string if
 * the stream has fewer bytes or is damaged.  whole: the stream must end after these
 * bytes.
 */
struct str decompress_deflate(struct str bytes, uint64_t size, bool whole,
                              struct arena *a);

#endif

/*
 * decompress - decompresses data without libarchive.  Only this module uses libzstd, liblzma, and
 * ISA-L (for gzip and deflate).
 *
 * A zstd stream may consist of pieces, as in records of perf.data.  The caller passes the pieces
 * in order.  Frames may begin and end anywhere in a piece.
 */
#ifndef SOURCE_DECOMPRESS_H
#define SOURCE_DECOMPRESS_H

#include "base/arena.h"

struct zstd;

/* Returns NULL if memory runs out. */
struct zstd *decompress_zstd_open(void);

/*
 * Decompresses bytes from the start of *in to `out`, which has room for *n bytes.  Sets *n to the
 * number of bytes written.  Call it again while *in is not empty, or if `out` was filled.  If the
 * input is damaged or not zstd, returns -1.  The caller must then call decompress_zstd_restart
 * before the next piece.
 */
int decompress_zstd_step(struct zstd *z, struct str *in, char *out, size_t *n);

/* Resets the state.  The next piece must start a new stream. */
void decompress_zstd_restart(struct zstd *z);

/* z may be NULL. */
void decompress_zstd_close(struct zstd *z);

/*
 * Decompresses a gzip file in memory, piece by piece.  If the file is truncated, decompresses the
 * existing part.  libarchive's own filter would drop the last block of 64 KiB of a truncated
 * file, and a small archive may have only one block.
 */
struct gunzip;

/* Returns true if `bytes` is the start of a gzip file. */
bool decompress_is_gzip(struct str bytes);

/*
 * Opens a gzip file.  Returns NULL if the bytes are not the start of a gzip file, or if memory
 * runs out.  room: memory for the first decompressed bytes.  It is used while at least 128 KiB of
 * its room_n bytes are free.  It may be NULL.
 */
struct gunzip *decompress_gzip_open(struct str bytes, char *room, size_t room_n);

/*
 * Returns the next bytes, or an empty string at the end.  Bytes in `room` stay valid.  Other
 * bytes are valid until the next call.
 */
struct str decompress_gzip_next(struct gunzip *z);

/* Returns the reason why the data ended early, or NULL. */
const char *decompress_gzip_error(const struct gunzip *z);

/* z may be NULL. */
void decompress_gzip_close(struct gunzip *z);

/*
 * Decompresses an xz file in memory.  Returns an empty string if the file is damaged, or if the
 * result exceeds max bytes or DECOMPRESS_RATIO times the size of the file.
 */
enum { DECOMPRESS_RATIO = 256 };
struct str decompress_xz(struct str bytes, size_t max, struct arena *a);

/* Decompresses an xz, zstd or gzip file.  The first bytes determine the format. */
struct str decompress_file(struct str bytes, size_t max, struct arena *a);

/* Returns the CRC-32 of RFC 1952, as used in .gnu_debuglink. */
uint32_t decompress_crc32(struct str bytes);

/*
 * Decompresses a raw deflate stream to `size` bytes.  Returns an empty string if the stream
 * contains fewer bytes or is damaged.  whole: true if the stream must end after these bytes.
 */
struct str decompress_deflate(struct str bytes, uint64_t size, bool whole,
                              struct arena *a);

#endif

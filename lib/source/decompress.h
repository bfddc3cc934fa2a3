/*
 * decompress - unpacks what libarchive does not: the one user of libzstd, of liblzma, and
 * of ISA-L for gzip and deflate.
 *
 * A zstd stream comes in pieces, as the records of perf.data: they are fed in order,
 * and a frame may begin and end anywhere.
 */
#ifndef SOURCE_DECOMPRESS_H
#define SOURCE_DECOMPRESS_H

#include "base/arena.h"

struct zstd;

/* NULL: no memory. */
struct zstd *decompress_zstd_open(void);

/*
 * Takes from the front of *in and writes at most *n bytes to out; *n becomes how
 * many were written.  Call again while *in is not empty or *n was all there was
 * room for.  -1: no zstd, or damaged; only decompress_zstd_restart helps then.
 */
int decompress_zstd_step(struct zstd *z, struct str *in, char *out, size_t *n);

/* Forgets everything; the next piece begins a stream. */
void decompress_zstd_restart(struct zstd *z);

/* Accepts NULL. */
void decompress_zstd_close(struct zstd *z);

/*
 * A gzip file in memory, piece by piece up to where it is cut.  libarchive's own gzip
 * filter gives blocks of 64 KiB and forgets the one in which the file ends early: of
 * a small archive that is all.
 */
struct gunzip;

/* These bytes begin a gzip file. */
bool decompress_is_gzip(struct str bytes);

/*
 * NULL: these bytes begin no gzip file, or no memory.  room, which may be NULL, is filled
 * first, as long as 128 KiB of its room_n bytes are left.
 */
struct gunzip *decompress_gzip_open(struct str bytes, char *room, size_t room_n);

/* The next bytes; none at the end.  Valid until the next call, or as long as room. */
struct str decompress_gzip_next(struct gunzip *z);

/* Why the end came early; NULL when it did not, or has not come. */
const char *decompress_gzip_error(const struct gunzip *z);

/* Accepts NULL. */
void decompress_gzip_close(struct gunzip *z);

/*
 * An xz file in memory, whole; none when it is damaged or unpacks to more than max
 * bytes, or to more than DECOMPRESS_RATIO times its size.
 */
enum { DECOMPRESS_RATIO = 256 };
struct str decompress_xz(struct str bytes, size_t max, struct arena *a);

/* Unpacks an xz, zstd or gzip file, told by its first bytes. */
struct str decompress_file(struct str bytes, size_t max, struct arena *a);

/* The CRC-32 of RFC 1952, which debug links have, too. */
uint32_t decompress_crc32(struct str bytes);

/*
 * size bytes of a deflate stream without any header; none when it has fewer or is
 * damaged before.  whole: it must end there.
 */
struct str decompress_deflate(struct str bytes, uint64_t size, bool whole,
                              struct arena *a);

#endif

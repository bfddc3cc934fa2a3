/*
 * inflate - unpacks what libarchive does not: the one user of libzstd and liblzma
 * (inflate.c), and of ISA-L for gzip and deflate (deflate.c).
 *
 * A zstd stream comes in pieces, as the records of perf.data: they are fed in order,
 * and a frame may begin and end anywhere.
 */
#ifndef SOURCE_INFLATE_H
#define SOURCE_INFLATE_H

#include "base/arena.h"
#include "source/area.h"

struct inflate;

/* NULL: no memory. */
struct inflate *inflate_open(void);

/*
 * Takes from the front of *in and writes at most *n bytes to out; *n becomes how
 * many were written.  Call again while *in is not empty or *n was all there was
 * room for.  -1: no zstd, or damaged; only inflate_restart helps then.
 */
int inflate_step(struct inflate *z, struct str *in, char *out, size_t *n);

/* Forgets everything; the next piece begins a stream. */
void inflate_restart(struct inflate *z);

/* Accepts NULL. */
void inflate_close(struct inflate *z);

/*
 * A gzip file in memory, piece by piece up to where it is cut.  libarchive's own gzip
 * filter gives blocks of 64 KiB and forgets the one in which the file ends early: of
 * a small archive that is all.
 */
struct gunzip;

/* These bytes begin a gzip file. */
bool gunzip_likely(struct str bytes);

/*
 * NULL: these bytes begin no gzip file, or no memory.  room, which may be all zero,
 * is filled first.
 */
struct gunzip *gunzip_open(struct str bytes, struct area room);

/* The next bytes; none at the end.  Valid until the next call, or as long as room. */
struct str gunzip_next(struct gunzip *z);

/* Why the end came early; NULL when it did not, or has not come. */
const char *gunzip_error(const struct gunzip *z);

/* Accepts NULL. */
void gunzip_close(struct gunzip *z);

/*
 * An xz file in memory, whole; none when it is damaged or unpacks to more than max
 * bytes, or to more than PACKED_MAX times its size.
 */
enum { PACKED_MAX = 256 };
struct str xz_unpack(struct str bytes, size_t max, struct arena *a);

/* Likewise an xz, zstd or gzip file, told by its first bytes. */
struct str file_unpack(struct str bytes, size_t max, struct arena *a);

/* The CRC-32 of RFC 1952, which debug links have, too. */
uint32_t gzip_crc(struct str bytes);

/*
 * size bytes of a deflate stream without any header; none when it has fewer or is
 * damaged before.  whole: it must end there.
 */
struct str deflate_unpack(struct str bytes, uint64_t size, bool whole, struct arena *a);

#endif

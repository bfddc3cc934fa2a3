/*
 * stream - reads a member or a pipe from start to end through a window.
 *
 * The result of stream_ahead is valid until the next call with this stream.
 */
#ifndef SOURCE_STREAM_H
#define SOURCE_STREAM_H

#include "source/source.h"

struct stream;

/*
 * Opens a stream.  Returns NULL with errno set if the member is unreadable.  A pipe can be
 * streamed only once.
 */
struct stream *stream_open(struct source *s, size_t member);

/* Opens a stream over bytes in memory, such as a mapped member. */
struct stream *stream_over(struct str bytes);

/*
 * Returns the next bytes: at least `min` bytes, unless the input ends earlier.  If `min` exceeds
 * the window, the window grows.
 */
struct str stream_ahead(struct stream *st, size_t min);

/*
 * Returns true if the whole stream is in memory.  Results of stream_ahead are then valid until
 * stream_close.
 */
bool stream_stays(const struct stream *st);

/* Skips n bytes.  n must not exceed the length that stream_ahead returned. */
void stream_consume(struct stream *st, size_t n);

/* Returns the number of bytes consumed so far. */
uint64_t stream_at(const struct stream *st);

/* Returns the size in bytes, or 0 for a pipe. */
uint64_t stream_size(const struct stream *st);

/*
 * stream_hold marks the current position.  All later bytes are then kept, so the window of a pipe
 * grows.  stream_rewind returns to that position and ends the hold.
 */
void stream_hold(struct stream *st);
void stream_rewind(struct stream *st);

/* Moves to an offset.  The stream must have a known size. */
void stream_seek(struct stream *st, uint64_t at);

/* Returns the reason why reading ended early, or NULL.  Later calls return NULL. */
const char *stream_error(struct stream *st);

/* st may be NULL. */
void stream_close(struct stream *st);

#endif

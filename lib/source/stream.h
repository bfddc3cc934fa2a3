/*
 * stream - a window over a member or a pipe, from its start to its end.
 *
 * The result of stream_ahead is valid until the next call with this stream.
 */
#ifndef SOURCE_STREAM_H
#define SOURCE_STREAM_H

#include "source/source.h"

struct stream;

/* Returns NULL, with errno set, if it is unreadable.  A pipe can be streamed once. */
struct stream *stream_open(struct source *s, size_t member);

/* The same over bytes in memory, for mapped members and for tests. */
struct stream *stream_over(struct str bytes);

/*
 * Returns the next bytes, at least min of them unless the input ends first. It may return more
 * than min.  min may be larger than the window, which then grows.
 */
struct str stream_ahead(struct stream *st, size_t min);

/*
 * Returns true if the whole stream is in memory, so that the result of stream_ahead is valid
 * until stream_close.
 */
bool stream_stays(const struct stream *st);

/* Skips n bytes.  n is at most the size that stream_ahead returned. */
void stream_consume(struct stream *st, size_t n);

/* Bytes consumed since the beginning. */
uint64_t stream_at(const struct stream *st);

/* Bytes in all, 0 when unknown (a pipe). */
uint64_t stream_size(const struct stream *st);

/*
 * After stream_hold all bytes are kept, and stream_rewind goes back to that place and ends the
 * hold.  The window of a pipe grows meanwhile.
 */
void stream_hold(struct stream *st);
void stream_rewind(struct stream *st);

/* Returns why reading ended early, as a text, once.  Else NULL. */
const char *stream_error(struct stream *st);

/* Accepts NULL. */
void stream_close(struct stream *st);

#endif

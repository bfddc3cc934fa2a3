/*
 * stream - a window over a member or a pipe, from its beginning to its end.
 *
 * What stream_ahead returned is valid until the next call with this stream.
 */
#ifndef SOURCE_STREAM_H
#define SOURCE_STREAM_H

#include "source/source.h"

struct stream;

/* NULL: unreadable, errno says why.  A pipe can be streamed once. */
struct stream *stream_open(struct source *s, size_t member);

/* The same over bytes in memory, for what is mapped already and for tests. */
struct stream *stream_over(struct str bytes);

/*
 * The bytes that come next, at least min of them unless the input ends first.
 * More than min may come; min may be larger than the window, which then grows.
 */
struct str stream_ahead(struct stream *st, size_t min);

/* True if the whole stream lies in memory; stream_ahead's result is valid until stream_close. */
bool stream_stays(const struct stream *st);

/* Goes n bytes on; n is at most what stream_ahead returned. */
void stream_consume(struct stream *st, size_t n);

/* Bytes consumed since the beginning. */
uint64_t stream_at(const struct stream *st);

/* Bytes in all, 0 when unknown (a pipe). */
uint64_t stream_size(const struct stream *st);

/*
 * From stream_hold on, nothing is forgotten, and stream_rewind goes back to where
 * it was called; rewinding ends the hold.  A pipe's window grows meanwhile.
 */
void stream_hold(struct stream *st);
void stream_rewind(struct stream *st);

/* Why reading ended early, as a text, if that was not asked for before; else NULL. */
const char *stream_error(struct stream *st);

/* Accepts NULL. */
void stream_close(struct stream *st);

#endif

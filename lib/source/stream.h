/*
 * stream - a window that moves over a member or a pipe, from its start to its end.
 *
 * The result of stream_ahead is valid until the next call with this stream.
 */
#ifndef SOURCE_STREAM_H
#define SOURCE_STREAM_H

#include "source/source.h"

struct stream;

/*
 * Returns NULL, with errno set, if the member is unreadable.  A pipe can be streamed only
 * once.
 */
struct stream *stream_open(struct source *s, size_t member);

/* Opens a stream over bytes in memory, for mapped members and for tests. */
struct stream *stream_over(struct str bytes);

/*
 * Returns the next bytes: at least `min`, unless the input ends first, and possibly more.
 * If `min` is larger than the window, the window grows.
 */
struct str stream_ahead(struct stream *st, size_t min);

/*
 * Returns true if the whole stream is in memory.  Then results of stream_ahead are valid
 * until stream_close.
 */
bool stream_stays(const struct stream *st);

/* Skips n bytes, at most as many as stream_ahead returned. */
void stream_consume(struct stream *st, size_t n);

/* Returns the number of bytes consumed so far. */
uint64_t stream_at(const struct stream *st);

/* Returns the size in bytes, or 0 if it is unknown (a pipe). */
uint64_t stream_size(const struct stream *st);

/*
 * stream_hold marks a place.  From then on all bytes are kept, and the window of a pipe
 * grows.  stream_rewind goes back to that place and ends the hold.
 */
void stream_hold(struct stream *st);
void stream_rewind(struct stream *st);

/* Moves to an offset.  The stream must have a size. */
void stream_seek(struct stream *st, uint64_t at);

/*
 * Returns the reason why reading ended early, once, as a text.  Otherwise returns NULL.
 */
const char *stream_error(struct stream *st);

/* Accepts NULL. */
void stream_close(struct stream *st);

#endif

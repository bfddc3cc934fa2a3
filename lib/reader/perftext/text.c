/* The window, text.win, grows until it contains a whole event. */
#include "reader/perftext/text.h"

#include <errno.h>

enum { STEP = 4096 }; /* number of bytes by which the window grows */

bool text_last_line(const struct text *t, size_t pos, struct str *line, size_t *next)
{
	struct str rest = str_from(t->win, pos);
	const char *nl = rest.n ? memchr(rest.p, '\n', rest.n) : NULL;

	if (!nl && !t->whole && rest.n < TEXT_BLOCK_MAX)
		return false;
	if (!nl || (size_t)(nl - rest.p) > TEXT_BLOCK_MAX) {
		*line = str_head(rest, TEXT_BLOCK_MAX);
		*next = pos + line->n;
		return true;
	}
	*line = str_span(rest.p, nl);
	*next = pos + line->n + 1;
	return true;
}

void text_more_frames(struct text *t, size_t n)
{
	arena_fit(t->base.run, t->frames, n + 1, t->frames_cap);
}

int text_next(struct reader *base, struct event *ev)
{
	struct text *t = (struct text *)base;
	size_t ask = 1;
	const char *error;

	for (;;) {
		t->win = stream_ahead(t->stream, ask);
		t->whole = t->win.n < ask;
		if (!t->win.n)
			break;
		if (t->parse(t, ev)) {
			stream_consume(t->stream, ev->raw.n);
			ev->stays = stream_stays(t->stream);
			return 1;
		}
		ask = t->win.n + (t->win.n / 2 > STEP ? t->win.n / 2 : STEP);
	}
	error = stream_error(t->stream);
	if (!error)
		return 0;
	return diag_unread(base->diag, PRSTR ":%llu: %s", STRARG(base->name),
	                   (unsigned long long)stream_at(t->stream), error);
}

struct text *text_open(struct source *s, size_t member, struct arena *run,
                       struct diag *diag, const struct format *format, size_t size)
{
	struct stream *stream = stream_open(s, member);
	struct text *t;

	if (!stream) {
		diag_unread(diag, PRSTR ": %s", STRARG(s->members[member].name),
		            strerror(errno));
		return NULL;
	}
	t = arena_alloc(run, 1, size);
	t->base = (struct reader){ .format = format,
		                   .run = run,
		                   .diag = diag,
		                   .name = s->members[member].name };
	t->stream = stream;
	/* A file can always be read again.  A pipe can be read again only after reader_hold. */
	if (stream_size(stream))
		stream_hold(stream);
	return t;
}

void text_rewind(struct reader *base)
{
	struct stream *st = ((struct text *)base)->stream;

	stream_rewind(st);
	if (stream_size(st))
		stream_hold(st);
}

/* An empty line ends any event, so an event begins after the next empty line. */
uint64_t text_seek(struct reader *base, uint64_t at, uint64_t n)
{
	struct stream *st = ((struct text *)base)->stream;
	struct str win;
	const char *end;

	if (at >= stream_size(st))
		return UINT64_MAX;
	stream_seek(st, at);
	for (size_t ask = STEP;; ask *= 2) {
		win = str_head(stream_ahead(st, ask < n ? ask : n), n);
		end = memmem(win.p, win.n, "\n\n", 2);
		if (end || win.n < ask)
			break;
	}
	if (!end)
		return UINT64_MAX;
	stream_consume(st, (size_t)(end - win.p) + 2);
	return stream_at(st);
}

void text_hold(struct reader *base)
{
	struct stream *st = ((struct text *)base)->stream;

	if (!stream_size(st))
		stream_hold(st);
}

uint64_t text_held(const struct reader *base)
{
	const struct stream *st = ((const struct text *)base)->stream;

	return stream_size(st) ? 0 : stream_at(st);
}

void text_progress(const struct reader *base, uint64_t *done, uint64_t *total)
{
	*done = stream_at(((const struct text *)base)->stream);
	*total = stream_size(((const struct text *)base)->stream);
}

void text_close(struct reader *base)
{
	stream_close(((struct text *)base)->stream);
}

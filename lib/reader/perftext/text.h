/*
 * text - the common part of all readers of text, with a window that contains whole lines.
 * Private to reader/.
 *
 * The function `parse` of a format converts the lines at the start of the window to one event,
 * and sets ev->raw to these lines.
 */
#ifndef READER_PERFTEXT_TEXT_H
#define READER_PERFTEXT_TEXT_H

#include "reader/format.h"
#include "source/stream.h"

/* Maximum size of an event in bytes.  The rest of a longer event becomes another event. */
enum { TEXT_BLOCK_MAX = 4 << 20 };

struct text {
	struct reader base;
	struct stream *stream;
	struct str win; /* the next bytes of the input */
	bool whole;     /* win contains the end of the input */
	/* Parses an event.  Returns false if more bytes are needed. */
	bool (*parse)(struct text *t, struct event *ev);
	struct frame *frames; /* frames of the current event */
	size_t frames_cap;
};

/*
 * Opens a reader.  The struct of the format has `size` bytes and begins with a struct text.
 * Returns NULL after it has reported an error.
 */
struct text *text_open(struct source *s, size_t member, struct arena *run,
                       struct diag *diag, const struct format *format, size_t size);

/* Implements text_line for lines without line end, and for lines longer than TEXT_BLOCK_MAX. */
bool text_last_line(const struct text *t, size_t pos, struct str *line, size_t *next);

/*
 * Sets *line to the line at `pos`, and *next to the position after it.  Returns false if the line
 * is incomplete.
 */
static inline bool text_line(const struct text *t, size_t pos, struct str *line,
                             size_t *next)
{
	const char *p = t->win.p + pos, *nl = NULL;

	if (pos < t->win.n)
		nl = memchr(p, '\n', t->win.n - pos);
	if (!nl || nl - p > TEXT_BLOCK_MAX)
		return text_last_line(t, pos, line, next);
	*line = str_span(p, nl);
	*next = pos + line->n + 1;
	return true;
}

/* Makes room for more than n frames. */
void text_more_frames(struct text *t, size_t n);

/*
 * Appends a frame.  This and the following functions are inline, because they are used for each
 * line of a text.
 */
static inline void text_push_frame(struct text *t, struct event *ev, struct str line)
{
	if (ev->nframes == t->frames_cap)
		text_more_frames(t, ev->nframes);
	t->frames[ev->nframes++] = (struct frame){ .line = line };
}

static inline struct str text_without_cr(struct str line)
{
	if (line.n && line.p[line.n - 1] == '\r')
		line.n--;
	return line;
}

static inline bool text_is_gap(char c)
{
	return c == ' ' || c == '\t';
}

static inline struct str text_trim_left(struct str s)
{
	while (s.n && text_is_gap(*s.p))
		s = str_from(s, 1);
	return s;
}

/* Returns the bytes of s up to the first blank or tab. */
static inline struct str text_word(struct str s)
{
	size_t n = 0;

	while (n < s.n && !text_is_gap(s.p[n]))
		n++;
	return str_head(s, n);
}

static inline bool text_is_blank(struct str line)
{
	if (line.n && line.p[line.n - 1] > ' ')
		return false;
	for (size_t i = 0; i < line.n; i++)
		if (line.p[i] != ' ' && line.p[i] != '\t' && line.p[i] != '\r')
			return false;
	return true;
}

/* Members of `struct format` that text formats share. */
int text_next(struct reader *r, struct event *ev);
void text_rewind(struct reader *r);
uint64_t text_seek(struct reader *r, uint64_t at, uint64_t n);
void text_hold(struct reader *r);
uint64_t text_held(const struct reader *r);
void text_progress(const struct reader *r, uint64_t *done, uint64_t *total);
void text_close(struct reader *r);

#endif

/*
 * Text of perf script again: every byte as it was but for the frames that are named
 * here.
 *
 *	worker  4711   100.000002:     250000 cycles:u:
 *		          401136 [unknown] (/usr/bin/app)
 *		          401136 main+0x6 (/usr/bin/app)
 */
#include "writer/script/lines.h"

static void pad(struct out *o, size_t n)
{
	while (n--)
		out_char(o, ' ');
}

/* The line at the front of *raw with its end. */
static struct str take_line(struct str *raw)
{
	size_t n = str_find(*raw, '\n');
	struct str line = str_head(*raw, n + 1);

	*raw = str_from(*raw, line.n);
	return line;
}

/* The line end of line, which may have none. */
static void write_line_end(struct out *o, struct str line)
{
	if (str_ends(line, STR("\n")))
		out_str(o, str_ends(line, STR("\r\n")) ? STR("\r\n") : STR("\n"));
}

/* The lines of an improved frame in place of line, whose line ends they take over. */
static void write_improved(struct script *sc, struct out *o, frame_id id, struct str line)
{
	const struct resolved *r = profile_frame(sc->profile, id);
	bool cr = str_ends(line, STR("\r\n"));

	if (!cr && str_ends(line, STR("\n"))) {
		lines_frame(sc, o, LINES_TEXT, id);
		return;
	}
	for (size_t i = 0; i < r->n; i++) {
		lines_one(sc, o, LINES_TEXT, r, i, false);
		if (i + 1 < r->n)
			out_str(o, cr ? STR("\r\n") : STR("\n"));
	}
	write_line_end(o, line);
}

/* The header's line and behind it the one frame, as where no stack was recorded. */
static void write_joined(const struct script *sc, struct out *o, const struct sample *s)
{
	const struct event *ev = s->ev;
	const char *end = ev->raw.p + ev->raw.n;
	struct str rest = ev->raw, header = take_line(&rest), line;
	const struct resolved *r = NULL;
	bool joined;

	if (s->nframes)
		r = profile_frame(sc->profile, s->frames[0]);
	joined = r && ev->frames[0].line.p < rest.p;
	if (ev->comm.n && ev->comm.p == ev->raw.p && ev->comm.n < 16)
		pad(o, 16 - ev->comm.n);
	if (!r || (joined && !r->improved)) {
		out_str(o, header);
		return;
	}
	line = str_span(ev->frames[0].line.p, end);
	line = take_line(&line);
	if (joined) {
		out_str(o, str_span(header.p, line.p));
	} else {
		header.n -= str_ends(header, STR("\n"));
		header.n -= str_ends(header, STR("\r"));
		out_str(o, header);
		out_char(o, ' ');
	}
	if (r->improved) {
		lines_one(sc, o, LINES_TEXT, r, r->n - 1, true);
		write_line_end(o, line);
	} else {
		out_str(o, str_from(line, str_starts(line, STR("\t"))));
	}
}

/*
 * Where frame i's line begins in raw: its slice points into it.  Lines between
 * (srcline, brstack) are none of the frames'.
 */
void script_text(struct script *sc, struct out *o, const struct sample *s)
{
	const struct event *ev = s->ev;
	const char *done = ev->raw.p, *end = ev->raw.p + ev->raw.n;

	if (sc->opts.hide_chain && ev->kind == EV_SAMPLE) {
		write_joined(sc, o, s);
		return;
	}
	for (size_t i = 0; i < s->nframes; i++) {
		const struct resolved *r = profile_frame(sc->profile, s->frames[i]);
		struct str rest, line;

		if (!r->improved)
			continue;
		rest = str_span(ev->frames[i].line.p, end);
		line = take_line(&rest);
		out_str(o, str_span(done, line.p));
		write_improved(sc, o, s->frames[i], line);
		done = line.p + line.n;
	}
	for (size_t i = s->nframes; i < s->nframes + s->left_out; i++) {
		struct str line = str_span(ev->frames[i].line.p, end);

		out_str(o, str_span(done, line.p));
		take_line(&line);
		done = line.p;
	}
	out_str(o, str_span(done, end));
}

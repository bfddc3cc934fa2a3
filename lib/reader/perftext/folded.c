#include "reader/perftext/folded.h"

#include <errno.h>

#include "source/stream.h"

enum {
	/* maximum length of a line in bytes.  A stack with 100,000 frames has 10 MB */
	LINE_MOST = 256 << 20,
	FRAMES_MAX = 1000000, /* maximum number of frames of a stack */
	/* a report contains this number of bytes from the end of a bad line */
	SHOWN = 60,
	BID_LINES = 50,
	BILLION = 1000000000,
};

struct folded {
	struct reader base;
	struct stream *stream;
	struct str win;  /* next bytes of the input.  The first pos bytes were read */
	size_t pos;      /* bytes of win that were read */
	bool whole;      /* win contains the end of the input */
	bool too_long;   /* the current line is longer than LINE_MOST */
	bool past_head;  /* a line that is not a comment was read */
	bool past_stack; /* a stack or a bad line was read */
	uint64_t line;   /* number of the current line, starting at 1 */
	uint64_t held_line;
	struct pair pair; /* the pair of the last event */
};

enum verdict { STACK, COMMENT, HEADER, NOTE, NO_COUNT, BAD_COUNT, NO_STACK, DEEP };

/* Comment lines that are delivered as events: headers, and notes about the stacks that follow. */
static const struct {
	struct str start;
	enum verdict kind;
} delivered[] = {
	{ STR("# pfold mark "), NOTE },
	{ STR("# pfold frame\t"), NOTE },
	{ STR("# pdiff verdict\t"), NOTE },
	{ STR("# pfold "), HEADER },
};

static enum verdict comment_kind(struct str line)
{
	for (size_t i = 0; i < sizeof(delivered) / sizeof(*delivered); i++)
		if (str_starts(line, delivered[i].start))
			return delivered[i].kind;
	return COMMENT;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/*
 * Converts the digits of a word to a count with 9 decimals.  `shift` is the exponent: the
 * decimal point moves to the right by this number of digits.
 */
static bool place_digits(struct str word, long shift, uint64_t *n, uint32_t *fraction)
{
	long point = (long)str_find(word, '.') + shift, at = 0;
	uint32_t unit = BILLION / 10;

	*n = *fraction = 0;
	for (size_t i = 0; i < word.n; i++) {
		uint32_t digit = (uint32_t)(word.p[i] - '0');

		if (word.p[i] == '.')
			continue;
		if (at++ < point) {
			if (__builtin_mul_overflow(*n, 10, n) ||
			    __builtin_add_overflow(*n, digit, n))
				return false;
			continue;
		}
		for (; point < 0; point++)
			unit /= 10;
		*fraction += unit * digit;
		unit /= 10;
	}
	for (; at < point && *n; at++)
		if (__builtin_mul_overflow(*n, 10, n))
			return false;
	return true;
}

/*
 * Removes the exponent from *word, as in "1e3" or "2.5E-2".  Returns false if the exponent is
 * invalid.
 */
static bool cut_exponent(struct str *word, long *shift)
{
	size_t at = str_find(*word, 'e') < word->n ? str_find(*word, 'e')
	                                           : str_find(*word, 'E');
	struct str digits = str_from(*word, at + 1);
	bool minus = digits.n && digits.p[0] == '-';
	uint64_t v;

	*shift = 0;
	if (at >= word->n)
		return true;
	if (digits.n && strchr("+-", digits.p[0]))
		digits = str_from(digits, 1);
	if (!str_is_dec(digits, &v) || v > 99)
		return false;
	*shift = minus ? -(long)v : (long)v;
	*word = str_head(*word, at);
	return true;
}

/* Parses "12", "12.", "12.25" or "1e3".  Returns false if the number is too large. */
static bool parse_count(struct str word, uint64_t *n, uint32_t *fraction)
{
	size_t points = 0;
	long shift;

	if (!word.n || word.p[0] < '0' || word.p[0] > '9')
		return false;
	*fraction = 0;
	if (str_is_dec(word, n))
		return true;
	if (!cut_exponent(&word, &shift))
		return false;
	for (size_t i = 0; i < word.n; i++)
		if (word.p[i] == '.')
			points++;
		else if (word.p[i] < '0' || word.p[i] > '9')
			return false;
	return points <= 1 && place_digits(word, shift, n, fraction);
}

static bool is_of_number(char c)
{
	return str_is_digit(c) || c == '.' || c == '+' || c == '-' || (c | 0x20) == 'e';
}

static bool is_number(struct str word)
{
	for (size_t i = 0; i < word.n; i++)
		if (!is_of_number(word.p[i]))
			return false;
	return word.n != 0;
}

/* Returns the last word of a line.  Sets *front to the preceding text. */
static struct str last_word(struct str line, struct str *front)
{
	const char *word = line.p + line.n, *end;

	while (word > line.p && !is_blank(word[-1]))
		word--;
	for (end = word; end > line.p && is_blank(end[-1]);)
		end--;
	*front = str_span(line.p, end);
	return str_span(word, line.p + line.n);
}

/*
 * Returns true if the stack has more than FRAMES_MAX frames.  Frames use memory, and a line of 12
 * MB may contain 12 million frames without a name.
 */
static bool is_deep(struct str stack)
{
	size_t frames = 1;

	if (stack.n < FRAMES_MAX)
		return false;
	for (size_t i = 0; i < stack.n; i++)
		frames += stack.p[i] == ';';
	return frames > FRAMES_MAX;
}

/* Sets raw, weight and fraction of ev. */
static enum verdict parse_line(struct str line, struct event *ev)
{
	struct str word;

	while (line.n && is_blank(line.p[line.n - 1]))
		line.n--;
	if (!line.n)
		return COMMENT;
	if (line.p[0] == '#' && (line.n == 1 || is_blank(line.p[1])))
		return comment_kind(line);
	word = last_word(line, &ev->raw);
	if (!parse_count(word, &ev->weight, &ev->fraction))
		return is_number(word) ? BAD_COUNT : NO_COUNT;
	if (!ev->raw.n)
		return NO_STACK;
	return is_deep(ev->raw) ? DEEP : STACK;
}

/* Sets ev->pair if the line ends with two counts. */
static void set_pair(struct pair *pair, struct event *ev)
{
	const char *word = ev->raw.p + ev->raw.n;

	/* Most stacks end with a name, so the last word is parsed only if it may be a number. */
	while (word > ev->raw.p && is_of_number(word[-1]))
		word--;
	if (word == ev->raw.p || !is_blank(word[-1]))
		return;
	if (parse_count(last_word(ev->raw, &pair->stack), &pair->before,
	                &pair->fraction) &&
	    pair->stack.n)
		ev->pair = pair;
}

static int bad_line(struct folded *r, struct str line, enum verdict v)
{
	static const char *const what[] = {
		[NO_COUNT] = "the stack has no count",
		[BAD_COUNT] = "not a count",
		[NO_STACK] = "the count has no stack",
		[DEEP] = "a stack of more than a million frames",
	};
	struct str shown = str_trim(line);
	const char *cut = shown.n > SHOWN ? "..." : "";

	if (!format_tells(&r->base, r->line))
		return -1;
	if (shown.n > SHOWN)
		shown = str_from(shown, shown.n - SHOWN);
	return diag_at(r->base.diag, r->base.name, r->line, "%s: %s" PRSTR, what[v], cut,
	               STRARG(shown));
}

/* Reads the next line.  Returns false at the end. */
static bool next_line(struct folded *r, struct str *line)
{
	for (;;) {
		struct str rest = str_from(r->win, r->pos);
		const char *nl = rest.n ? memchr(rest.p, '\n', rest.n) : NULL;
		size_t ask;

		if (nl || (r->whole && rest.n) || rest.n > LINE_MOST) {
			*line = nl ? str_span(rest.p, nl) : rest;
			r->pos += line->n + (nl != NULL);
			return true;
		}
		if (r->whole)
			return false;
		stream_consume(r->stream, r->pos);
		r->pos = 0;
		ask = rest.n + rest.n / 2 + 1;
		r->win = stream_ahead(r->stream, ask);
		r->whole = r->win.n < ask;
	}
}

/*
 * Returns true if `line` is part of a line longer than LINE_MOST.  Sets *first if it is the first
 * part, to report the line once.
 */
static bool is_piece(struct folded *r, struct str line, bool *first)
{
	bool more = line.n > LINE_MOST && line.p + line.n == r->win.p + r->win.n;

	*first = more && !r->too_long;
	if (!r->too_long)
		r->line++;
	if (!more && !r->too_long)
		return false;
	r->too_long = more;
	return true;
}

static int next(struct reader *base, struct event *ev)
{
	struct folded *r = (struct folded *)base;
	struct str line;
	bool first;
	const char *error;

	*ev = (struct event){ .kind = EV_FOLDED, .pid = -1, .tid = -1, .cpu = -1 };
	while (next_line(r, &line)) {
		enum verdict v;

		if (is_piece(r, line, &first)) {
			if (first && format_tells(base, r->line))
				return diag_at(base->diag, base->name, r->line,
				               "a line of more than %d MiB",
				               LINE_MOST >> 20);
			continue;
		}
		v = parse_line(line, ev);
		if (v == COMMENT || (v == HEADER && r->past_head) ||
		    (v == NOTE && r->past_stack))
			continue;
		ev->at = stream_at(r->stream) + (uint64_t)(line.p - r->win.p);
		r->past_head = true;
		if (v == HEADER || v == NOTE) {
			ev->kind = EV_TEXT;
			ev->raw = str_trim(line);
			return 1;
		}
		r->past_stack = true;
		if (v != STACK)
			return bad_line(r, line, v);
		set_pair(&r->pair, ev);
		return 1;
	}
	error = stream_error(r->stream);
	if (!error)
		return 0;
	return diag_unread(base->diag, PRSTR ":%llu: %s", STRARG(base->name),
	                   (unsigned long long)r->line, error);
}

/*
 * Returns true if the line contains a header of a tar file, which has long runs of NULs.  No
 * newline separates this header from the first line of the archived file.  Names have only shorter
 * runs of NULs.
 */
static bool is_padded(struct str line)
{
	static const char zeros[16];

	return str_has(line, (struct str){ zeros, sizeof(zeros) });
}

static bool is_markup(struct str head)
{
	static const char *const begins[] = { "<?", "<!", "<svg", "<html" };

	return STR_ANY(str_trim(head), str_starts, begins);
}

/*
 * Returns false for lines of /proc/PID/status, maps and similar files, which may also end with a
 * number.
 */
static bool is_plain_name(struct str name)
{
	uint64_t ip;
	struct str rest = name;

	if (str_find(name, '\t') < name.n || str_has(name, STR(": ")) ||
	    str_ends(name, STR(":")))
		return false;
	return !(str_take_hex(&rest, &ip) && rest.n && strchr("- ", rest.p[0]));
}

/*
 * Returns the bid if the head ends inside the first line.  The line must contain many names.  If
 * it contains control characters or begins with a bracket, it has a different format.
 */
static int bid_unfinished(struct str head)
{
	size_t names = 0;

	for (size_t i = 0; i < head.n; i++) {
		if ((unsigned char)head.p[i] < ' ')
			return 0;
		names += head.p[i] == ';';
	}
	return names >= 16 && !strchr("{[", head.p[0]) ? 4 : 0;
}

static int bid(struct str head)
{
	size_t good = 0, bad = 0, paths = 0, headers = 0;
	struct str all = head;
	struct event ev = { 0 };

	if (is_markup(head))
		return 0;
	for (int lines = 0; lines < BID_LINES && head.n;) {
		bool cut = str_find(head, '\n') == head.n && all.n >= SOURCE_HEAD;
		struct str line = str_cut(&head, '\n');
		enum verdict v = parse_line(line, &ev);

		if (cut && good + bad + headers)
			break;
		if (cut)
			return bid_unfinished(line);
		headers += v == HEADER || v == NOTE;
		lines += v != HEADER && v != NOTE;
		if (v == COMMENT || v == HEADER || v == NOTE)
			continue;
		if (is_padded(line))
			return 0;
		if (v == STACK && str_find(ev.raw, ';') < ev.raw.n) {
			good++;
			paths++;
			continue;
		}
		/*
		 * Not folded stacks: frames of perf script begin with a tab, and binary files
		 * contain NULs.
		 */
		if (line.p[0] == '\t' || memchr(line.p, '\0', line.n))
			return 0;
		if (v == STACK && is_plain_name(ev.raw))
			good++;
		else
			bad++;
	}
	/* The fold of a profile without samples consists only of the header. */
	if (headers && !good && !bad)
		return 32;
	if (!good || bad > good || (bad && !paths))
		return 0;
	return paths ? 32 : 8;
}

static struct reader *open_folded(struct source *s, size_t member, struct arena *run,
                                  struct diag *diag)
{
	struct stream *stream = stream_open(s, member);
	struct folded *r;

	if (!stream) {
		diag_fatal(diag, PRSTR ": %s", STRARG(s->members[member].name),
		           strerror(errno));
		return NULL;
	}
	r = arena_new(run, struct folded, 1);
	r->base = (struct reader){ .format = &folded_format,
		                   .run = run,
		                   .diag = diag,
		                   .name = s->members[member].name };
	r->stream = stream;
	r->win = STR("");
	return &r->base;
}

/* Consumes the bytes that were read, and drops the window. */
static void settle(struct folded *r)
{
	stream_consume(r->stream, r->pos);
	r->win = STR("");
	r->pos = 0;
	r->whole = false;
}

static void rewind_folded(struct reader *base)
{
	struct folded *r = (struct folded *)base;

	settle(r);
	stream_rewind(r->stream);
	r->line = r->held_line;
	r->past_head = r->past_stack = r->too_long = false;
}

static void hold(struct reader *base)
{
	struct folded *r = (struct folded *)base;

	settle(r);
	stream_hold(r->stream);
	r->held_line = r->line;
}

static uint64_t held(const struct reader *base)
{
	const struct folded *r = (const struct folded *)base;

	return stream_size(r->stream) ? 0 : stream_at(r->stream) + r->pos;
}

static void progress(const struct reader *base, uint64_t *done, uint64_t *total)
{
	const struct folded *r = (const struct folded *)base;

	*done = stream_at(r->stream) + r->pos;
	*total = stream_size(r->stream);
}

static void close_folded(struct reader *base)
{
	stream_close(((struct folded *)base)->stream);
}

const struct format folded_format = {
	.name = "folded stacks",
	.what = "these are folded stacks",
	.traits = { .sets = READ_FOLDED,
	            .rank = 5,
	            .is_folded = true,
	            .states_weights = true },
	.bid = bid,
	.open = open_folded,
	.next = next,
	.rewind = rewind_folded,
	.hold = hold,
	.held = held,
	.progress = progress,
	.close = close_folded,
};

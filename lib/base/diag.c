#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

enum { LINE = 4096 };

/* Copies text.  Escapes control characters and marks of text direction as \xNN. */
static size_t escape(char *to, size_t room, const char *from)
{
	struct str rest = str_of(from);
	size_t n = 0;

	while (rest.n && n + 13 < room) {
		size_t odd = str_control(rest);

		if (!odd)
			to[n++] = *rest.p;
		for (size_t i = 0; i < odd; i++)
			n += (size_t)snprintf(to + n, room - n, "\\x%02x",
			                      (unsigned char)rest.p[i]);
		rest = str_from(rest, odd ? odd : 1);
	}
	to[n] = '\0';
	return n;
}

static void wipe(struct diag *d)
{
	if (d->on_line)
		fputs("\r\033[K", stderr);
	d->on_line = false;
}

/*
 * Returns the name of the input as a prefix, "app.tar.gz: ".  Returns "" if the message
 * (`before`, then `text`) already begins with this name.  room: 2 * LINE bytes.
 */
static const char *input_of(const struct diag *d, const char *before, const char *text,
                            char *room)
{
	struct str rest = str_of(before);
	size_t n;

	if (!d->input)
		return "";
	n = escape(room, LINE, d->input);
	str_skip(&rest, STR("warning: "));
	if (str_starts(rest.n ? rest : str_of(text), (struct str){ room, n }))
		return "";
	memcpy(room + n, ": ", sizeof(": "));
	return room;
}

static void say(struct diag *d, const char *before, const char *fmt, va_list ap)
{
	char text[LINE], shown[2 * LINE], input[2 * LINE];

	vsnprintf(text, sizeof(text), fmt, ap);
	escape(shown, sizeof(shown), text);
	wipe(d);
	fprintf(stderr, "%s: %s%s%s\n", d->prog, input_of(d, before, shown, input),
	        before, shown);
}

/* Prints the message of a function whose parameters end with `fmt, ...`. */
#define SAY(d, before, fmt)                                                              \
	({                                                                               \
		va_list ap;                                                              \
                                                                                         \
		va_start(ap, fmt);                                                       \
		say(d, before, fmt, ap);                                                 \
		va_end(ap);                                                              \
	})

/*
 * Counts a message.  Returns the diag that prints the message, or NULL if enough messages were
 * printed.  Sets *before to the text before the message: "warning: " or "".
 */
static struct diag *count(struct diag *d, const char **before)
{
	*before = d->warns ? "warning: " : "";
	if (!d->warns)
		return d->damaged++ < d->limit ? d : NULL;
	return d->warns->warned++ < d->warns->limit ? d->warns : NULL;
}

int diag_at(struct diag *d, struct str name, uint64_t at, const char *fmt, ...)
{
	char place[LINE], shown[2 * LINE];
	const char *before;

	d = count(d, &before);
	if (!d)
		return -1;
	snprintf(place, sizeof(place), "%s" PRSTR ":%llu: ", before,
	         STRARG(str_head(name, LINE / 2)), (unsigned long long)at);
	escape(shown, sizeof(shown), place);
	SAY(d, shown, fmt);
	return -1;
}

int diag_damage(struct diag *d, const char *fmt, ...)
{
	const char *before;

	d = count(d, &before);
	if (!d)
		return -1;
	SAY(d, before, fmt);
	return -1;
}

int diag_unread(struct diag *d, const char *fmt, ...)
{
	while (d->warns)
		d = d->warns;
	if (d->damaged++ >= d->limit)
		return -1;
	SAY(d, "", fmt);
	return -1;
}

void diag_warn(struct diag *d, const char *fmt, ...)
{
	if (d->warned++ >= d->limit)
		return;
	SAY(d, "warning: ", fmt);
}

void diag_note(struct diag *d, const char *fmt, ...)
{
	if (d->quiet)
		return;
	SAY(d, "", fmt);
}

void diag_detail(struct diag *d, const char *fmt, ...)
{
	if (d->quiet || !d->verbose)
		return;
	SAY(d, "", fmt);
}

int diag_fatal(struct diag *d, const char *fmt, ...)
{
	const char *before = "";

	if (d->warns)
		d = count(d, &before);
	if (!d)
		return -1;
	SAY(d, before, fmt);
	return -1;
}

/* Replaces the progress line, if standard error is a terminal and d is not quiet. */
static __attribute__((format(printf, 2, 3))) void show(struct diag *d, const char *fmt,
                                                       ...)
{
	va_list ap;

	if (d->quiet || !isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "\r%s: ", d->prog);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs("\033[K", stderr);
	fflush(stderr);
	d->on_line = true;
}

void diag_progress(struct diag *d, const char *what, uint64_t done, uint64_t total)
{
	double mb = (double)done / 1e6, all = (double)total / 1e6;

	if (total)
		show(d, "%s %.1f MB of %.1f, %.0f %%", what, mb, all, 100 * mb / all);
	else
		show(d, "%s %.1f MB", what, mb);
}

void diag_count(struct diag *d, const char *what, size_t done, size_t total)
{
	show(d, "%zu of %zu %s", done, total, what);
}

static void report_more(struct diag *d, unsigned long n, const char *what)
{
	char input[2 * LINE];

	if (!d->quiet && n > d->limit)
		fprintf(stderr, "%s: %s%lu more %s\n", d->prog,
		        input_of(d, "", "", input), n - d->limit, what);
}

void diag_finish(struct diag *d)
{
	wipe(d);
	report_more(d, d->damaged, "reports of damage");
	report_more(d, d->warned, "warnings");
}

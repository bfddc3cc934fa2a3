#include "reader/reader.h"

#include <errno.h>

#include "reader/describe.h"
#include "reader/format.h"
#include "reader/perfdata/header.h"
#include "reader/perfdata/record.h"

static const struct format *const formats[] = {
	&perfdata_format, &perfscript_format, &bpfstacks_format,
	&folded_format,   &nettrace_format,
};

enum { NFORMATS = sizeof(formats) / sizeof(*formats) };

static const struct format *highest(struct str head)
{
	const struct format *best = NULL;
	int most = 0;

	for (size_t i = 0; i < NFORMATS; i++) {
		int bits = formats[i]->bid(head);

		if (bits > most) {
			most = bits;
			best = formats[i];
		}
	}
	return best;
}

enum reader_format reader_bid(struct str head)
{
	const struct format *f = highest(head);

	return f ? f->id : READ_NONE;
}

bool reader_streams(struct str head)
{
	enum reader_format f = reader_bid(head);

	if (f == READ_PERFDATA)
		return header_is_pipe(head);
	return f != READ_NONE && f != READ_NETTRACE;
}

bool reader_is_part(struct str name, struct str head)
{
	struct str base = str_base(name);
	struct record r;
	uint64_t n;

	/* Whose byte order it is, only the main file says. */
	return str_starts(base, STR("data.")) && str_is_dec(str_from(base, 5), &n) &&
	       head.n &&
	       (record_read(head, false, &r) == RECORD_WHOLE ||
	        record_read(head, true, &r) == RECORD_WHOLE);
}

struct reader *reader_open(struct source *s, size_t member, struct arena *run,
                           struct diag *diag)
{
	const struct format *f = highest(source_head(s, member));

	if (f)
		return f->open(s, member, run, diag);
	diag_fatal(
	        diag,
	        PRSTR
	        ": neither perf.data nor nettrace nor perf script text nor folded stacks",
	        STRARG(s->members[member].name));
	return NULL;
}

enum reader_format reader_format(const struct reader *r)
{
	return r->format->id;
}

int reader_next(struct reader *r, struct event *ev)
{
	return r->format->next(r, ev);
}

void reader_as_written(struct reader *r)
{
	r->as_written = true;
}

void reader_skip_repeated(struct reader *r, bool by_thread)
{
	if (r->format->skip_repeated)
		r->format->skip_repeated(r, by_thread);
}

void reader_rewind(struct reader *r)
{
	r->again = true;
	r->format->rewind(r);
}

void reader_hold(struct reader *r)
{
	if (r->format->hold)
		r->format->hold(r);
}

uint64_t reader_held(const struct reader *r)
{
	return r->format->held ? r->format->held(r) : 0;
}

void reader_progress(const struct reader *r, uint64_t *done, uint64_t *total)
{
	r->format->progress(r, done, total);
}

size_t reader_attrs(const struct reader *r, const struct attr *const **out)
{
	return r->format->attrs ? r->format->attrs(r, out) : 0;
}

const struct reader_head *reader_head(const struct reader *r)
{
	return r->format->head ? r->format->head(r) : NULL;
}

bool reader_feature(const struct reader *r, unsigned feature, struct str *out)
{
	return r->format->feature && r->format->feature(r, feature, out);
}

void reader_trace_names(struct reader *r, const struct trace_names *names)
{
	if (r->format->trace_names)
		r->format->trace_names(r, names);
}

bool reader_trace_text(struct reader *r, const struct event *ev, struct out *out)
{
	return r->format->trace_text && r->format->trace_text(r, ev, out);
}

const struct capture *reader_capture(const struct reader *r)
{
	static const struct capture none = { 0 };

	return r->format->header ? &r->format->header(r)->capture : &none;
}

bool reader_describe(struct reader *r, bool full, struct out *out)
{
	if (!r->format->header)
		return false;
	describe_header(r->format->header(r), full, out);
	return true;
}

void reader_close(struct reader *r)
{
	if (r)
		r->format->close(r);
}

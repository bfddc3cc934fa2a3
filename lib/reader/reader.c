#include "reader/reader.h"

#include "reader/capture.h"
#include "reader/ctf/ctf.h"
#include "reader/firefox/firefox.h"
#include "reader/foreign.h"
#include "reader/format.h"
#include "reader/nettrace/nettrace.h"
#include "reader/otlp/otlp.h"
#include "reader/otlp/otlp_json.h"
#include "reader/perfdata/header.h"
#include "reader/perfdata/perfdata.h"
#include "reader/perftext/bpfstacks.h"
#include "reader/perftext/folded.h"
#include "reader/perftext/perfscript.h"
#include "reader/pprof/pprof.h"

enum { LISTED = 10 }; /* maximum number of listed members if several profiles fit */

static const struct format *const formats[] = {
	&perfdata_format,  &perfscript_format, &bpfstacks_format, &folded_format,
	&nettrace_format,  &ctf_format,        &pprof_format,     &otlp_format,
	&otlp_json_format, &firefox_format,
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

const struct traits *reader_bid(struct str head)
{
	const struct format *f = highest(head);

	return f ? &f->traits : NULL;
}

bool reader_streams(struct str head)
{
	const struct format *f = highest(head);

	if (f == &perfdata_format)
		return header_is_pipe(head);
	return f && f != &nettrace_format && f != &ctf_format && !f->traits.has_locations;
}

struct choice {
	size_t member;
	unsigned rank;
	bool exact; /* the name of the member is perf.data */
};

static bool has_name(struct str member, struct str name)
{
	return str_eq(member, name) || (str_ends(member, name) && member.n > name.n &&
	                                member.p[member.n - name.n - 1] == '/');
}

/* Compares the rank of the format, then the depth, then whether the name is perf.data. */
static int compare(const struct source *s, const struct choice *a, const struct choice *b)
{
	unsigned da = s->members[a->member].depth, db = s->members[b->member].depth;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (da != db)
		return da < db ? -1 : 1;
	return (int)b->exact - (int)a->exact;
}

static size_t candidates(struct source *s, const char *name, unsigned sets,
                         struct choice *out)
{
	size_t n = 0, has_trace = 0;

	for (size_t i = 0; i < s->n; i++) {
		struct member *m = &s->members[i];
		const struct format *f;

		/* Links are skipped, because their targets are also members. */
		if (m->linked && !name)
			continue;
		if (m->absent || (name && !has_name(m->name, str_of(name))))
			continue;
		f = highest(source_head(s, i));
		if (!f || !(f->traits.sets & sets))
			continue;
		/* All CTF traces of a source are read together, so one of them is enough. */
		if (f == &ctf_format && has_trace++)
			continue;
		out[n++] = (struct choice){ i, f->traits.rank,
			                    str_eq(str_base(m->name), STR("perf.data")) };
	}
	return n;
}

static void list(struct source *s, const struct choice *c, size_t n, struct diag *diag)
{
	diag_fatal(diag, PRSTR ": contains %zu profiles; choose one with --member:",
	           STRARG(s->name), n);
	for (size_t i = 0; i < n && i < LISTED; i++)
		diag_fatal(diag, "  --member " PRSTR,
		           STRARG(s->members[c[i].member].name));
}

static const char *wanted(unsigned sets)
{
	if (sets == READ_FOLDED)
		return "no folded stacks";
	return sets & READ_FOLDED ? "no perf.data, perf script text or folded stacks"
	                          : "no perf.data or perf script text";
}

/* Skips "./" and "/" at the start of a name, because "tar -t" may print them. */
static const char *bare(const char *name)
{
	for (;;) {
		if (name[0] == '/')
			name++;
		else if (name[0] == '.' && name[1] == '/')
			name += 2;
		else
			return name;
	}
}

/* If a member is empty or contains an error message of perf, reports this and returns true. */
static bool found_excuse(struct source *s, const char *name, struct diag *diag)
{
	for (size_t i = 0; i < s->n && i < LISTED; i++) {
		struct str member = s->members[i].name, head, line;

		if (s->members[i].absent || (name && !has_name(member, str_of(name))))
			continue;
		head = source_head(s, i);
		if (!head.n && (name || s->n == 1)) {
			diag_fatal(diag, PRSTR ": empty", STRARG(member));
			return true;
		}
		for (int n = 0; n < LISTED && head.n; n++) {
			line = str_trim(str_cut(&head, '\n'));
			if (!perfscript_is_error(line))
				continue;
			diag_fatal(diag,
			           PRSTR ": no samples; perf script printed: " PRSTR "%s",
			           STRARG(member), STRARG(line), perfscript_advice(line));
			return true;
		}
	}
	return false;
}

/*
 * If the file is the only file, the chosen file, or a profile in an unsupported format, reports
 * its kind and returns true.
 */
static bool report_kind(struct str file, struct str head, bool alone, struct diag *diag)
{
	const struct foreign *kind = foreign_find(head);

	if (!kind || !(kind->profile || alone))
		return false;
	diag_fatal(diag, PRSTR ": this is %s; %s", STRARG(file), kind->what,
	           kind->advice);
	return true;
}

static bool found_kind(struct source *s, const char *name, struct diag *diag)
{
	bool alone = s->n + s->npassed == 1;

	for (size_t i = 0; i < s->n && i < LISTED; i++) {
		struct str member = s->members[i].name;

		if (!s->members[i].absent && (!name || has_name(member, str_of(name))) &&
		    report_kind(alone ? s->name : member, source_head(s, i),
		                alone || name, diag))
			return true;
	}
	for (size_t i = 0; i < s->npassed; i++) {
		struct str file = s->passed[i].name;

		if ((!name || has_name(file, str_of(name))) &&
		    report_kind(alone ? s->name : file, s->passed[i].head, alone || name,
		                diag))
			return true;
	}
	return false;
}

/* Reports the kind of the input if no member is usable. */
static int nothing(struct source *s, const char *name, unsigned sets, struct diag *diag)
{
	const struct format *f = s->n == 1 && !name ? highest(source_head(s, 0)) : NULL;

	if (!f && found_excuse(s, name, diag))
		return -1;
	if (f && f->what)
		return diag_fatal(diag, PRSTR ": %s; %s", STRARG(s->name), f->what,
		                  f->traits.is_folded ? "there is no work left"
		                                      : "convert it first: psym | pfold");
	if (found_kind(s, name ? bare(name) : NULL, diag))
		return -1;
	if (name)
		return diag_fatal(diag, PRSTR ": %s called %s in it", STRARG(s->name),
		                  wanted(sets), name);
	if (!s->n && s->kind == SOURCE_DIR)
		return diag_fatal(diag,
		                  PRSTR ": contains no files; give a profile, or a "
		                        "directory or archive that contains one",
		                  STRARG(s->name));
	return diag_fatal(diag, PRSTR ": %s in it", STRARG(s->name), wanted(sets));
}

int reader_choose(struct source *s, const char *name, unsigned sets, struct diag *diag,
                  size_t *out)
{
	arena_scope(scratch);
	struct choice *c = arena_new(&scratch, struct choice, s->n + 1);
	size_t n = candidates(s, name ? bare(name) : NULL, sets, c), kept = 0;
	int ret = -1;

	if (!n) {
		ret = nothing(s, name, sets, diag);
		goto out;
	}
	for (size_t i = 0; i < n; i++) {
		int order = kept ? compare(s, &c[i], &c[0]) : 0;

		if (order < 0)
			kept = 0;
		if (order <= 0)
			c[kept++] = c[i];
	}
	if (kept > 1) {
		list(s, c, kept, diag);
		goto out;
	}
	*out = c[0].member;
	ret = 0;
	if (s->n > 1)
		diag_note(diag, PRSTR ": profile is " PRSTR, STRARG(s->name),
		          STRARG(s->members[*out].name));
out:
	return ret;
}

struct reader *reader_open(struct source *s, size_t member, struct arena *run,
                           struct diag *diag)
{
	const struct format *f = highest(source_head(s, member));
	struct reader *r = f ? f->open(s, member, run, diag) : NULL;

	if (r)
		r->budget = s->budget;
	if (f)
		return r;
	diag_fatal(diag,
	           PRSTR ": expected perf.data, nettrace, pprof, perf script text or "
	                 "folded stacks",
	           STRARG(s->members[member].name));
	return NULL;
}

const struct traits *reader_traits(const struct reader *r)
{
	return &r->format->traits;
}

int reader_next(struct reader *r, struct event *ev)
{
	return budget_spent(r->budget) ? 0 : r->format->next(r, ev);
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

uint64_t reader_seek(struct reader *r, uint64_t at, uint64_t n)
{
	return r->format->seek ? r->format->seek(r, at, n) : UINT64_MAX;
}

bool reader_has_events(const struct reader *r)
{
	return r->format->want_events != NULL;
}

void reader_want_events(struct reader *r, const struct event_names *names)
{
	if (r->format->want_events)
		r->format->want_events(r, names);
}

void reader_rewind(struct reader *r)
{
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

const struct capture *reader_capture(const struct reader *r)
{
	static const struct capture none = { 0 };

	return r->format->capture ? r->format->capture(r) : &none;
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

bool reader_trace_value(struct reader *r, const struct event *ev, struct str field,
                        struct trace_value *out)
{
	return r->format->trace_value && r->format->trace_value(r, ev, field, out);
}

struct str reader_trace_fields(struct reader *r, const struct event *ev, struct arena *a)
{
	return r->format->trace_fields ? r->format->trace_fields(r, ev, a)
	                               : (struct str){ 0 };
}

size_t reader_locations(const struct reader *r)
{
	return r->format->locations ? r->format->locations(r) : 0;
}

void reader_skim(struct reader *r, const struct skimming *s)
{
	r->skimming = s;
	if (r->format->skim)
		r->format->skim(r, s != NULL);
}

void reader_join(struct reader *r, bool undated)
{
	if (r->format->join)
		r->format->join(r, undated);
}

void reader_frames(struct reader *r, struct event *ev)
{
	if (r->format->frames)
		r->format->frames(r, ev);
}

struct location reader_location(struct reader *r, uint32_t number)
{
	return r->format->location(r, number);
}

struct str reader_written(const struct reader *r)
{
	return r->format->written ? r->format->written(r) : (struct str){ 0 };
}

void reader_close(struct reader *r)
{
	if (r)
		r->format->close(r);
}

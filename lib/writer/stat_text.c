#include "writer/stat_text.h"

#include "base/clock.h"
#include "reader/event_name.h"
#include "stack/head.h"
#include "writer/caption.h"
#include "writer/unit.h"

enum {
	LISTED = 10,  /* maximum number of threads, processes and events */
	ROWS = 40,    /* maximum number of rows of the chart */
	COLUMNS = 48, /* length of the longest bar, in columns */
	/* a gap is reported if it is at least 20 times the mean time between samples */
	GAP_TIMES = 20,
	/* no unusual rate is reported if there are fewer seconds than this */
	FEW_SECONDS = 5,
	FEW_SAMPLES = 20, /* no gaps are reported if there are fewer samples */
};

static const uint64_t MS = 1000000; /* in ns */

struct page {
	struct out *out;
	const struct statistics *s;
	const struct stat_text_look *look;
	struct arena *a;
	struct unit unit; /* unit of the selected event's weight */
	uint64_t weight;  /* weight of all samples of the selected event */
	size_t unusual;   /* number of reported anomalies */
};

static struct str grouped(struct page *p, uint64_t n)
{
	return unit_group(arena_fmt(p->a, "%llu", (unsigned long long)n), p->a);
}

static struct str duration(struct page *p, uint64_t ns)
{
	static const struct unit unit = { .name = { "ns", 2 } };

	return unit_format(&unit, (double)ns, STR(""), p->a);
}

/* Returns a time as perf script prints it, in seconds with microseconds. */
static struct str moment(struct page *p, uint64_t ns)
{
	return arena_fmt(p->a, "%llu.%06llu", (unsigned long long)(ns / CLOCK_SECOND_NS),
	                 (unsigned long long)(ns % CLOCK_SECOND_NS / 1000));
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/*
 * Returns the weight in a readable unit.  Returns "-" if the weight equals the number of samples,
 * because then all periods are 1.
 */
static struct str weight(struct page *p, const struct unit *unit, uint64_t w,
                         uint64_t samples)
{
	if (w == samples)
		return STR("-");
	return unit_format(unit, (double)w,
	                   arena_fmt(p->a, "%llu", (unsigned long long)w), p->a);
}

static struct str name_of(struct page *p, str_id id, const char *other)
{
	struct str name = intern_str(&p->s->names, id);

	return name.n ? caption_clean(p->a, name) : str_of(other);
}

static struct unit unit_of(struct page *p, const struct stat_event *e)
{
	return (struct unit){ .name = head_unit(event_name_base(
		                      intern_str(&p->s->names, e->name))) };
}

static void put_cell(struct out *o, struct str text, size_t width)
{
	for (size_t n = text.n; n < width; n++)
		out_char(o, ' ');
	out_str(o, text);
}

static void put_events(struct page *p)
{
	out_str(p->out, STR("\nevents    samples          weight  kernel  frames\n"));
	for (size_t i = 0; i < p->s->nevents && i < LISTED; i++) {
		const struct stat_event *e = &p->s->event[i];
		struct unit unit = unit_of(p, e);

		put_cell(p->out, grouped(p, e->samples), 17);
		put_cell(p->out, weight(p, &unit, e->weight, e->samples), 16);
		out_fmt(p->out, "%6.1f %%%8.1f  ", percent(e->kernel, e->weight),
		        (double)e->frames / (double)e->samples);
		out_str(p->out, name_of(p, e->name, "(no name)"));
		out_char(p->out, '\n');
	}
	if (p->s->nevents > LISTED)
		out_fmt(p->out, "%17zu more\n", p->s->nevents - LISTED);
}

static void put_thread(struct page *p, const struct stat_thread *t)
{
	out_fmt(p->out, "%15.1f %%", percent(t->weight, p->weight));
	put_cell(p->out, weight(p, &p->unit, t->weight, t->samples), 16);
	put_cell(p->out, grouped(p, t->samples), 14);
	out_str(p->out, STR("  "));
	out_str(p->out, name_of(p, t->comm, "(no name)"));
	out_str(p->out, STR(" ("));
	if (t->pid >= 0)
		out_dec(p->out, (uint64_t)t->pid);
	else
		out_char(p->out, '?');
	if (t->tid >= 0)
		out_fmt(p->out, "/%d", t->tid);
	out_str(p->out, STR(")\n"));
}

/*
 * Writes a table of threads or processes.  Omits threads and processes that have no samples of
 * the selected event.
 */
static void put_threads(struct page *p, const char *title, const struct stat_thread *t,
                        size_t n)
{
	uint64_t rest = 0;
	size_t more = 0;

	out_fmt(p->out, "\n%-9s   share          weight       samples\n", title);
	for (size_t i = 0; i < n; i++) {
		if (i < LISTED && t[i].samples) {
			put_thread(p, &t[i]);
			continue;
		}
		more += t[i].samples > 0;
		rest += t[i].weight;
	}
	if (more)
		out_fmt(p->out, "%15.1f %%  in %zu more\n", percent(rest, p->weight),
		        more);
}

static void put_bar(struct page *p, uint64_t value, uint64_t most)
{
	static const char *const parts[] = { "",
		                             "\xe2\x96\x8f",
		                             "\xe2\x96\x8e",
		                             "\xe2\x96\x8d",
		                             "\xe2\x96\x8c",
		                             "\xe2\x96\x8b",
		                             "\xe2\x96\x8a",
		                             "\xe2\x96\x89" };
	unsigned eighths = (unsigned)((double)value / (double)most * COLUMNS * 8 + 0.5);

	if (value && !eighths)
		eighths = 1;
	if (!p->look->blocks)
		eighths = (eighths + 7) / 8 * 8;
	for (unsigned i = 0; i < eighths / 8; i++)
		out_str(p->out, p->look->blocks ? STR("\xe2\x96\x88") : STR("#"));
	out_str(p->out, str_of(parts[eighths % 8]));
}

/*
 * Writes a chart of samples over time, with at most ROWS rows.  A row covers one second or, in a
 * long profile, several seconds.
 */
static void put_chart(struct page *p)
{
	const struct stat_second *s = p->s->second;
	uint64_t sums[ROWS] = { 0 }, first, span, step, most = 0;

	if (!p->s->nseconds)
		return;
	first = s[0].second;
	span = s[p->s->nseconds - 1].second - first + 1;
	step = (span + ROWS - 1) / ROWS;
	for (size_t i = 0; i < p->s->nseconds; i++) {
		uint64_t *sum = &sums[(s[i].second - first) / step];

		*sum += s[i].samples;
		if (*sum > most)
			most = *sum;
	}
	out_fmt(p->out, "\nsamples of each %s%s\n",
	        step == 1 ? "second"
	                  : arena_fmt(p->a, "%llu seconds", (unsigned long long)step).p,
	        p->s->nevents > 1 ? ", of the first event" : "");
	for (uint64_t row = 0; row <= (span - 1) / step; row++) {
		uint64_t second = first + row * step;

		put_cell(p->out, grouped(p, sums[row]), 17);
		out_fmt(p->out, "  %-10llu  ", (unsigned long long)second);
		put_bar(p, sums[row], most);
		out_char(p->out, '\n');
	}
}

static uint64_t gap_length(const struct stat_gap *g)
{
	return g->to_ns - g->from_ns;
}

/* Writes the gaps that are much longer than the mean time between samples. */
static void put_gaps(struct page *p)
{
	const struct statistics *s = p->s;
	uint64_t mean = s->times.timed
	                        ? (s->times.last_ns - s->times.first_ns) / s->times.timed
	                        : 0;
	bool begun = false;

	for (size_t i = 0; i < STAT_GAPS; i++) {
		uint64_t length = gap_length(&s->times.gap[i]);

		if (length < 10 * MS || length / GAP_TIMES < mean)
			break;
		if (!begun)
			out_str(p->out, STR("\nno sample for\n"));
		begun = true;
		put_cell(p->out, duration(p, length), 17);
		out_fmt(p->out, "  from " PRSTR " on\n",
		        STRARG(moment(p, s->times.gap[i].from_ns)));
	}
}

/* Begins a line for an anomaly. */
static struct out *unusual(struct page *p)
{
	if (!p->unusual++)
		out_str(p->out, STR("\nunusual\n"));
	out_str(p->out, STR("  "));
	return p->out;
}

static void write_shares(struct page *p)
{
	const struct stat_event *e = p->s->event;
	const struct stat_thread *t = p->s->thread;

	if (p->s->nthreads > 1 && percent(t->weight, p->weight) >= 50)
		out_fmt(unusual(p), "%.1f %% is of one thread, " PRSTR " (%d)\n",
		        percent(t->weight, p->weight),
		        STRARG(name_of(p, t->comm, "(no name)")), t->tid);
	if (!e->tracepoint && percent(e->kernel, e->weight) >= 90)
		out_fmt(unusual(p), "%.1f %% was sampled in kernel code\n",
		        percent(e->kernel, e->weight));
	if (!e->tracepoint && !e->runtime && percent(e->bare, e->samples) >= 50)
		out_fmt(unusual(p),
		        "%.1f %% of the samples have no stack; perf record -g records "
		        "them\n",
		        percent(e->bare, e->samples));
}

static void report_losses(struct page *p)
{
	const struct statistics *s = p->s;

	if (s->lost.records && !s->samples)
		out_fmt(unusual(p), PRSTR " event%s lost\n",
		        STRARG(grouped(p, s->lost.records)),
		        s->lost.records == 1 ? " was" : "s were");
	else if (s->lost.records)
		out_fmt(unusual(p),
		        PRSTR " records were lost; use larger buffers (perf record -m) "
		              "or fewer samples (-F)\n",
		        STRARG(grouped(p, s->lost.records)));
	if (s->lost.samples)
		out_fmt(unusual(p), PRSTR " samples were lost\n",
		        STRARG(grouped(p, s->lost.samples)));
	if (s->lost.throttled)
		out_fmt(unusual(p),
		        "throttled " PRSTR " times: the event came more often than "
		        "kernel.perf_event_max_sample_rate allows\n",
		        STRARG(grouped(p, s->lost.throttled)));
}

ORDER(by_value, uint64_t, num_cmp(*a, *b))

/*
 * Reports seconds that have less than a tenth of the usual number of samples.  Skips the first
 * and the last second, which are incomplete.
 */
static void write_rate(struct page *p)
{
	const struct stat_second *s = p->s->second;
	uint64_t span, usual, *sorted;
	size_t n = p->s->nseconds, few = 0;

	if (n < FEW_SECONDS)
		return;
	sorted = arena_new(p->a, uint64_t, n);
	for (size_t i = 0; i < n; i++)
		sorted[i] = s[i].samples;
	order_by(sorted, n, by_value);
	usual = sorted[n / 2];
	for (size_t i = 1; i + 1 < n; i++)
		few += s[i].samples < usual / 10;
	span = s[n - 1].second - s[0].second + 1;
	if (few || span > n)
		out_fmt(unusual(p),
		        PRSTR " of " PRSTR
		              " seconds have under a tenth of the usual " PRSTR
		              " samples\n",
		        STRARG(grouped(p, few + (span - n))), STRARG(grouped(p, span)),
		        STRARG(grouped(p, usual)));
}

static void write_times(struct page *p)
{
	const struct statistics *s = p->s;
	uint64_t span = s->times.last_ns - s->times.first_ns,
	         gap = gap_length(&s->times.gap[0]);

	if (s->samples && s->times.timed < s->samples)
		out_fmt(unusual(p), PRSTR " samples have no time\n",
		        STRARG(grouped(p, s->samples - s->times.timed)));
	if (s->times.back_ns >= MS)
		out_fmt(unusual(p),
		        "times go back in " PRSTR " places, by " PRSTR
		        " at most: the samples are not in order, or the clock was set\n",
		        STRARG(grouped(p, s->times.back)),
		        STRARG(duration(p, s->times.back_ns)));
	if (gap >= CLOCK_SECOND_NS && gap >= span / 2 && s->times.timed >= FEW_SAMPLES)
		out_fmt(unusual(p),
		        "no sample for %.1f %% of the time: no thread ran, the machine "
		        "was suspended, or its clock jumped\n",
		        percent(gap, span));
	else
		write_rate(p);
}

static void put_title(struct page *p)
{
	const struct statistics *s = p->s;

	if (p->look->input) {
		out_str(p->out, caption_clean(p->a, str_of(p->look->input)));
		out_str(p->out, STR(": "));
	}
	if (s->samples || !s->events)
		out_fmt(p->out, PRSTR " sample%s%s", STRARG(grouped(p, s->samples)),
		        s->samples == 1 ? "" : "s", s->events ? " and " : "");
	if (s->events)
		out_fmt(p->out, PRSTR " event%s of the runtime",
		        STRARG(grouped(p, s->events)), s->events == 1 ? "" : "s");
	if (s->times.timed)
		out_fmt(p->out, " in " PRSTR ", from " PRSTR " to " PRSTR,
		        STRARG(duration(p, s->times.last_ns - s->times.first_ns)),
		        STRARG(moment(p, s->times.first_ns)),
		        STRARG(moment(p, s->times.last_ns)));
	out_char(p->out, '\n');
}

void stat_text_write(struct out *o, const struct statistics *s,
                     const struct stat_text_look *look, struct arena *scratch)
{
	struct page p = { .out = o, .s = s, .look = look, .a = scratch };

	put_title(&p);
	if (s->nevents) {
		p.weight = s->event[0].weight;
		p.unit = unit_of(&p, &s->event[0]);
		put_events(&p);
		put_threads(&p, "processes", s->process, s->nprocesses);
		put_threads(&p, "threads", s->thread, s->nthreads);
		put_chart(&p);
		put_gaps(&p);
		write_shares(&p);
		write_times(&p);
	}
	report_losses(&p);
	if (!p.unusual)
		out_str(o, STR("\nnothing unusual\n"));
}

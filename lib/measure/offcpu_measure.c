#include "measure/offcpu_measure.h"

#include "measure/counted.h"
#include "measure/measure.h"
#include "measure/wall.h"

struct both {
	struct measure_run *run;
	struct offcpu off;
	struct wall wall; /* used if opts.wall is set */
};

static bool set_classes(struct measure_opts *opts, const char *arg)
{
	return offcpu_classes(&opts->off, arg);
}

static bool set_frames(struct measure_opts *opts, const char *arg)
{
	return offcpu_frames(&opts->off, arg);
}

static bool set_wakers(struct measure_opts *opts, const char *arg)
{
	(void)arg;
	return opts->off.wakers = true;
}

static bool set_wall(struct measure_opts *opts, const char *arg)
{
	(void)arg;
	return opts->off.wall = true;
}

static const struct measure_option options[] = {
	{ "off-cpu", set_classes, "not understood; try 'pfold --help'" },
	{ "off-by", set_frames, "not understood; try 'pfold --help'" },
	{ "wakers", set_wakers, "" },
	{ "wall", set_wall, "" },
	{ 0 },
};

static bool fits(const struct measure_opts *opts, const struct reader *r)
{
	(void)r;
	return opts->off.classes;
}

static void init(void *state, struct measure_run *run)
{
	struct both *m = state;

	m->run = run;
	run->noun = "interval";
	offcpu_init(&m->off, &run->opts->off, run->fold);
	if (run->opts->off.wall)
		wall_init(&m->wall, &m->off, run->fold, &run->events);
}

static bool take(void *state, struct profile *p, const struct sample *s)
{
	struct both *m = state;

	if (m->run->opts->off.wall)
		wall_take(&m->wall, p, s);
	else
		offcpu_take(&m->off, p, s);
	return true;
}

static void end(void *state)
{
	struct both *m = state;
	const struct offcpu_counts *off = &m->off.counts;

	offcpu_end(&m->off);
	m->run->counts.samples = off->taken + m->wall.counts.samples;
	m->run->counts.dropped = m->wall.counts.dropped;
	m->run->counts.untimed = off->unplaced;
	m->run->half = m->run->opts->off.wall &&
	               (!m->wall.counts.seen || (!off->switches && !off->taken));
}

static struct head head(const void *state, struct arena *a)
{
	const struct both *m = state;

	(void)a;
	return (struct head){
		.event = m->run->opts->off.wall ? STR("wall") : STR("off-cpu"),
		.unit = STR("ns"),
	};
}

static void report(const void *state, struct diag *diag, struct arena *a)
{
	const struct both *m = state;
	const struct offcpu_counts *n = &m->off.counts;
	const struct counted left_out[] = {
		{ n->lost, "interval in which records were lost",
		  "intervals in which records were lost" },
		{ n->open, "interval that had not ended",
		  "intervals that had not ended" },
	};

	if (n->missing)
		diag_note(diag,
		          "context switches are missing in %llu place%s; the time in "
		          "between is left out",
		          (unsigned long long)n->missing, n->missing == 1 ? "" : "s");
	if (m->wall.counts.unknown)
		diag_note(diag,
		          "samples on the CPU left out, because no switch shows how long "
		          "their threads had run: %llu",
		          (unsigned long long)m->wall.counts.unknown);
	counted_report(diag, a, left_out, 2);
}

static bool nothing(const void *state, struct diag *diag, const char *input)
{
	const struct both *m = state;
	const struct offcpu_counts *n = &m->off.counts;
	struct str other = events_list_left_out(&m->run->events, m->run->arena);

	if (m->run->opts->off.wall && !m->wall.counts.seen)
		diag_fatal(
		        diag,
		        "%s: no samples of time on the CPU, only " PRSTR
		        "; record both with perf record -a -g -e "
		        "cpu-clock,sched:sched_switch,sched:sched_wakeup --switch-events",
		        input, STRARG(other.n ? other : STR("switches")));
	else if (n->unplaced)
		diag_fatal(diag,
		           "%s: these offcpu-time events are sums without times; they "
		           "cannot be divided by time",
		           input);
	else if (!n->switches && n->unreadable)
		diag_fatal(diag,
		           "%s: the times or fields of all %llu sched:sched_switch "
		           "events are missing or cannot be read; print them with perf "
		           "script -F +time,+trace",
		           input, (unsigned long long)n->unreadable);
	else if (!n->switches)
		diag_fatal(diag,
		           "%s: no sched:sched_switch or offcpu-time events; record "
		           "switches with perf record -a -g -e "
		           "sched:sched_switch,sched:sched_wakeup --switch-events",
		           input);
	else
		diag_fatal(diag,
		           "%s: no event shows when a thread resumed (%llu switches); "
		           "record with perf record -a or --switch-events",
		           input, (unsigned long long)n->switches);
	return true;
}

const struct measure offcpu_measure = {
	.name = "off-CPU",
	.options = options,
	.size = sizeof(struct both),
	.kinds = (uint64_t)1 << EV_SWITCH | (uint64_t)1 << EV_LOST,
	.select_at = offsetof(struct both, off.select),
	.fits = fits,
	.init = init,
	.take = take,
	.end = end,
	.head = head,
	.report = report,
	.nothing = nothing,
};

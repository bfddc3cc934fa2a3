#include "pfold_report.h"

#include "symbol/report/summary.h"

/* ", 3 lines ignored" when there are any. */
static struct str also(struct arena *a, uint64_t n, const char *one, const char *many)
{
	if (!n)
		return (struct str){ "", 0 };
	return arena_fmt(a, ", %llu %s", (unsigned long long)n, n == 1 ? one : many);
}

/* Time off the CPU that is not in the sum. */
static void say_off(struct pfold_run *r)
{
	const struct offcpu_counts *n = &r->off.counts;
	struct str lost =
	        also(&r->scratch, n->lost, "interval in which records were lost",
	             "intervals in which records were lost");
	struct str open = also(&r->scratch, n->open, "interval that had not ended",
	                       "intervals that had not ended");

	if (n->missing)
		diag_note(&r->tool->cmd.diag,
		          "switches are missing in %llu place%s: time that a thread may "
		          "have run meanwhile is left out",
		          (unsigned long long)n->missing, n->missing == 1 ? "" : "s");
	if (r->wall.counts.unknown)
		diag_note(
		        &r->tool->cmd.diag,
		        "samples on the CPU left out, as no switch tells how long their "
		        "threads had run: %llu",
		        (unsigned long long)r->wall.counts.unknown);
	if (lost.n + open.n)
		diag_note(&r->tool->cmd.diag, "left out" PRSTR PRSTR, STRARG(lost),
		          STRARG(open));
}

/* ", 31 slices from 6035.000000 on" */
static struct str say_slices(struct pfold_run *r)
{
	struct str n = also(&r->scratch, r->slices.count, "slice", "slices");
	uint64_t us = slices_begin_us(&r->slices);

	if (!us)
		return n;
	return arena_fmt(&r->scratch, PRSTR " from %llu.%06llu on", STRARG(n),
	                 (unsigned long long)(us / 1000000),
	                 (unsigned long long)(us % 1000000));
}

/* Pairs that are not in the sum. */
static void say_latency(struct pfold_run *r)
{
	const struct latency_counts *n = &r->latency.counts;
	struct str other = events_list_left_out(&r->latency.other, &r->scratch);
	struct str left_out[] = {
		also(&r->scratch, n->unended, "begin without an end",
		     "begins without an end"),
		also(&r->scratch, n->unbegun, "end without a begin",
		     "ends without a begin"),
		also(&r->scratch, n->lost, "pair in which records were lost",
		     "pairs in which records were lost"),
		also(&r->scratch, n->untimed, "event without time or thread",
		     "events without time or thread"),
	};

	if (other.n)
		diag_note(&r->tool->cmd.diag, "other events left out: " PRSTR,
		          STRARG(other));
	if (n->unended + n->unbegun + n->lost + n->untimed)
		diag_note(&r->tool->cmd.diag, "left out" PRSTR PRSTR PRSTR PRSTR,
		          STRARG(left_out[0]), STRARG(left_out[1]), STRARG(left_out[2]),
		          STRARG(left_out[3]));
}

/* Events that are not in the sum of a view. */
static void say_view(struct pfold_run *r)
{
	const struct clr_counts *n = &r->clr.counts;
	struct str open =
	        also(&r->scratch, n->open, "that had not ended", "that had not ended");
	struct str stray = also(&r->scratch, n->stray, "that began before the trace",
	                        "that began before the trace");
	struct str lost = also(&r->scratch, n->lost, "in which events were lost",
	                       "in which events were lost");
	struct str cut = also(&r->scratch, n->cut, "whose payload is cut off",
	                      "whose payload is cut off");

	if (open.n + stray.n + lost.n + cut.n)
		diag_note(&r->tool->cmd.diag, "left out" PRSTR PRSTR PRSTR PRSTR,
		          STRARG(open), STRARG(stray), STRARG(lost), STRARG(cut));
}

void pfold_report_done(struct pfold_run *r, size_t stacks)
{
	struct diag *diag = &r->tool->cmd.diag;
	struct str left_out = events_list_left_out(&r->events, &r->scratch);
	struct str lacking = events_list_left_out(&r->weight.lacking, &r->scratch);
	struct str unnamed = { "", 0 }, guessed, more[9];
	struct coverage all = { .frames = r->frames,
		                .unknown = r->unknown,
		                .broken = r->broken,
		                .guessed = r->guessed };
	const char *noun = pfold_options_folds_time(r->tool) ? "interval"
	                   : r->counted                      ? "event"
	                                                     : "sample";
	const char *ends[] = { r->samples == 1 ? "" : "s", stacks == 1 ? "" : "s" };
	size_t most = r->tool->output.table.most;

	if (left_out.n)
		diag_note(diag, "other events left out (--event): " PRSTR,
		          STRARG(left_out));
	if (lacking.n)
		diag_note(diag, "without the field " PRSTR ", left out: " PRSTR,
		          STRARG(r->weight.field), STRARG(lacking));
	if (r->frames)
		unnamed = arena_fmt(&r->scratch, ", %.1f %% of %llu frames unnamed",
		                    100.0 * (double)r->unknown / (double)r->frames,
		                    (unsigned long long)r->frames);
	guessed = summary_guessed(&all, r->tool->cmd.strict, &r->scratch);
	more[0] = also(&r->scratch, r->weightless, "of weight 0 dropped",
	               "of weight 0 dropped");
	more[1] = also(&r->scratch, r->lost, "record lost while recording",
	               "records lost while recording");
	more[2] = also(&r->scratch, r->lost_samples, "sample lost while recording",
	               "samples lost while recording");
	more[3] = also(&r->scratch, r->ignored, "line ignored", "lines ignored");
	more[4] = also(&r->scratch, r->dropped, "dropped by rules", "dropped by rules");
	more[5] = also(&r->scratch, r->untimed, "without a time left out",
	               "without a time left out");
	more[6] = say_slices(r);
	more[8] = also(&r->scratch, r->bare, "without a recorded stack",
	               "without a recorded stack");
	more[7] = also(&r->scratch, r->weight.negative, "of a negative weight left out",
	               "of a negative weight left out");
	summary_advise(diag, &all, r->tool->cmd.strict);
	if (r->slices.undivided)
		diag_note(diag,
		          "%llu intervals longer than a slice are counted where they "
		          "begin; longer slices (--every) hold them",
		          (unsigned long long)r->slices.undivided);
	if (r->tool->off.classes)
		say_off(r);
	if (r->tool->latency.begin.n)
		say_latency(r);
	say_view(r);
	diag_note(diag,
	          "%llu %s%s in %zu stack%s" PRSTR PRSTR PRSTR PRSTR PRSTR PRSTR PRSTR
	                  PRSTR PRSTR PRSTR PRSTR PRSTR,
	          (unsigned long long)r->samples, noun, ends[0], stacks, ends[1],
	          STRARG(more[6]), STRARG(unnamed), STRARG(guessed), STRARG(more[0]),
	          STRARG(more[1]), STRARG(more[2]), STRARG(more[3]), STRARG(more[4]), STRARG(more[5]),
	          STRARG(more[7]), STRARG(more[8]), STRARG(r->worst));
	if (most && r->rows > most)
		diag_note(diag, "%zu of %zu rows are shown; --top=0 shows all", most,
		          r->rows);
}

/* Why there is no pair. */
static void say_no_latency(struct pfold_run *r, const char *name)
{
	const struct latency *l = &r->latency;
	struct str other = events_list_left_out(&l->other, &r->scratch);

	if (l->counts.untimed)
		diag_fatal(&r->tool->cmd.diag,
		           "%s: the events do not say their times or threads; perf "
		           "script -F +time,+tid does",
		           name);
	else
		diag_fatal(&r->tool->cmd.diag,
		           "%s: no begin has its end: %llu of event " PRSTR
		           ", %llu of event " PRSTR "%s" PRSTR,
		           name, (unsigned long long)l->counts.begins,
		           STRARG(l->opts.begin), (unsigned long long)l->counts.ends,
		           STRARG(l->opts.end), other.n ? "; there are: " : "",
		           STRARG(other));
}

void pfold_report_nothing(struct pfold_run *r, const char *input)
{
	struct diag *diag = &r->tool->cmd.diag;
	struct str other = events_list_left_out(&r->events, &r->scratch);
	const char *name = input ? input : "standard input";

	say_view(r);
	if (r->tool->wall && !r->wall.counts.seen)
		diag_fatal(diag,
		           "%s: no samples on the CPU that tell time, only " PRSTR
		           "; perf record -a -g -e cpu-clock,sched:sched_switch,"
		           "sched:sched_wakeup --switch-events has both",
		           name, STRARG(other.n ? other : STR("switches")));
	else if (r->off.counts.unplaced)
		diag_fatal(diag,
		           "%s: offcpu-time events that are sums do not say when threads "
		           "waited: they are of no slice of time",
		           name);
	else if (r->tool->off.classes && !r->off.counts.switches &&
	         r->off.counts.unreadable)
		diag_fatal(diag,
		           "%s: the times or fields of all %llu sched:sched_switch events are "
		           "missing or cannot be read; perf script prints them with -F "
		           "+time,+trace",
		           name, (unsigned long long)r->off.counts.unreadable);
	else if (r->tool->off.classes && !r->off.counts.switches)
		diag_fatal(diag,
		           "%s: no sched:sched_switch or offcpu-time events; the first "
		           "are recorded by perf "
		           "record -a -g -e sched:sched_switch,sched:sched_wakeup "
		           "--switch-events",
		           name);
	else if (r->tool->off.classes)
		diag_fatal(diag,
		           "%s: nothing says when a thread came back (%llu switches); "
		           "perf record -a or --switch-events records it",
		           name, (unsigned long long)r->off.counts.switches);
	else if (r->tool->latency.begin.n)
		say_no_latency(r, name);
	else if (r->weight.there.n)
		diag_fatal(diag,
		           "%s: no sample%s%s has a number called " PRSTR
		           "; there are: " PRSTR "%s" PRSTR,
		           name, r->events.want ? " of event " : "",
		           r->events.want ? r->events.want : "", STRARG(r->weight.field),
		           STRARG(r->weight.there),
		           other.n ? "; other events have it: " : "", STRARG(other));
	else if (other.n && r->events.want)
		diag_fatal(diag, "%s: no samples of event %s; there are: " PRSTR, name,
		           r->events.want, STRARG(other));
	else if (r->events.want && r->tool->events.n)
		diag_fatal(
		        diag,
		        "%s: no samples of event %s; --list-events lists what there is",
		        name, r->events.want);
	else if (r->events_alone)
		diag_fatal(diag,
		           "%s: no samples, but events of a runtime; --list-events lists "
		           "them, --event folds one",
		           name);
	else
		diag_fatal(diag, "%s: no samples%s", name,
		           r->dropped   ? " that the rules keep"
		           : r->untimed ? " that say when they were taken"
		           : r->weightless || r->weight.negative ? " that weigh anything"
		           : r->tool->selects ? " that the options select"
		                              : "");
}

#include "pfold_report.h"

#include "measure/counted.h"
#include "stack/sums.h"

static size_t stacks_with_weight(const struct stacks *s)
{
	size_t n = 0;

	for (stack_id i = 1; i < s->n; i++)
		n += weight_value(sums_self(s, i)) > 0;
	return n;
}

/* Returns ", 31 slices from 6035.000000 on". */
static struct str describe_slices(struct pfold_run *r)
{
	const struct counted slices = { r->slices.count, "slice", "slices" };
	struct str n = counted_list(&r->scratch, &slices, 1);
	uint64_t us = slices_begin_us(&r->slices);

	if (!us)
		return n;
	return arena_fmt(&r->scratch, PRSTR " from %llu.%06llu on", STRARG(n),
	                 (unsigned long long)(us / 1000000),
	                 (unsigned long long)(us % 1000000));
}

/* Returns ", 0.6 % of 120116 frames unnamed, 12 guessed". */
static struct str describe_frames(struct pfold_run *r)
{
	const struct coverage *all = &r->coverage;
	struct str unnamed = STR("");

	if (all->frames)
		unnamed = arena_fmt(&r->scratch, ", %.1f %% of %llu frames unnamed",
		                    100.0 * (double)all->unknown / (double)all->frames,
		                    (unsigned long long)all->frames);
	return arena_fmt(&r->scratch, PRSTR PRSTR, STRARG(unnamed),
	                 STRARG(summary_guessed(all, r->tool->cmd.strict, &r->scratch)));
}

void pfold_report_done(struct pfold_run *r)
{
	struct diag *diag = &r->tool->cmd.diag;
	const struct measure_counts *n = &r->measure.counts;
	const struct counted counts[] = {
		{ n->weightless, "of weight 0 dropped", NULL },
		{ n->lost, "record lost while recording",
		  "records lost while recording" },
		{ n->lost_samples, "sample lost while recording",
		  "samples lost while recording" },
		{ n->ignored, "line ignored", "lines ignored" },
		{ n->dropped, "dropped by rules", NULL },
		{ n->untimed, "without a time left out", NULL },
		{ n->negative, "of a negative weight left out", NULL },
		{ n->bare, "without a recorded stack", NULL },
	};
	struct str more = counted_list(&r->scratch, counts, 8);
	size_t stacks = stacks_with_weight(&r->fold.stacks);
	size_t most = r->tool->output.table.most;

	measure_report_events(&r->measure, diag, &r->scratch);
	summary_advise(diag, &r->coverage, r->tool->cmd.strict);
	if (r->slices.undivided)
		diag_note(diag,
		          "%llu intervals are longer than a slice, and counted at their "
		          "start; use longer slices (--every)",
		          (unsigned long long)r->slices.undivided);
	measure_report(&r->measure, diag, &r->scratch);
	diag_note(diag, "%llu %s%s in %zu stack%s" PRSTR PRSTR PRSTR PRSTR,
	          (unsigned long long)n->samples, r->measure.noun,
	          n->samples == 1 ? "" : "s", stacks, stacks == 1 ? "" : "s",
	          STRARG(describe_slices(r)), STRARG(describe_frames(r)), STRARG(more),
	          STRARG(r->worst));
	if (most && r->written.rows > most)
		diag_note(diag, "%zu of %zu rows are shown; --top=0 shows all", most,
		          r->written.rows);
}

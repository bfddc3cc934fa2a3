/*
 * pfold - folds call stacks to one line for each distinct stack, with its weight.
 *
 *	profile -> measure/measure (which samples, and their weights) -> stack/fold -> writer/output
 */
#include <unistd.h>

#include "batch.h"
#include "divided.h"
#include "events.h"
#include "measure/counted.h"
#include "measure/measure_part.h"
#include "pfold_options.h"
#include "stack/fold_part.h"
#include "stack/sums.h"
#include "symbol/report/summary.h"

/* The state for an output, which is made from one input or from all inputs. */
struct pfold_run {
	struct pfold *tool;
	struct arena arena, scratch;
	struct fold fold;
	struct slices slices;
	struct measure_run measure;
	struct select_hits hits;
	struct head_sum head;
	struct output_fold written;
	struct coverage coverage; /* counts of frames in all inputs */
	struct str worst; /* text about maps and about modules with unnamed frames */
	size_t inputs;
	bool met_sample; /* an input has a sample, even if it was not folded */
	bool failed;     /* at least one input could not be opened */
	bool refused;    /* the units of the inputs differ, and this was reported */
};

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

/* Prints the summary of a run after its fold was written. */
static void report_done(struct pfold_run *r)
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

static void begin_run(struct pfold_run *r, struct pfold *t)
{
	const struct output_opts *out = &t->output;
	struct fold_opts opts = t->fold;

	*r = (struct pfold_run){ .tool = t, .head.arena = &r->arena };
	opts.labels.marks = (t->no_marks || opts.labels.compat) && !output_is_table(out)
	                            ? t->marks
	                            : MARK_ALL;
	opts.threads = out->row->places || out->table.by == GROUP_PROCESS;
	opts.no_lines = !t->lines;
	if (opts.root == FOLD_ROOT_NONE &&
	    (out->table.by == GROUP_COMM || out->table.by == GROUP_PROCESS))
		opts.root = FOLD_ROOT_COMM;
	fold_init(&r->fold, &r->arena, &opts);
	if (out->row->sites)
		fold_keep_sites(&r->fold);
	if (output_is_folded(out) && !opts.labels.compat && !out->no_header)
		fold_keep_origins(&r->fold);
	slices_init(&r->slices, &r->arena, &t->slices);
	r->fold.slices = slices_wanted(&t->slices) ? &r->slices : NULL;
	select_begin(&t->select, &r->hits, &r->arena);
	measure_init(&r->measure, &t->measure, &r->fold, &r->arena);
	r->written = (struct output_fold){
		.fold = &r->fold,
		.head = &r->head,
		.marks = r->measure.marks,
		.parted = r->fold.slices && !pfold_options_slice_files(t),
		.aligned = !t->cmd.output && isatty(STDOUT_FILENO),
		.diag = &t->cmd.diag,
		.scratch = &r->scratch,
	};
}

/* Reports rules without effect. */
static void check_rules(struct pfold_run *r, const struct profile *p, const char *input)
{
	struct pfold *t = r->tool;

	if (profile_traits(p)->is_folded && t->fold.rules &&
	    rule_asks_more(t->fold.rules))
		diag_note(&t->cmd.diag,
		          "%s: folded stacks contain neither threads nor modules; rules "
		          "about them are ignored",
		          cmd_input_name(input));
}

static void count_frames(struct pfold_run *r, const struct profile *p)
{
	struct coverage found = summary_count(p), *all = &r->coverage;

	all->frames += found.frames;
	all->unknown += found.unknown;
	all->guessed += found.guessed;
	all->broken += found.broken;
}

/* An input, which several processes may fold. */
struct folding {
	struct pfold_run *run;
	struct profile *p;
	struct fold_sent sent; /* used in a worker */
};

static void fold_samples(void *ctx, struct out *out)
{
	const struct folding *f = ctx;
	struct sample s;

	(void)out;
	while (profile_next(f->p, &s) > 0)
		measure_take(&f->run->measure, &s);
}

static void begin_part(void *ctx)
{
	struct folding *f = ctx;

	fold_part_begin(&f->run->fold, &f->sent);
	measure_part_begin(&f->run->measure);
}

static void send_part(void *ctx, struct out *to)
{
	struct folding *f = ctx;

	fold_part_send(&f->run->fold, &f->sent, to);
	measure_part_send(&f->run->measure, to);
}

static void take_part(void *ctx, const struct part_sent *frames, void *known,
                      struct cursor *from)
{
	struct folding *f = ctx;

	(void)frames;
	fold_part_take(&f->run->fold, known, from);
	measure_part_take(&f->run->measure, from);
}

static struct divided divide(struct folding *f)
{
	return (struct divided){
		.c = &f->run->tool->cmd,
		.p = f->p,
		.alone = !measure_part_divides(&f->run->measure),
		.few = true,
		.read = fold_samples,
		.begin = begin_part,
		.send = send_part,
		.take = take_part,
		.state = sizeof(struct fold_known),
		.ctx = f,
	};
}

static void learn(struct pfold_run *r, struct profile *p)
{
	struct folding f = { .run = r, .p = p };
	const struct divided divided = divide(&f);

	divided_learn(&divided);
}

static void fold_all(struct pfold_run *r, struct profile *p)
{
	struct folding f = { .run = r, .p = p };
	const struct divided divided = divide(&f);

	divided_run(&divided, NULL);
	fold_samples(&f, NULL);
}

/* Folds the samples of a profile.  Skips damaged parts, and records that are not samples. */
static void fold_profile(struct pfold_run *r, struct profile *p,
                         const struct select *select, const char *input)
{
	struct cmd *c = &r->tool->cmd;

	check_rules(r, p, input);
	measure_begin(&r->measure, select);
	fold_all(r, p);
	measure_end(&r->measure);
	r->met_sample |= profile_met_sample(p);
	r->refused |=
	        !measure_head(&r->measure, &r->head, &c->diag, cmd_input_name(input));
	count_frames(r, p);
	cmd_report(c, p, input, false);
	/* For several inputs, only sums are reported. */
	r->worst = r->inputs++ ? (struct str){ 0 } : summary_worst(p, &r->arena);
}

static void read_input(struct pfold_run *r, const char *input)
{
	struct pfold *t = r->tool;
	struct profile_opts opts = cmd_profile_opts(&t->cmd, input);
	/* a copy, because the times in --time depend on the input */
	struct select own = t->select;
	const struct select *select = t->selects ? &own : NULL;
	struct profile *p;

	opts.formats |= READ_FOLDED;
	opts.lines =
	        t->lines || t->output.row->places || t->output.table.by == GROUP_LINE;
	opts.addresses = t->fold.labels.addrs;
	opts.kinds = measure_kinds(&t->measure);
	opts.events = &t->measure.events;
	p = profile_open(&opts);
	if (p) {
		measure_open(&r->measure, p, select);
		learn(r, p);
	}
	if (p && select_settle(&own, profile_reader(p), false, &t->cmd.diag) == 0)
		fold_profile(r, p, select, input);
	else
		r->failed = t->cmd.skipped = true;
	profile_close(p);
}

/*
 * Writes the fold.  `suffix` is appended to the output's name.  Returns the same values as
 * end_run.
 */
static int write_fold(struct pfold_run *r, const char *input, const char *suffix)
{
	const struct output_opts *out = &r->tool->output;
	struct cmd *c = &r->tool->cmd;
	struct out o;

	if (cmd_open_output(c, &o, input, suffix) < 0)
		return -1;
	if (!out->row->write(&o, &r->written, out)) {
		cmd_discard_output(c, &o);
		return 0;
	}
	return cmd_close_output(c, &o) < 0 ? -1 : 1;
}

/*
 * Writes each slice to a file, in the format of the whole fold.  Returns the same values as
 * end_run.
 */
static int write_slices(struct pfold_run *r, const char *input)
{
	struct stacks whole = r->fold.stacks;
	struct slice slice;
	size_t at = 0;
	int ret = 1;

	while (ret > 0 && slices_next(&r->slices, &at, &slice)) {
		struct arena own = { 0 };
		struct str name = slices_name(&r->slices, slice.number, &own);

		r->fold.stacks.arena = &own;
		slices_stacks(&slice, &whole, 0, &r->fold.stacks);
		r->head.head.samples = slice.samples;
		r->head.head.duration_us = r->tool->slices.us;
		r->head.head.cpus = 0;
		name = arena_fmt(&own, "/" PRSTR ".%s", STRARG(name),
		                 r->tool->output.row->suffix);
		ret = write_fold(r, input, name.p);
		arena_release(&own);
		arena_release(&r->scratch);
	}
	r->fold.stacks = whole;
	return ret;
}

/* Applies --skip-after, and reports functions that do not occur. */
static void skip_callers(struct pfold_run *r)
{
	const struct pfold *t = r->tool;
	bool *met = arena_new(&r->scratch, bool, t->nstarts + 1);

	if (!t->nstarts)
		return;
	slices_rename(&r->slices,
	              fold_skip_callers(&r->fold, t->starts, t->nstarts, met));
	for (size_t i = 0; i < t->nstarts && r->measure.counts.samples; i++)
		if (!met[i])
			diag_note(&r->tool->cmd.diag,
			          "--skip-after " PRSTR
			          ": no function has this name" PRSTR,
			          STRARG(t->starts[i]),
			          STRARG(fold_nearest(&r->fold, t->starts[i],
			                              &r->scratch)));
}

/*
 * Returns true if all inputs were read completely and have no samples.  Runtime events are not
 * samples.
 */
static bool is_empty(const struct pfold_run *r)
{
	return r->inputs && !r->met_sample && !r->measure.events_alone &&
	       !r->tool->cmd.diag.damaged;
}

static void report_written(struct pfold_run *r, const char *input)
{
	if (r->measure.counts.samples)
		report_done(r);
	else
		diag_note(&r->tool->cmd.diag, "%s: no samples", cmd_input_name(input));
}

/*
 * Writes and releases the fold.  The output is named after `input`.  Returns 1 if the fold was
 * written, 0 if it was empty, or -1 after a reported error.
 */
static int end_run(struct pfold_run *r, const char *input)
{
	const struct measure_run *m = &r->measure;
	struct rules *rules = r->tool->fold.rules;
	struct cmd *c = &r->tool->cmd;
	int ret;

	skip_callers(r);
	slices_sort(&r->slices);
	select_report_unmet(&r->tool->select, &c->diag);
	if (rules)
		rule_report_unmatched(rules);
	if (r->refused || (rules && rule_finish(rules) < 0)) {
		ret = 0;
	} else if ((!m->counts.samples || m->half) && !is_empty(r)) {
		if (!r->failed)
			measure_report_nothing(m, &c->diag, cmd_input_name(input),
			                       &r->scratch);
		c->skipped = true;
		ret = 0;
	} else if (pfold_options_slice_files(r->tool)) {
		ret = write_slices(r, input);
	} else {
		ret = write_fold(r, input, r->tool->output.row->suffix);
	}
	if (ret > 0)
		report_written(r, input);
	fold_end(&r->fold);
	arena_release(&r->arena);
	arena_release(&r->scratch);
	return ret;
}

/*
 * Folds n inputs into one output, which is named after the last input.  Returns the same values
 * as end_run.
 */
static int fold_inputs(struct pfold *t, const char *const *inputs, size_t n)
{
	struct pfold_run r;

	begin_run(&r, t);
	for (size_t i = 0; i < n; i++)
		read_input(&r, inputs[i]);
	return end_run(&r, inputs[n - 1]);
}

static enum batch_made fold_into_file(void *ctx, size_t i)
{
	struct pfold *t = ctx;
	int got = fold_inputs(t, &t->cmd.inputs[i], 1);

	return got < 0 ? BATCH_STUCK : got ? BATCH_MADE : BATCH_NOTHING;
}

/*
 * Writes all outputs.  Returns false if there was no output, or if an output could not be
 * written.
 */
static bool run(struct pfold *t)
{
	struct cmd *c = &t->cmd;
	struct batch batch = {
		.n = c->ninputs,
		.name = c->inputs,
		.profiles = true,
		.make = fold_into_file,
		.ctx = t,
	};

	if (c->list_events)
		return cmd_confine(c, t) && events_list(c);
	if (pfold_options_settle(t) < 0 || !cmd_confine(c, t))
		return false;
	if (cmd_mirrors(c))
		return batch_run(c, &batch);
	return fold_inputs(t, c->inputs, c->ninputs) > 0;
}

int main(int argc, char **argv)
{
	struct pfold t = { 0 };
	int status;

	bool started = cmd_start(&t.cmd, &pfold_options_tool, &t, argc, argv, &status);
	bool good = started && run(&t);

	rule_close(t.fold.rules);
	rule_close(t.fold.roots);
	return started ? cmd_end(&t.cmd, good) : status;
}

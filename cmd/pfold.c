/*
 * pfold - fold call stacks: one line for each distinct stack, with its weight.
 *
 *	profile -> reader/event_name (which samples) -> stack/fold -> writer/folded
 */
#include <stdio.h>
#include <unistd.h>

#include "batch.h"
#include "events.h"
#include "pfold_report.h"
#include "reader/fields.h"
#include "label/compat.h"
#include "reader/event_name.h"
#include "symbol/report/summary.h"
#include "writer/calltree.h"
#include "writer/folded.h"
#include "writer/pprof.h"
#include "writer/sliced.h"
#include "writer/speedscope.h"

/* The unit and event of one input's weights. */
struct input {
	struct head head; /* of folded stacks */
	bool stated;      /* the input says what its weights are */
	bool periods;     /* a weight of a sample is not 1 */
	bool counted;     /* such an event was met */
	bool view;        /* a view of them is folded */
	uint64_t before;  /* samples of the run before it */
};

static bool is_of_threads(const struct output *out)
{
	return out->table.by == GROUP_COMM || out->table.by == GROUP_PROCESS;
}

static void begin_run(struct pfold_run *r, struct pfold *t)
{
	bool tables = pfold_options_tables(t);

	*r = (struct pfold_run){ .tool = t, .head.arena = &r->arena };
	t->labels.marks =
	        (t->no_marks || t->labels.compat) && !tables ? t->marks : MARK_ALL;
	fold_init(&r->fold, &r->arena, &t->labels, t->ids);
	if (tables || t->output.to)
		fold_keep_sites(&r->fold);
	r->fold.threads = t->output.table.by == GROUP_PROCESS || t->output.to == TO_PPROF;
	r->fold.no_lines = !t->lines;
	r->fold.recursion = t->recursion;
	r->fold.rules = t->rules;
	r->fold.roots = t->roots;
	r->fold.root_is = t->root;
	if (t->root == FOLD_ROOT_NONE && is_of_threads(&t->output))
		r->fold.root_is = FOLD_ROOT_COMM;
	events_init(&r->events, &r->arena, t->event);
	select_begin(&t->select, &r->hits, &r->arena);
	if (t->labels.compat)
		r->events.base = compat_event(t->labels.compat);
	offcpu_init(&r->off, &t->off, &r->fold);
	if (t->wall)
		wall_init(&r->wall, &r->off, &r->fold, &r->events);
	slices_init(&r->slices, &r->arena, &t->slices);
	clr_init(&r->clr, &r->fold);
	marks_init(&r->marks, &r->arena);
	latency_init(&r->latency, &t->latency, &r->fold, &r->arena);
	r->weight = t->weight;
	field_weight_init(&r->weight, &r->arena);
	r->fold.slices = slices_wanted(&t->slices) ? &r->slices : NULL;
}

/* Where a tracepoint was passed is no stack, and is not printed as one. */
static bool has_stack(const struct attr *attr)
{
	return !attr || !attr->sample_type || attr->has_callchain ||
	       !select_is_tracepoint(attr);
}

/* An event of a runtime is asked for with its provider, or without it. */
static struct str event_name(struct pfold_run *r, struct input *in,
                             const struct attr *attr)
{
	struct str name = attr ? attr->name : STR("");
	size_t slash = str_find(name, '/');

	if (!attr || !attr->runtime)
		return name;
	in->counted = r->counted = true;
	return str_eq(name, str_of(r->events.want)) ? name : str_from(name, slash + 1);
}

/* Sets the weight to the field asked for; false: the sample has none, or a negative one. */
static bool take_field(struct pfold_run *r, struct input *in, const struct profile *p,
                       const struct event *ev, uint64_t *weight)
{
	int64_t v;

	if (!field_weight_read(&r->weight, profile_reader(p), ev, &v) ||
	    !events_take(&r->events, event_name(r, in, ev->attr)))
		return false;
	r->weight.negative += v < 0;
	*weight = (uint64_t)v;
	return v >= 0;
}

/* Counts what was folded of a runtime that keeps no stacks. */
static void count_bare(struct pfold_run *r, const struct attr *attr)
{
	r->bare += attr && attr->runtime && !(attr->sample_type & HAS_CALLCHAIN);
}

static void take_sample(struct pfold_run *r, struct input *in, const struct profile *p,
                        const struct sample *s)
{
	const struct attr *attr = s->ev->attr;
	uint64_t weight = r->tool->count_samples ? 1 : s->ev->weight;
	stack_id stack;

	if (r->tool->labels.compat) {
		weight = compat_weight(r->tool->labels.compat, weight);
		fold_set_java(&r->fold, compat_is_java(s->comm));
	}
	if (r->weight.field.n ? !take_field(r, in, p, s->ev, &weight)
	                      : !events_take(&r->events, event_name(r, in, attr)))
		return;
	if (!weight) {
		r->weightless++;
		return;
	}
	in->periods |= weight != 1;
	if (r->fold.slices && slices_want_time(&r->slices) && !s->ev->has_time) {
		r->untimed++;
		return;
	}
	if (!fold_sample(&r->fold, p, s, &stack)) {
		r->dropped++;
		return;
	}
	fold_add(&r->fold, stack, weight, s->ev->time_ns);
	count_bare(r, attr);
	r->samples++;
}

/* Takes an event of a view; false: it is none. */
static bool take_event(struct pfold_run *r, struct profile *p, const struct sample *s)
{
	struct clr_weight w;

	if (!clr_take(&r->clr, p, s, &w))
		return false;
	r->counted = true;
	if (!w.stack)
		return true;
	if (w.weight && w.span)
		fold_add_span(&r->fold, w.stack, w.from_ns, w.from_ns + w.weight);
	else if (w.weight)
		fold_add(&r->fold, w.stack, w.weight, w.from_ns);
	if (w.weight)
		count_bare(r, s->ev->attr);
	r->samples += w.weight != 0;
	r->weightless += !w.weight;
	return true;
}

/* Takes an event of which a mark is made; false: it is none, or folded itself. */
static bool is_mark(struct pfold_run *r, struct profile *p, const struct sample *s)
{
	const struct pfold *t = r->tool;
	struct str name;

	if (!t->slices.per_second || !marks_take(&r->marks, p, s))
		return false;
	name = s->ev->attr->name;
	for (size_t i = 0; i < t->asked; i++)
		if (str_eq(name, t->event_list[i]) ||
		    str_eq(str_from(name, str_find(name, '/') + 1), t->event_list[i]))
			return false;
	return true;
}

static void take_line(struct pfold_run *r, const struct event *ev)
{
	stack_id stack;

	if (!ev->weight && !ev->fraction) {
		r->weightless++;
		return;
	}
	if (r->fold.slices) {
		r->untimed++;
		return;
	}
	if (!fold_line(&r->fold, ev->raw, &stack)) {
		r->dropped++;
		return;
	}
	stack_add(&r->fold.stacks, stack, ev->weight, ev->fraction);
	r->samples++;
}

/* Neither blank nor a comment: a warning that got into the text, or damage. */
static bool is_stray(struct str line)
{
	line = str_trim(line);
	return line.n && line.p[0] != '#';
}

/* A nettrace tells threads that run from threads that wait: the first are meant. */
static void prefer_event(struct pfold_run *r, const struct profile *p)
{
	const struct attr *const *attrs;

	if (r->events.want || profile_format(p) != READ_NETTRACE ||
	    !reader_attrs(profile_reader(p), &attrs))
		return;
	r->events.want = arena_str(&r->arena, attrs[0]->name).p;
}

/* Text beside stacks and samples: what the weights are, or something stray. */
static void take_text(struct pfold_run *r, struct input *in, const struct profile *p,
                      struct str line)
{
	struct head head;

	if (profile_format(p) != READ_FOLDED || !head_parse(line, &head)) {
		r->ignored += is_stray(line);
		return;
	}
	in->stated = r->fold.rooted = true;
	in->head = (struct head){ .event = arena_str(&r->arena, head.event),
		                  .samples = head.samples,
		                  .unit = arena_str(&r->arena, head.unit) };
}

/* The event that is folded of a profile without samples. */
static struct str recorded_event(struct pfold_run *r, const struct profile *p)
{
	const struct attr *const *attrs;

	if (r->events.want)
		return str_of(r->events.want);
	if (!reader_attrs(profile_reader(p), &attrs))
		return STR("");
	return arena_str(&r->arena, event_name_base(attrs[0]->name));
}

/* The events, the unit and the number of samples that were folded. */
static struct head head_of_events(struct pfold_run *r, const struct input *in,
                                  const struct profile *p)
{
	struct head h = { .event = events_list_taken(&r->events, &r->arena),
		          .samples = r->samples - in->before };
	bool periods = in->periods;
	struct str rest;

	if (!h.samples) {
		h.event = recorded_event(r, p);
		periods = h.event.n;
	}
	rest = h.event;

	if (r->tool->off.classes)
		return (struct head){ .event = r->tool->wall ? STR("wall")
			                                     : STR("off-cpu"),
			              .samples = h.samples,
			              .unit = STR("ns") };
	if (r->tool->latency.begin.n)
		return (struct head){ .event = arena_fmt(&r->arena, PRSTR ".." PRSTR,
			                                 STRARG(r->tool->latency.begin),
			                                 STRARG(r->tool->latency.end)),
			              .samples = h.samples,
			              .unit = STR("ns") };
	if (in->view)
		return (struct head){ .event = clr_name(r->tool->view),
			              .samples = h.samples,
			              .unit = clr_unit(r->tool->view) };
	while (rest.n) {
		struct str name = str_cut(&rest, ','), unit = head_unit(name);

		/* Tracepoints and events of a nettrace count themselves; of others a
		 * weight of 1 is no period. */
		if (!periods && !in->counted && str_find(name, ':') == name.n)
			unit = STR("samples");
		if (r->weight.field.n)
			unit = field_weight_unit(&r->weight, name);
		if (h.unit.n && !str_eq(h.unit, unit))
			h.unit = STR("mixed");
		else
			h.unit = unit;
	}
	if (!h.unit.n)
		h.unit = periods ? STR("events") : STR("samples");
	if (r->tool->count_samples)
		h.unit = STR("samples");
	return h;
}

/* Weights of unlike units make no sum. */
static void add_head(struct pfold_run *r, const struct input *in, const struct profile *p,
                     const char *input)
{
	enum reader_format format = profile_format(p);
	struct str before = r->head.head.unit;
	struct head head = in->head;
	bool stated = in->stated, alike;

	if (format != READ_FOLDED && format != READ_STACKS) {
		if (r->samples == in->before && profile_met_sample(p))
			return;
		head = head_of_events(r, in, p);
		stated = true;
	}
	alike = head_add(&r->head, stated ? &head : NULL);
	if (r->tool->mix ||
	    (alike && (format == READ_FOLDED || !str_eq(head.unit, STR("mixed")))))
		return;
	if (alike)
		diag_fatal(&r->tool->cmd.diag,
		           "%s: the weights of " PRSTR
		           " have different units; --mix adds "
		           "them up",
		           input ? input : "standard input", STRARG(head.event));
	else
		diag_fatal(&r->tool->cmd.diag,
		           "%s: weights in " PRSTR ", those before are in " PRSTR
		           "; --mix adds them up",
		           input ? input : "standard input", STRARG(head.unit),
		           STRARG(before));
	r->refused = true;
}

/* Damage and what is no sample is passed over. */
static void read_samples(struct pfold_run *r, struct input *in, struct profile *p)
{
	uint64_t dropped = r->clr.counts.dropped;
	struct sample s;

	while (profile_next(p, &s) > 0) {
		if (s.ev->kind == EV_SAMPLE && !has_stack(s.ev->attr))
			s.nframes = 0;
		if (is_mark(r, p, &s))
			continue;
		if (r->tool->wall)
			wall_take(&r->wall, p, &s);
		else if (r->tool->off.classes)
			offcpu_take(&r->off, p, &s);
		else if (r->tool->latency.begin.n)
			latency_take(&r->latency, p, &s);
		else if (take_event(r, p, &s))
			continue;
		else if (s.ev->kind == EV_SAMPLE)
			take_sample(r, in, p, &s);
		else if (s.ev->kind == EV_FOLDED && !r->weight.field.n)
			take_line(r, s.ev);
		else if (s.ev->kind == EV_LOST)
			r->lost += s.ev->weight;
		else if (s.ev->kind == EV_LOST_SAMPLES)
			r->lost_samples += s.ev->weight;
		else if (s.ev->kind == EV_TEXT)
			take_text(r, in, p, s.ev->raw);
	}
	if (r->tool->off.classes) {
		offcpu_end(&r->off);
		r->samples = r->off.counts.taken + r->wall.counts.samples;
		r->dropped = r->wall.counts.dropped;
		r->untimed = r->off.counts.unplaced;
	}
	if (r->tool->latency.begin.n) {
		latency_end(&r->latency);
		r->samples = r->latency.counts.taken;
		r->dropped = r->latency.counts.dropped;
	}
	clr_end(&r->clr);
	marks_end(&r->marks);
	r->dropped += r->clr.counts.dropped - dropped;
}

static void read_input(struct pfold_run *r, const char *input)
{
	struct profile_opts opts = cmd_profile_opts(&r->tool->cmd, input);
	struct select select = r->tool->select; /* --time is settled for each input */
	struct input in = { .before = r->samples };
	struct coverage found;
	struct profile *p;

	opts.formats |= 1u << READ_FOLDED;
	opts.lines = r->tool->lines || r->tool->output.table.by == GROUP_LINE ||
	             r->tool->output.to == TO_PPROF;
	opts.addresses = r->tool->labels.addrs;
	opts.kinds = (uint64_t)1 << EV_LOST_SAMPLES | (uint64_t)1 << EV_LOST;
	opts.events = &r->tool->events;
	if (pfold_options_folds_time(r->tool))
		opts.kinds |= offcpu_kinds();
	p = profile_open(&opts);
	if (!p) {
		r->failed = r->tool->cmd.skipped = true;
		return;
	}
	in.view = r->tool->view && reader_has_events(profile_reader(p));
	/* Times between events are chosen by the first. */
	if (r->tool->selects && !pfold_options_folds_time(r->tool) && !in.view)
		profile_select(p, &select);
	profile_learn(p);
	if (select_settle(&select, profile_reader(p), false, &r->tool->cmd.diag) < 0) {
		r->failed = r->tool->cmd.skipped = true;
		profile_close(p);
		return;
	}
	prefer_event(r, p);
	r->events_alone |= reader_has_events(profile_reader(p));
	if (profile_format(p) == READ_FOLDED && r->tool->rules &&
	    rule_asks_more(r->tool->rules))
		diag_note(
		        &r->tool->cmd.diag,
		        "%s: folded stacks say neither threads nor modules; rules about "
		        "them do not touch it",
		        input ? input : "standard input");
	fold_begin(&r->fold);
	events_begin(&r->events);
	r->clr.view = in.view ? r->tool->view : NULL;
	r->off.opts.select = r->latency.opts.select = r->clr.select =
	        r->tool->selects ? &select : NULL;
	read_samples(r, &in, p);
	r->off.opts.select = r->latency.opts.select = r->clr.select = NULL;
	r->met_sample |= profile_met_sample(p);
	add_head(r, &in, p, input);
	found = summary_count(p);
	r->frames += found.frames;
	r->unknown += found.unknown;
	r->guessed += found.guessed;
	r->broken += found.broken;
	cmd_report(&r->tool->cmd, p, input, false);
	/* Several inputs: only the sums are said. */
	r->worst = r->inputs++ ? (struct str){ 0 } : summary_worst(p, &r->arena);
	profile_close(p);
}

/* A tree of calls, if it is wanted; false: there is no such function, reported. */
static bool write_calls(struct pfold_run *r, struct out *o, enum calls_way way,
                        bool begins)
{
	const struct output *out = &r->tool->output;
	const char *name = way == CALLS_CALLERS ? out->callers : out->callees;
	struct calltree_opts opts = { str_of(name), way, out->table.aligned, begins };

	if (!name || calltree_write(o, &r->fold, &r->head.head, &opts, &r->scratch))
		return true;
	diag_fatal(&r->tool->cmd.diag, "%s: no function is called so" PRSTR, name,
	           STRARG(fold_nearest(&r->fold, str_of(name), &r->scratch)));
	return false;
}

static size_t stacks_with_weight(const struct stacks *s)
{
	size_t n = 0;

	for (stack_id i = 1; i < s->n; i++)
		n += weight_value(sums_self(s, i)) > 0;
	return n;
}

/* As end_run; suffix is of the output's name. */
static int write_tables(struct pfold_run *r, const char *input, const char *suffix)
{
	struct output *out = &r->tool->output;
	struct cmd *c = &r->tool->cmd;
	size_t rows = 0;
	struct out o;
	bool good;

	if (cmd_open_output(c, &o, input, suffix) < 0)
		return -1;
	out->table.aligned = !c->output && isatty(STDOUT_FILENO);
	if (out->top)
		rows = top_write(&o, &r->fold, &r->head.head, &out->table, &r->scratch);
	if (rows > r->rows)
		r->rows = rows;
	good = write_calls(r, &o, CALLS_CALLERS, true) &&
	       write_calls(r, &o, CALLS_CALLEES, !out->callers);
	if (!good)
		cmd_discard_output(&o);
	if (!good || cmd_close_output(c, &o) < 0)
		return good ? -1 : 0;
	return 1;
}

/* The first line, and what folds; slices of one output below frames of their own. */
static void write_folded(struct pfold_run *r, struct out *o)
{
	bool compat = r->tool->labels.compat != COMPAT_NONE;
	enum folded_order order = compat ? FOLDED_BY_STACK : FOLDED_BY_LINE;
	unsigned slots = r->tool->slices.per_second;
	const struct head *head = &r->head.head;
	struct fold *f = &r->fold;

	if (!compat && !r->head.unstated && r->head.inputs)
		out_str(o, slots ? head_line_by_second(&r->scratch, head, slots)
		                 : head_line(&r->scratch, head));
	if (slots && !compat)
		marks_write(&r->marks, o, slices_begin_us(&r->slices));
	if (f->slices && !pfold_options_slice_files(r->tool))
		sliced_write(o, &r->slices, &f->stacks, &f->names, order, &r->scratch);
	else
		folded_write(o, &f->stacks, &f->names, order, &r->scratch);
}

/* As write_tables. */
static int write_stacks(struct pfold_run *r, const char *input, const char *suffix)
{
	enum format to = r->tool->output.to;
	struct cmd *c = &r->tool->cmd;
	struct out o;

	if (cmd_open_output(c, &o, input, suffix) < 0)
		return -1;
	if (to == TO_PPROF)
		pprof_write(&o, &r->fold, &r->head.head, &r->scratch);
	else if (to == TO_SPEEDSCOPE)
		speedscope_write(&o, &r->fold, &r->head.head, &r->scratch);
	else
		write_folded(r, &o);
	return cmd_close_output(c, &o) < 0 ? -1 : 1;
}

static int write_fold(struct pfold_run *r, const char *input, const char *suffix)
{
	if (pfold_options_tables(r->tool))
		return write_tables(r, input, suffix);
	return write_stacks(r, input, suffix);
}

/* As end_run: a file for each slice, made like that of the whole. */
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
		name = arena_fmt(&own, "/" PRSTR ".%s", STRARG(name),
		                 pfold_options_suffix(r->tool));
		ret = write_fold(r, input, name.p);
		arena_release(&own);
		arena_release(&r->scratch);
	}
	r->fold.stacks = whole;
	return ret;
}

/* Time on the CPU, or off it, is asked for and not in the profile. */
static bool lacks_half(const struct pfold_run *r)
{
	return r->tool->wall && (!r->wall.counts.seen ||
	                         (!r->off.counts.switches && !r->off.counts.taken));
}

/* Applies --skip-after, and reports the functions that do not occur. */
static void skip_callers(struct pfold_run *r)
{
	const struct pfold *t = r->tool;
	bool *met = arena_new(&r->scratch, bool, t->nstarts + 1);

	if (!t->nstarts)
		return;
	slices_rename(&r->slices,
	              fold_skip_callers(&r->fold, t->starts, t->nstarts, met));
	for (size_t i = 0; i < t->nstarts && r->samples; i++)
		if (!met[i])
			diag_note(&r->tool->cmd.diag,
			          "--skip-after " PRSTR ": no function is called so" PRSTR,
			          STRARG(t->starts[i]),
			          STRARG(fold_nearest(&r->fold, t->starts[i],
			                              &r->scratch)));
}

/* Was every input read whole without a sample?  Events of a runtime are no samples. */
static bool is_empty(const struct pfold_run *r)
{
	return r->inputs && !r->met_sample && !r->events_alone &&
	       !r->tool->cmd.diag.damaged;
}

static void report_written(struct pfold_run *r, const char *input)
{
	if (r->samples)
		pfold_report_done(r, stacks_with_weight(&r->fold.stacks));
	else
		diag_note(&r->tool->cmd.diag, "%s: no samples",
		          input ? input : "standard input");
}

/*
 * Writes and releases what was read; input is for its name.  1: it was written.
 * 0: there is nothing to write, reported.  -1: it cannot be written, reported.
 */
static int end_run(struct pfold_run *r, const char *input)
{
	struct cmd *c = &r->tool->cmd;
	int ret;

	skip_callers(r);
	slices_sort(&r->slices);
	select_report_unmet(&r->tool->select, &c->diag);
	if (r->tool->rules)
		rule_report_unmatched(r->tool->rules);
	if (r->refused || (r->tool->rules && rule_finish(r->tool->rules) < 0)) {
		ret = 0;
	} else if ((!r->samples || lacks_half(r)) && !is_empty(r)) {
		if (!r->failed)
			pfold_report_nothing(r, input);
		c->skipped = true;
		ret = 0;
	} else if (pfold_options_slice_files(r->tool)) {
		ret = write_slices(r, input);
	} else {
		ret = write_fold(r, input, pfold_options_suffix(r->tool));
	}
	if (ret > 0)
		report_written(r, input);
	fold_end(&r->fold);
	arena_release(&r->arena);
	arena_release(&r->scratch);
	return ret;
}

/* Folds n inputs into one output, which is called after the last; as end_run. */
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

/* False: there is no output, or it could not be written. */
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

	if (cmd_start(&t.cmd, &pfold_options_tool, &t, argc, argv, &status)) {
		bool good = run(&t);

		status = cmd_end(&t.cmd, good);
	}
	rule_close(t.rules);
	rule_close(t.roots);
	return status;
}

/*
 * pfold - fold call stacks: one line for each distinct stack, with its weight.
 *
 *	profile -> stack/event (which samples) -> stack/fold -> writer/folded
 */
#include <stdio.h>
#include <unistd.h>

#include "events.h"
#include "pfold_options.h"
#include "stack/compat.h"
#include "stack/events.h"
#include "stack/head.h"
#include "stack/wall.h"
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
	bool nettrace;    /* its events may be samples: "Provider/Event" */
	bool counted;     /* such an event was met */
	bool view;        /* a view of them is folded */
	uint64_t before;  /* samples of the run before it */
};

/* The run that makes one output, of all inputs or of one. */
struct run {
	struct pfold *tool;
	struct arena arena, scratch;
	struct fold fold;
	struct offcpu off;
	struct wall wall;
	struct slices slices;
	struct field_weight weight;
	struct latency latency;
	struct clr clr;
	struct events events;
	/* samples: folded; dropped: by rules; untimed: of no slice */
	uint64_t samples, dropped, weightless, untimed, ignored, lost, lost_samples;
	uint64_t frames, unknown;
	struct str worst; /* modules with unnamed frames, and maps bound */
	struct head_sum head;
	size_t inputs;
	size_t rows;  /* of a table, if all were shown */
	bool counted; /* events of a nettrace were folded */
	bool failed;  /* an input could not be opened */
	bool refused; /* weights of different units, reported */
};

static bool is_of_threads(const struct output *out)
{
	return out->table.by == GROUP_COMM || out->table.by == GROUP_PROCESS;
}

static void begin_run(struct run *r, struct pfold *t)
{
	bool tables = pfold_options_tables(t);

	*r = (struct run){ .tool = t, .head.arena = &r->arena };
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
	if (t->labels.compat)
		r->events.base = compat_event(t->labels.compat);
	offcpu_init(&r->off, &t->off, &r->fold);
	if (t->wall)
		wall_init(&r->wall, &r->off, &r->fold, &r->events);
	slices_init(&r->slices, &r->arena, &t->slices);
	clr_init(&r->clr, &r->fold);
	latency_init(&r->latency, &t->latency, &r->fold, &r->arena);
	r->weight = t->weight;
	field_weight_init(&r->weight, &r->arena);
}

/* Is time between events folded, not samples? */
static bool folds_time(const struct pfold *t)
{
	return t->off.classes || t->latency.begin.n;
}

/* Where a tracepoint was passed is no stack, and is not printed as one. */
static bool has_stack(const struct attr *attr)
{
	return !attr || !attr->sample_type || attr->has_callchain ||
	       !select_is_tracepoint(attr);
}

/* An event of a nettrace is asked for with its provider, or without it. */
static struct str event_name(struct run *r, struct input *in, const struct attr *attr)
{
	struct str name = attr ? attr->name : STR("");
	size_t slash = str_find(name, '/');

	if (!in->nettrace || slash == name.n)
		return name;
	in->counted = r->counted = true;
	return str_eq(name, str_of(r->events.want)) ? name : str_from(name, slash + 1);
}

/* Sets the weight to the field asked for; false: the sample has none, or a negative one. */
static bool take_field(struct run *r, struct input *in, const struct profile *p,
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

static void add(struct run *r, const struct event *ev, stack_id stack, uint64_t weight)
{
	stack_add(&r->fold.stacks, stack, weight, 0);
	if (slices_wanted(&r->tool->slices))
		slices_add(&r->slices, ev, stack, weight);
	r->samples++;
}

static void take_sample(struct run *r, struct input *in, const struct profile *p,
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
	if (slices_wanted(&r->tool->slices) && !slices_can_place(&r->slices, s->ev)) {
		r->untimed++;
		return;
	}
	if (!fold_sample(&r->fold, p, s, &stack)) {
		r->dropped++;
		return;
	}
	add(r, s->ev, stack, weight);
}

/* Takes an event of a view; false: it is none. */
static bool take_event(struct run *r, struct profile *p, const struct sample *s)
{
	struct clr_weight w;

	if (!clr_take(&r->clr, p, s, &w))
		return false;
	r->counted = true;
	if (w.stack && w.weight)
		add(r, s->ev, w.stack, w.weight);
	else
		r->weightless += w.stack != 0;
	return true;
}

static void take_line(struct run *r, const struct event *ev)
{
	stack_id stack;

	if (!ev->weight && !ev->fraction) {
		r->weightless++;
		return;
	}
	if (slices_wanted(&r->tool->slices)) {
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
static void prefer_event(struct run *r, const struct profile *p)
{
	const struct attr *const *attrs;

	if (r->events.want || profile_format(p) != READ_NETTRACE ||
	    !reader_attrs(profile_reader(p), &attrs))
		return;
	r->events.want = arena_str(&r->arena, attrs[0]->name).p;
}

/* Text beside stacks and samples: what the weights are, or something stray. */
static void take_text(struct run *r, struct input *in, const struct profile *p,
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

/* The events, the unit and the number of samples that were folded. */
static struct head head_of_events(struct run *r, const struct input *in)
{
	struct head h = { .event = events_list_taken(&r->events, &r->arena),
		          .samples = r->samples - in->before };
	struct str rest = h.event;
	bool periods = in->periods;

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
static void add_head(struct run *r, const struct input *in, const struct profile *p,
                     const char *input)
{
	enum reader_format format = profile_format(p);
	struct str before = r->head.head.unit;
	struct head head = in->head;
	bool stated = in->stated, alike;

	if (format != READ_FOLDED && format != READ_STACKS) {
		if (r->samples == in->before)
			return;
		head = head_of_events(r, in);
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
static void read_samples(struct run *r, struct input *in, struct profile *p)
{
	uint64_t dropped = r->clr.counts.dropped;
	struct sample s;

	while (profile_next(p, &s) > 0) {
		if (s.ev->kind == EV_SAMPLE && !has_stack(s.ev->attr))
			s.nframes = 0;
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
	}
	if (r->tool->latency.begin.n) {
		latency_end(&r->latency);
		r->samples = r->latency.counts.taken;
		r->dropped = r->latency.counts.dropped;
	}
	clr_end(&r->clr);
	r->dropped += r->clr.counts.dropped - dropped;
}

static void read_input(struct run *r, const char *input)
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
	if (folds_time(r->tool))
		opts.kinds |= offcpu_kinds();
	p = profile_open(&opts);
	if (!p) {
		r->failed = r->tool->cmd.skipped = true;
		return;
	}
	in.nettrace = profile_format(p) == READ_NETTRACE;
	in.view = in.nettrace && r->tool->view;
	/* Times between events are chosen by the first. */
	if (r->tool->selects && !folds_time(r->tool) && !in.view)
		profile_select(p, &select);
	profile_learn(p);
	if (select_settle(&select, profile_reader(p), false, &r->tool->cmd.diag) < 0) {
		r->failed = r->tool->cmd.skipped = true;
		profile_close(p);
		return;
	}
	prefer_event(r, p);
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
	add_head(r, &in, p, input);
	found = summary_count(p);
	r->frames += found.frames;
	r->unknown += found.unknown;
	cmd_report(&r->tool->cmd, p, input, false);
	/* Several inputs: only the sums are said. */
	r->worst = r->inputs++ ? (struct str){ 0 } : summary_worst(p, &r->arena);
	profile_close(p);
}

/* ", 3 lines ignored" when there are any. */
static struct str also(struct arena *a, uint64_t n, const char *one, const char *many)
{
	if (!n)
		return (struct str){ "", 0 };
	return arena_fmt(a, ", %llu %s", (unsigned long long)n, n == 1 ? one : many);
}

/* Time off the CPU that is not in the sum. */
static void say_off(struct run *r)
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
static struct str say_slices(struct run *r)
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
static void say_latency(struct run *r)
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
static void say_view(struct run *r)
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

static void say_what_was_done(struct run *r, size_t stacks)
{
	struct diag *diag = &r->tool->cmd.diag;
	struct str left_out = events_list_left_out(&r->events, &r->scratch);
	struct str lacking = events_list_left_out(&r->weight.lacking, &r->scratch);
	struct str unnamed = { "", 0 }, more[8];
	const char *noun = folds_time(r->tool) ? "interval"
	                   : r->counted        ? "event"
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
	more[7] = also(&r->scratch, r->weight.negative, "of a negative weight left out",
	               "of a negative weight left out");
	summary_advise(diag, r->unknown, r->frames);
	if (r->tool->off.classes)
		say_off(r);
	if (r->tool->latency.begin.n)
		say_latency(r);
	say_view(r);
	diag_note(diag,
	          "%llu %s%s in %zu stack%s" PRSTR PRSTR PRSTR PRSTR PRSTR PRSTR PRSTR
	                  PRSTR PRSTR PRSTR,
	          (unsigned long long)r->samples,
	          noun, ends[0], stacks, ends[1],
	          STRARG(more[6]), STRARG(unnamed), STRARG(more[0]), STRARG(more[1]),
	          STRARG(more[2]), STRARG(more[3]), STRARG(more[4]), STRARG(more[5]),
	          STRARG(more[7]), STRARG(r->worst));
	if (most && r->rows > most)
		diag_note(diag, "%zu of %zu rows are shown; --top=0 shows all", most,
		          r->rows);
}

/* Why there is no pair. */
static void say_no_latency(struct run *r, const char *name)
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

/* Why there is nothing to write. */
static void say_nothing(struct run *r, const char *input)
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
	else if (r->tool->events.n)
		diag_fatal(
		        diag,
		        "%s: no samples of event %s; --list-events lists what there is",
		        name, r->events.want);
	else
		diag_fatal(diag, "%s: no samples%s", name,
		           r->dropped   ? " that the rules keep"
		           : r->untimed ? " that say when they were taken"
		           : r->weightless || r->weight.negative ? " that weigh anything"
		                                                 : "");
}

/* A tree of calls, if it is wanted; false: there is no such function, reported. */
static bool write_calls(struct run *r, struct out *o, enum calls_way way, bool begins)
{
	const struct output *out = &r->tool->output;
	const char *name = way == CALLS_CALLERS ? out->callers : out->callees;
	struct calltree_opts opts = { str_of(name), way, out->table.aligned, begins };

	if (!name || calltree_write(o, &r->fold, &r->head.head, &opts, &r->scratch))
		return true;
	diag_fatal(&r->tool->cmd.diag, "%s: no function is called so", name);
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
static int write_tables(struct run *r, const char *input, const char *suffix)
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
		out_discard(&o);
	if (!good || cmd_close_output(c, &o) < 0)
		return good ? -1 : 0;
	return 1;
}

/* The first line, and what folds; slices of one output below frames of their own. */
static void write_folded(struct run *r, struct out *o)
{
	bool compat = r->tool->labels.compat != COMPAT_NONE;
	enum folded_order order = compat ? FOLDED_BY_STACK : FOLDED_BY_LINE;
	unsigned slots = r->tool->slices.per_second;
	const struct head *head = &r->head.head;
	struct fold *f = &r->fold;

	if (!compat && !r->head.unstated && r->head.inputs)
		out_str(o, slots ? head_line_by_second(&r->scratch, head, slots)
		                 : head_line(&r->scratch, head));
	if (slices_wanted(&r->tool->slices) && !pfold_options_slice_files(r->tool))
		sliced_write(o, &r->slices, &f->stacks, &f->names, order, &r->scratch);
	else
		folded_write(o, &f->stacks, &f->names, order, &r->scratch);
}

/* As write_tables. */
static int write_stacks(struct run *r, const char *input, const char *suffix)
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

static int write_fold(struct run *r, const char *input, const char *suffix)
{
	if (pfold_options_tables(r->tool))
		return write_tables(r, input, suffix);
	return write_stacks(r, input, suffix);
}

/* As end_run: a file for each slice, made like that of the whole. */
static int write_slices(struct run *r, const char *input)
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
static bool lacks_half(const struct run *r)
{
	return r->tool->wall && (!r->wall.counts.seen ||
	                         (!r->off.counts.switches && !r->off.counts.taken));
}

/*
 * Writes and releases what was read; input is for its name.  1: it was written.
 * 0: there is nothing to write, reported.  -1: it cannot be written, reported.
 */
static int end_run(struct run *r, const char *input)
{
	struct cmd *c = &r->tool->cmd;
	int ret;

	if (r->tool->nstarts)
		slices_rename(&r->slices, fold_skip_callers(&r->fold, r->tool->starts,
		                                            r->tool->nstarts));
	slices_sort(&r->slices);
	if (r->refused || (r->tool->rules && rule_finish(r->tool->rules) < 0)) {
		ret = 0;
	} else if (!r->samples || lacks_half(r)) {
		if (!r->failed)
			say_nothing(r, input);
		c->skipped = true;
		ret = 0;
	} else if (pfold_options_slice_files(r->tool)) {
		ret = write_slices(r, input);
	} else {
		ret = write_fold(r, input, pfold_options_suffix(r->tool));
	}
	if (ret > 0)
		say_what_was_done(r, stacks_with_weight(&r->fold.stacks));
	fold_end(&r->fold);
	arena_release(&r->arena);
	arena_release(&r->scratch);
	return ret;
}

int main(int argc, char **argv)
{
	struct pfold t = { 0 };
	struct cmd *c = &t.cmd;
	bool written = false;
	struct run r;
	int status, got;

	if (!cmd_start(c, &pfold_options_tool, &t, argc, argv, &status)) {
		rule_close(t.rules);
		return status;
	}
	if (c->list_events) {
		rule_close(t.rules);
		return cmd_end(c, events_list(c));
	}
	got = pfold_options_settle(&t);
	for (size_t i = 0; i < c->ninputs && got >= 0; i++) {
		if (!i || cmd_mirrors(c))
			begin_run(&r, &t);
		read_input(&r, c->inputs[i]);
		if (i + 1 < c->ninputs && !cmd_mirrors(c))
			continue;
		got = end_run(&r, c->inputs[i]);
		written |= got > 0;
	}
	rule_close(t.rules);
	rule_close(t.roots);
	return cmd_end(c, written && got >= 0);
}

/*
 * pfold - fold call stacks: one line for each distinct stack, with its weight.
 *
 *	profile -> stack/event (which samples) -> stack/fold -> writer/folded
 */
#include <stdio.h>
#include <unistd.h>

#include "cmd.h"
#include "stack/compat.h"
#include "stack/event.h"
#include "stack/fold.h"
#include "stack/head.h"
#include "symbol/report/summary.h"
#include "symbol/select.h"
#include "writer/calltree.h"
#include "writer/folded.h"
#include "writer/pprof.h"
#include "writer/speedscope.h"
#include "writer/top.h"

enum { ROWS = 30 }; /* of a table */

enum {
	ROOT,
	PID,
	TID,
	KERNEL,
	JIT,
	INLINE,
	ALL,
	NO_MARKS,
	ADDRS,
	SRCLINE,
	TIDY,
	RAW_NAMES,
	COUNT,
	EVENT,
	EVENT_FILTER,
	COMMS,
	TIDS,
	CPU,
	TIME,
	MERGE_RECURSION,
	RULES, /* from here on, to MARK: of set_rule */
	KEEP,
	INCLUDE,
	DROP,
	EXCLUDE,
	HIDE,
	START_AT,
	STOP_AT,
	RENAME,
	GROUP,
	MARK,
	MIX,
	COMPAT,
	SKIP_AFTER,
	CONTEXT,
	NTHREADS,
	TOP,
	BY,
	CALLERS,
	CALLEES,
	TO,
};

static const struct cmd_option options[] = {
	[ROOT] = { "root", 0, "WHAT",
	           "\"comm\", \"process\", \"pid\", \"tid\", \"none\"" },
	[PID] = { "pid", 0, NULL, "root frame is COMM-PID" },
	[TID] = { "tid", 0, NULL, "root frame is COMM-PID/TID" },
	[KERNEL] = { "kernel", 0, NULL, "mark such frames, as by default" },
	[JIT] = { "jit", 0, NULL, NULL },
	[INLINE] = { "inline", 0, NULL, NULL },
	[ALL] = { "all", 0, NULL, NULL },
	[NO_MARKS] = { "no-marks", 0, NULL, "no marks but those asked for" },
	[ADDRS] = { "addrs", 0, NULL, "show addresses of unknown frames" },
	[SRCLINE] = { "srcline", 0, NULL, "show lines of the source: main:app.c:17" },
	[TIDY] = { "tidy", 0, "LEVEL",
	           "names \"full\", \"short\" or as they are, \"none\"" },
	[RAW_NAMES] = { "raw-names", 0, NULL, "as --tidy=none" },
	[COUNT] = { "count", 0, "WHAT",
	            "weigh by \"period\" (the default) or \"samples\"" },
	[EVENT] = { "event", 0, "NAME", "fold this one; \"all\": every one" },
	[EVENT_FILTER] = { "event-filter", 0, "NAME", NULL },
	[COMMS] = { "comms", 'c', "LIST", "only samples of threads so called" },
	[TIDS] = { "tids", 0, "LIST", "only samples of these threads" },
	[CPU] = { "cpu", 'C', "LIST", "only samples of these cpus: 0,2-3" },
	[TIME] = { "time", 0, "SPANS", "only samples of that time: 1.5,2 or 0%-20%" },
	[MERGE_RECURSION] = { "merge-recursion", 0, "[=cyclic]",
	                      "a function that calls itself is one frame" },
	[RULES] = { "rules", 0, "FILE",
	            "a file, or \"dotnet\", \"java\", \"kernel\" ..." },
	[KEEP] = { "keep", 0, "PATTERN", "keep or drop samples by a frame" },
	[INCLUDE] = { "include", 0, "PATTERN", NULL },
	[DROP] = { "drop", 0, "PATTERN", NULL },
	[EXCLUDE] = { "exclude", 0, "PATTERN", NULL },
	[HIDE] = { "hide", 0, "PATTERN", "leave out frames, or around them" },
	[START_AT] = { "start-at", 0, "PATTERN", NULL },
	[STOP_AT] = { "stop-at", 0, "PATTERN", NULL },
	[RENAME] = { "rename", 0, "RULE", "'PATTERN => NAME', or a mark" },
	[GROUP] = { "group", 0, "RULE", NULL },
	[MARK] = { "mark", 0, "RULE", NULL },
	[MIX] = { "mix", 0, NULL, "add up weights of different units" },
	[COMPAT] = { "compat", 0, "TOOL",
	             "write what \"flamegraph\" or \"inferno\" would" },
	[SKIP_AFTER] = { "skip-after", 0, "FUNCTION",
	                 "leave out what calls FUNCTION, and the root" },
	[CONTEXT] = { "context", 0, NULL, "with --inline, as --srcline" },
	[NTHREADS] = { "nthreads", 'n', "N", "taken, and of no effect" },
	[TOP] = { "top", 0, "[=N]", "a table of the N heaviest functions (30; 0: all)" },
	[BY] = { "by", 0, "WHAT",
	         "a table by \"module\", \"comm\", \"process\", \"kind\" or "
	         "\"file:line\"" },
	[CALLERS] = { "callers", 0, "FUNCTION", "who calls it, as a tree" },
	[CALLEES] = { "callees", 0, "FUNCTION", "what it calls, as a tree" },
	[TO] = { "to", 0, "FORMAT", "write \"pprof\" or \"speedscope\"" },
	{ 0 },
};

/* What is written instead of folded stacks. */
struct output {
	enum format { TO_FOLDED, TO_PPROF, TO_SPEEDSCOPE } to;
	bool top; /* a table */
	struct top_opts table;
	const char *callers, *callees; /* NULL: no such tree */
};

struct pfold {
	struct cmd cmd;
	struct label_opts labels;
	enum fold_root root;
	enum label_ids ids;
	struct select select;
	bool selects; /* select says something */
	enum fold_recursion recursion;
	struct rules *rules; /* NULL: none */
	struct rules *roots; /* of share/rules/roots; NULL: not wanted */
	unsigned marks;      /* MARK_* that were asked for */
	bool no_marks, count_samples, lines, context, mix;
	const char *event;  /* NULL: the first */
	struct str *starts; /* --skip-after */
	size_t nstarts, starts_cap;
	struct output output;
};

/* The unit and event of one input's weights. */
struct input {
	struct head head; /* of folded stacks */
	bool stated;      /* the input says what its weights are */
	bool periods;     /* a weight of a sample is not 1 */
	uint64_t before;  /* samples of the run before it */
};

/* The run that makes one output, of all inputs or of one. */
struct run {
	struct pfold *tool;
	struct arena arena, scratch;
	struct fold fold;
	struct events events;
	/* samples: folded; dropped: by rules */
	uint64_t samples, dropped, weightless, ignored, lost, lost_samples;
	uint64_t frames, unknown;
	struct str worst; /* modules with unnamed frames, and maps bound */
	struct head_sum head;
	size_t inputs;
	bool failed;  /* an input could not be opened */
	bool refused; /* weights of different units, reported */
};

static int set_tidy(struct pfold *t, struct diag *diag, const char *arg)
{
	static const char *const levels[] = {
		[TIDY_FULL] = "full", [TIDY_SHORT] = "short", [TIDY_NONE] = "none"
	};

	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++)
		if (strcmp(arg, levels[i]) == 0) {
			t->labels.tidy = (enum tidy_level)i;
			return 0;
		}
	return diag_fatal(diag, "--tidy %s: neither full, short nor none", arg);
}

static int set_root(struct pfold *t, struct diag *diag, const char *arg)
{
	static const struct {
		const char *word;
		enum fold_root root;
		enum label_ids ids;
	} roots[] = {
		{ "comm", FOLD_ROOT_COMM, LABEL_COMM },
		{ "process", FOLD_ROOT_PROCESS, LABEL_COMM },
		{ "pid", FOLD_ROOT_COMM, LABEL_PID },
		{ "tid", FOLD_ROOT_COMM, LABEL_TID },
		{ "none", FOLD_ROOT_NONE, LABEL_COMM },
	};

	for (size_t i = 0; i < sizeof(roots) / sizeof(*roots); i++)
		if (strcmp(arg, roots[i].word) == 0) {
			t->root = roots[i].root;
			t->ids = roots[i].ids;
			return 0;
		}
	return diag_fatal(diag, "--root %s: neither comm, process, pid, tid nor none",
	                  arg);
}

static int set_compat(struct pfold *t, struct diag *diag, const char *arg)
{
	if (strcmp(arg, "flamegraph") == 0)
		t->labels.compat = COMPAT_FLAMEGRAPH;
	else if (strcmp(arg, "inferno") == 0)
		t->labels.compat = COMPAT_INFERNO;
	else
		return diag_fatal(diag, "--compat %s: neither flamegraph nor inferno",
		                  arg);
	return 0;
}

static int set_recursion(struct pfold *t, struct diag *diag, const char *arg)
{
	if (arg && strcmp(arg, "cyclic") != 0)
		return diag_fatal(diag, "--merge-recursion=%s: only cyclic is known",
		                  arg);
	t->recursion = arg ? RECURSION_CYCLIC : RECURSION_DIRECT;
	return 0;
}

static void add_start(struct pfold *t, const char *arg)
{
	t->starts = arena_grow(&t->cmd.run, t->starts, &t->starts_cap, t->nstarts + 1,
	                       sizeof(*t->starts));
	t->starts[t->nstarts++] = str_of(arg);
}

static int set_select(struct pfold *t, struct diag *diag, enum select_by by,
                      const char *arg)
{
	t->selects = true;
	if (select_by(&t->select, by, arg))
		return 0;
	return diag_fatal(diag, "%s: not understood; try 'pfold --help'", arg);
}

/* A file of rules, or one rule, whose action the option is. */
static int set_rule(struct pfold *t, struct diag *diag, size_t option, const char *arg)
{
	static const enum rule_action actions[] = {
		[KEEP] = RULE_KEEP,       [INCLUDE] = RULE_KEEP,
		[DROP] = RULE_DROP,       [EXCLUDE] = RULE_DROP,
		[HIDE] = RULE_HIDE,       [START_AT] = RULE_START_AT,
		[STOP_AT] = RULE_STOP_AT, [RENAME] = RULE_RENAME,
		[GROUP] = RULE_GROUP,     [MARK] = RULE_MARK,
	};

	if (!t->rules)
		t->rules = rule_open(diag);
	if (!t->rules)
		return -1;
	if (option == RULES)
		return rule_read(t->rules, arg);
	return rule_add(t->rules, actions[option], options[option].name, arg);
}

static int set_top(struct output *out, struct diag *diag, const char *arg)
{
	uint64_t n = ROWS;

	if (arg && (!str_is_dec(str_of(arg), &n) || n > UINT32_MAX))
		return diag_fatal(diag, "--top=%s: not a number of rows", arg);
	out->top = true;
	out->table.most = (size_t)n;
	return 0;
}

static int set_by(struct output *out, struct diag *diag, const char *arg)
{
	for (enum group_by by = GROUP_FUNCTION; by <= GROUP_LINE; by++)
		if (strcmp(arg, top_column(by)) == 0) {
			out->top = true;
			out->table.by = by;
			return 0;
		}
	return diag_fatal(diag,
	                  "--by %s: not one of function, module, comm, process, "
	                  "kind, file:line",
	                  arg);
}

static const struct {
	const char *name, *suffix;
} formats[] = {
	[TO_FOLDED] = { "folded", "folded" },
	[TO_PPROF] = { "pprof", "pb.gz" },
	[TO_SPEEDSCOPE] = { "speedscope", "speedscope.json" },
};

static int set_format(struct output *out, struct diag *diag, const char *arg)
{
	for (enum format to = TO_FOLDED; to <= TO_SPEEDSCOPE; to++)
		if (strcmp(arg, formats[to].name) == 0) {
			out->to = to;
			return 0;
		}
	return diag_fatal(diag, "--to %s: neither pprof, speedscope nor folded", arg);
}

static int set_output(struct output *out, struct diag *diag, size_t option,
                      const char *arg)
{
	switch (option) {
	case TOP:
		return set_top(out, diag, arg);
	case BY:
		return set_by(out, diag, arg);
	case TO:
		return set_format(out, diag, arg);
	case CALLERS:
		out->callers = arg;
		break;
	case CALLEES:
		out->callees = arg;
		break;
	}
	return 0;
}

static unsigned marks_of(size_t option)
{
	switch (option) {
	case KERNEL:
		return MARK_KERNEL;
	case JIT:
		return MARK_JIT;
	case INLINE:
		return MARK_INLINED;
	default:
		return MARK_KERNEL | MARK_JIT | MARK_INLINED;
	}
}

static int set(void *ctx, struct diag *diag, size_t option, const char *arg)
{
	struct pfold *t = ctx;

	if (option >= RULES && option <= MARK)
		return set_rule(t, diag, option, arg);
	switch (option) {
	case ROOT:
		return set_root(t, diag, arg);
	case PID:
		t->root = FOLD_ROOT_COMM;
		t->ids = t->ids == LABEL_TID ? LABEL_TID : LABEL_PID;
		break;
	case TID:
		t->root = FOLD_ROOT_COMM;
		t->ids = LABEL_TID;
		break;
	case KERNEL:
	case JIT:
	case INLINE:
	case ALL:
		t->marks |= marks_of(option);
		break;
	case NO_MARKS:
		t->no_marks = true;
		break;
	case ADDRS:
		t->labels.addrs = true;
		break;
	case SRCLINE:
		t->lines = true;
		break;
	case TIDY:
		return set_tidy(t, diag, arg);
	case RAW_NAMES:
		t->labels.tidy = TIDY_NONE;
		break;
	case COUNT:
		t->count_samples = strcmp(arg, "samples") == 0;
		if (!t->count_samples && strcmp(arg, "period") != 0)
			return diag_fatal(diag, "--count %s: neither samples nor period",
			                  arg);
		break;
	case EVENT:
	case EVENT_FILTER:
		t->event = arg;
		break;
	case COMMS:
		return set_select(t, diag, SELECT_COMM, arg);
	case TIDS:
		return set_select(t, diag, SELECT_TID, arg);
	case CPU:
		return set_select(t, diag, SELECT_CPU, arg);
	case TIME:
		return set_select(t, diag, SELECT_TIME, arg);
	case MERGE_RECURSION:
		return set_recursion(t, diag, arg);
	case MIX:
		t->mix = true;
		break;
	case SKIP_AFTER:
		add_start(t, arg);
		break;
	case CONTEXT:
		t->context = true;
		break;
	case COMPAT:
		return set_compat(t, diag, arg);
	case TOP:
	case BY:
	case CALLERS:
	case CALLEES:
	case TO:
		return set_output(&t->output, diag, option, arg);
	}
	return 0;
}

static const struct cmd_tool tool = {
	.name = "pfold",
	.purpose = "fold call stacks: a;b;c WEIGHT",
	.operands = "[FILE ...]",
	.example = "psym prof.tar.gz | pfold | pflame > flame.svg",
	.names_frames = true,
	.shows_inlined = true,
	.options = options,
	.set = set,
};

/* Are tables or trees of calls written?  They know frames by all their marks. */
static bool has_tables(const struct output *out)
{
	return out->top || out->callers || out->callees;
}

static bool is_of_threads(const struct output *out)
{
	return out->table.by == GROUP_COMM || out->table.by == GROUP_PROCESS;
}

static void begin_run(struct run *r, struct pfold *t)
{
	bool tables = has_tables(&t->output);

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
}

/* Where a tracepoint was passed is no stack, and is not printed as one. */
static bool has_stack(const struct attr *attr)
{
	return !attr || !attr->sample_type || attr->has_callchain ||
	       !select_is_tracepoint(attr);
}

static void take_sample(struct run *r, struct input *in, const struct profile *p,
                        const struct sample *s)
{
	const struct attr *attr = s->ev->attr;
	struct sample bare = *s;
	uint64_t weight = r->tool->count_samples ? 1 : s->ev->weight;
	stack_id stack;

	if (r->tool->labels.compat) {
		weight = compat_weight(r->tool->labels.compat, weight);
		fold_set_java(&r->fold, compat_is_java(s->comm));
	}
	if (!events_take(&r->events, attr ? attr->name : STR("")))
		return;
	if (!weight) {
		r->weightless++;
		return;
	}
	in->periods |= weight != 1;
	if (!has_stack(attr))
		bare.nframes = 0;
	if (!fold_sample(&r->fold, p, &bare, &stack)) {
		r->dropped++;
		return;
	}
	stack_add(&r->fold.stacks, stack, weight, 0);
	r->samples++;
}

static void take_line(struct run *r, const struct event *ev)
{
	stack_id stack;

	if (!ev->weight && !ev->fraction) {
		r->weightless++;
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

	while (rest.n) {
		struct str name = str_cut(&rest, ','), unit = head_unit(name);

		/* A tracepoint counts its events; of others a weight of 1 is no period. */
		if (!periods && str_find(name, ':') == name.n)
			unit = STR("samples");
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
	struct sample s;

	while (profile_next(p, &s) > 0) {
		if (s.ev->kind == EV_SAMPLE)
			take_sample(r, in, p, &s);
		else if (s.ev->kind == EV_FOLDED)
			take_line(r, s.ev);
		else if (s.ev->kind == EV_LOST)
			r->lost += s.ev->weight;
		else if (s.ev->kind == EV_LOST_SAMPLES)
			r->lost_samples += s.ev->weight;
		else if (s.ev->kind == EV_TEXT)
			take_text(r, in, p, s.ev->raw);
	}
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
	opts.kinds = (uint64_t)1 << EV_LOST_SAMPLES;
	opts.select = r->tool->selects ? &select : NULL;
	p = profile_open(&opts);
	if (!p) {
		r->failed = r->tool->cmd.skipped = true;
		return;
	}
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
	read_samples(r, &in, p);
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

static void say_what_was_done(struct run *r, size_t lines)
{
	struct diag *diag = &r->tool->cmd.diag;
	struct str left_out = events_list_left_out(&r->events, &r->scratch);
	struct str unnamed = { "", 0 }, more[5];
	const char *ends[] = { r->samples == 1 ? "" : "s", lines == 1 ? "" : "s" };

	if (left_out.n)
		diag_note(diag, "other events left out (--event): " PRSTR,
		          STRARG(left_out));
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
	summary_advise(diag, r->unknown, r->frames);
	diag_note(
	        diag,
	        "%llu sample%s in %zu stack%s" PRSTR PRSTR PRSTR PRSTR PRSTR PRSTR PRSTR,
	        (unsigned long long)r->samples, ends[0], lines, ends[1], STRARG(unnamed),
	        STRARG(more[0]), STRARG(more[1]), STRARG(more[2]), STRARG(more[3]),
	        STRARG(more[4]), STRARG(r->worst));
}

/* Why there is nothing to write. */
static void say_nothing(struct run *r, const char *input)
{
	struct diag *diag = &r->tool->cmd.diag;
	struct str other = events_list_left_out(&r->events, &r->scratch);
	const char *name = input ? input : "standard input";

	if (other.n)
		diag_fatal(diag, "%s: no samples of event %s; there are: " PRSTR, name,
		           r->events.want, STRARG(other));
	else
		diag_fatal(diag, "%s: no samples%s", name,
		           r->dropped      ? " that the rules keep"
		           : r->weightless ? " that weigh anything"
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

/* As end_run. */
static int write_tables(struct run *r, const char *input)
{
	struct output *out = &r->tool->output;
	struct cmd *c = &r->tool->cmd;
	size_t rows = 0;
	struct out o;
	bool good;

	if (cmd_open_output(c, &o, input, "tsv") < 0)
		return -1;
	out->table.aligned = !c->output && isatty(STDOUT_FILENO);
	if (out->top)
		rows = top_write(&o, &r->fold, &r->head.head, &out->table, &r->scratch);
	good = write_calls(r, &o, CALLS_CALLERS, true) &&
	       write_calls(r, &o, CALLS_CALLEES, !out->callers);
	if (!good)
		out_discard(&o);
	if (!good || cmd_close_output(c, &o) < 0)
		return good ? -1 : 0;
	say_what_was_done(r, stacks_with_weight(&r->fold.stacks));
	if (out->table.most && rows > out->table.most)
		diag_note(&c->diag, "%zu of %zu rows are shown; --top=0 shows all",
		          out->table.most, rows);
	return 1;
}

/* As end_run. */
static int write_stacks(struct run *r, const char *input)
{
	size_t stacks = stacks_with_weight(&r->fold.stacks);
	bool compat = r->tool->labels.compat != COMPAT_NONE;
	enum format to = r->tool->output.to;
	struct cmd *c = &r->tool->cmd;
	struct out o;

	if (cmd_open_output(c, &o, input, formats[to].suffix) < 0)
		return -1;
	if (to == TO_PPROF) {
		pprof_write(&o, &r->fold, &r->head.head, &r->scratch);
	} else if (to == TO_SPEEDSCOPE) {
		speedscope_write(&o, &r->fold, &r->head.head, &r->scratch);
	} else {
		if (!compat && !r->head.unstated && r->head.inputs)
			out_str(&o, head_line(&r->scratch, &r->head.head));
		stacks = folded_write(&o, &r->fold.stacks, &r->fold.names,
		                      compat ? FOLDED_BY_STACK : FOLDED_BY_LINE,
		                      &r->scratch);
	}
	if (cmd_close_output(c, &o) < 0)
		return -1;
	say_what_was_done(r, stacks);
	return 1;
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
		fold_skip_callers(&r->fold, r->tool->starts, r->tool->nstarts);
	if (r->refused || (r->tool->rules && rule_finish(r->tool->rules) < 0)) {
		ret = 0;
	} else if (!r->samples) {
		if (!r->failed)
			say_nothing(r, input);
		c->skipped = true;
		ret = 0;
	} else if (has_tables(&r->tool->output)) {
		ret = write_tables(r, input);
	} else {
		ret = write_stacks(r, input);
	}
	fold_end(&r->fold);
	arena_release(&r->arena);
	arena_release(&r->scratch);
	return ret;
}

/* -1: two things to write, reported. */
static int check_output(struct pfold *t)
{
	if (t->output.to == TO_FOLDED || !has_tables(&t->output))
		return 0;
	return diag_fatal(&t->cmd.diag,
	                  "--to writes stacks: not together with --top, --by, "
	                  "--callers or --callees");
}

/* The rules for roots, where they are wanted.  -1: reported. */
static int open_roots(struct pfold *t)
{
	if (t->labels.compat && t->root == FOLD_ROOT_RULES)
		t->root = FOLD_ROOT_COMM;
	if (t->root != FOLD_ROOT_RULES && t->root != FOLD_ROOT_PROCESS)
		return 0;
	t->roots = rule_open(&t->cmd.diag);
	return t->roots ? rule_read(t->roots, "roots") : -1;
}

int main(int argc, char **argv)
{
	struct pfold t = { .output.table.most = ROWS };
	struct cmd *c = &t.cmd;
	bool written = false;
	struct run r;
	int status, got;

	if (!cmd_start(c, &tool, &t, argc, argv, &status))
		return status;
	t.lines |= t.context && t.marks & MARK_INLINED;
	got = check_output(&t) < 0 ? -1 : open_roots(&t);
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

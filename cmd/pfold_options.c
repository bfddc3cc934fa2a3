#include "pfold_options.h"

#include "label/compat.h"

enum { ROWS = 30 }; /* of a table */

enum {
	ROOT,
	KERNEL,
	JIT,
	INLINE,
	ALL,
	NO_MARKS,
	ADDRS,
	SRCLINE,
	CONTEXT,
	TIDY,
	RAW_NAMES,
	COUNT,
	EVENT,
	EVENT_FILTER,
	COMMS,
	PID,
	TID,
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
	NTHREADS,
	TOP,
	BY,
	CALLERS,
	CALLEES,
	TO,
	OFF_CPU,
	OFF_BY,
	WAKERS,
	EVERY,
	BY_SECOND,
	WEIGHT,
	WALL,
	WEIGHT_OF,
};

/* With FlameGraph's syntax they add numbers to the root frames. */
static const struct cmd_bare bare = {
	.options = "pid tid",
	.beside = "compat",
	.instead = "--root=pid and --root=tid show the numbers at the root of the stacks",
};

static const struct cmd_option options[] = {
	[ROOT] = { "root", 0, "WHAT",
	           "at the root: \"comm\", \"process\", \"pid\", \"tid\" ..." },
	[KERNEL] = { "kernel", 0, NULL, "mark such frames; no others" },
	[JIT] = { "jit", 0, NULL, NULL },
	[INLINE] = { "inline", 0, NULL, NULL },
	[ALL] = { "all", 0, NULL, NULL },
	[NO_MARKS] = { "no-marks", 0, NULL, NULL },
	[ADDRS] = { "addrs", 0, NULL, "show addresses of unknown frames" },
	[SRCLINE] = { "srcline", 0, NULL, "show lines of the source: main:app.c:17" },
	[CONTEXT] = { "context", 0, NULL, NULL },
	[TIDY] = { "tidy", 0, "LEVEL",
	           "names \"full\", \"short\" or as they are, \"none\"" },
	[RAW_NAMES] = { "raw-names", 0, NULL, "as --tidy=none" },
	[COUNT] = { "count", 0, "WHAT",
	            "weigh by \"period\" (the default) or \"samples\"" },
	[EVENT] = { "event", 0, "NAME", "fold this event; \"all\": every one" },
	[EVENT_FILTER] = { "event-filter", 0, "NAME", NULL },
	[COMMS] = { "comms", 'c', "LIST", "only samples of threads with these names" },
	[PID] = { "pid", 0, "LIST", "only samples of these processes" },
	[TID] = { "tid", 0, "LIST", "only samples of these threads" },
	[TIDS] = { "tids", 0, "LIST", NULL },
	[CPU] = { "cpu", 'C', "LIST", "only samples of these cpus: 0,2-3" },
	[TIME] = { "time", 0, "SPANS", "only samples of that time: 1.5,2 or 0%-20%" },
	[MERGE_RECURSION] = { "merge-recursion", 0, "[=cyclic]",
	                      "a function that calls itself is one frame" },
	[RULES] = { "rules", 0, "FILE",
	            "rules for frames: \"dotnet\", \"kernel\" ... or a file" },
	[KEEP] = { "keep", 0, "PATTERN", "samples with such a frame, or without" },
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
	[NTHREADS] = { "nthreads", 'n', "N", "taken, and of no effect" },
	[TOP] = { "top", 0, "[=N]", "the N heaviest functions (30; 0: all)" },
	[BY] = { "by", 0, "WHAT", "a table by \"module\", \"comm\", \"kind\" ..." },
	[CALLERS] = { "callers", 0, "FUNCTION", "calls of it, or by it, as a tree" },
	[CALLEES] = { "callees", 0, "FUNCTION", NULL },
	[TO] = { "to", 0, "FORMAT", "write \"pprof\" or \"speedscope\"" },
	[OFF_CPU] = { "off-cpu", 0, "[=LIST]",
	              "time off the CPU: \"blocked\", \"all\" ..." },
	[OFF_BY] = { "off-by", 0, "LIST",
	             "frames that say its \"class\", \"state\" ..." },
	[WAKERS] = { "wakers", 0, NULL, "and behind -- what woke the thread" },
	[EVERY] = { "every", 0, "SLICE", "a fold of each 1s, 200ms ... or N samples" },
	[BY_SECOND] = { "by-second", 0, "[=N]",
	                "N (50) slices a second, for pflame's strip" },
	[WEIGHT] = { "weight", 0, "FIELD[:UNIT]",
	             "weigh by a field of a tracepoint: bytes_alloc" },
	[WALL] = { "wall", 0, NULL, "time on and off the CPU, below on-cpu and off-cpu" },
	[WEIGHT_OF] = { "weight-of", 0, "A..B",
	                "time from event A to event B of the thread" },
	{ 0 },
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

static int set_select(struct pfold *t, struct diag *diag, size_t option, const char *arg)
{
	static const enum select_by kinds[] = {
		[COMMS] = SELECT_COMM, [PID] = SELECT_PID, [TID] = SELECT_TID,
		[TIDS] = SELECT_TID,   [CPU] = SELECT_CPU, [TIME] = SELECT_TIME,
	};

	t->selects = true;
	if (select_by(&t->select, kinds[option], arg))
		return 0;
	if (option == PID || option == TID)
		return diag_fatal(diag, "--%s %s: not a list of numbers; %s",
		                  options[option].name, arg, bare.instead);
	return diag_fatal(diag, "--%s %s: not understood; try 'pfold --help'",
	                  options[option].name, arg);
}

/* The root frames that FlameGraph's --pid and --tid make. */
static int set_ids(struct pfold *t, size_t option)
{
	t->root = FOLD_ROOT_COMM;
	if (t->ids != LABEL_TID)
		t->ids = option == TID ? LABEL_TID : LABEL_PID;
	return 0;
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
	out->sized = true;
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

static int set_off(struct pfold *t, struct diag *diag, size_t option, const char *arg)
{
	t->off.wakers |= option == WAKERS;
	if (option == WAKERS || (option == OFF_CPU ? offcpu_classes(&t->off, arg)
	                                           : offcpu_frames(&t->off, arg)))
		return 0;
	return diag_fatal(diag, "--%s %s: not understood; try 'pfold --help'",
	                  options[option].name, arg);
}

static int set_slices(struct pfold *t, struct diag *diag, size_t option, const char *arg)
{
	bool both = slices_wanted(&t->slices) &&
	            (option == BY_SECOND) != (t->slices.per_second != 0);

	if (both)
		return diag_fatal(diag, "--every or --by-second, not both");
	if (option == EVERY && !slices_every(&t->slices, arg))
		return diag_fatal(diag,
		                  "--every %s: neither a time, as 1s, 200ms or 50us, nor "
		                  "a number of samples",
		                  arg);
	if (option == BY_SECOND && !slices_by_second(&t->slices, arg))
		return diag_fatal(diag, "--by-second=%s: not a number from 1 to %d", arg,
		                  SLICES_PER_SECOND_MOST);
	return 0;
}

/* How much a sample weighs, and what is added up. */
static int set_weight(struct pfold *t, struct diag *diag, size_t option, const char *arg)
{
	t->mix |= option == MIX;
	t->wall |= option == WALL;
	if (option == COUNT) {
		t->count_samples = strcmp(arg, "samples") == 0;
		if (!t->count_samples && strcmp(arg, "period") != 0)
			return diag_fatal(diag, "--count %s: neither samples nor period",
			                  arg);
	}
	if (option == WEIGHT && !field_weight_parse(&t->weight, arg))
		return diag_fatal(diag, "--weight %s: not FIELD or FIELD:UNIT", arg);
	if (option == WEIGHT_OF && !latency_parse(&t->latency, arg))
		return diag_fatal(diag, "--weight-of %s: not two events, A..B", arg);
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
	case EVENT:
	case EVENT_FILTER:
		t->event = arg;
		break;
	case PID:
	case TID:
		return arg ? set_select(t, diag, option, arg) : set_ids(t, option);
	case COMMS:
	case TIDS:
	case CPU:
	case TIME:
		return set_select(t, diag, option, arg);
	case MERGE_RECURSION:
		return set_recursion(t, diag, arg);
	case OFF_CPU:
	case OFF_BY:
	case WAKERS:
		return set_off(t, diag, option, arg);
	case EVERY:
	case BY_SECOND:
		return set_slices(t, diag, option, arg);
	case COUNT:
	case MIX:
	case WALL:
	case WEIGHT:
	case WEIGHT_OF:
		return set_weight(t, diag, option, arg);
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

static const struct cmd_words words[] = {
	{ "root", "comm process pid tid none" },
	{ "tidy", "full short none" },
	{ "count", "period samples" },
	{ "rules", "aspnet dotnet go idle java kernel node python roots rust syscalls" },
	{ "compat", "flamegraph inferno" },
	{ "by", "function module comm process kind file:line" },
	{ "to", "folded pprof speedscope" },
	{ "off-cpu", "blocked preempted runnable running all" },
	{ "off-by", "wait class state none" },
	{ 0 },
};

const struct cmd_tool pfold_options_tool = {
	.name = "pfold",
	.purpose = "fold call stacks: a;b;c WEIGHT",
	.operands = "[FILE ...]",
	.example = "psym prof.tar.gz | pfold | pflame > flame.svg",
	.names_frames = true,
	.shows_inlined = true,
	.options = options,
	.bare = &bare,
	.whole = "skip-after", /* --skip leaves frames out in other programs */
	.usual = "o m p event comms time rules keep drop off-cpu by-second weight top by "
	         "to coverage quiet help",
	.words = words,
	.set = set,
};

bool pfold_options_tables(const struct pfold *t)
{
	return t->output.top || t->output.callers || t->output.callees;
}

bool pfold_options_folds_time(const struct pfold *t)
{
	return t->off.classes || t->latency.begin.n;
}

const char *pfold_options_suffix(const struct pfold *t)
{
	return pfold_options_tables(t) ? "tsv" : formats[t->output.to].suffix;
}

bool pfold_options_slice_files(const struct pfold *t)
{
	return (t->slices.us || t->slices.samples) && cmd_mirrors(&t->cmd);
}

/* -1: two kinds of weights, reported. */
static int check_weights(struct pfold *t)
{
	const char *kinds[] = {
		t->wall          ? "--wall"
		: t->off.classes ? "--off-cpu"
		                 : NULL,
		t->weight.field.n ? "--weight" : NULL,
		t->latency.begin.n ? "--weight-of" : NULL,
		t->count_samples ? "--count=samples" : NULL,
	};
	const char *one = NULL;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (kinds[i] && one)
			return diag_fatal(&t->cmd.diag,
			                  "%s and %s: weights are of one kind", one,
			                  kinds[i]);
		one = kinds[i] ? kinds[i] : one;
	}
	return 0;
}

/* -1: two things to write, reported. */
static int check_output(struct pfold *t)
{
	if (t->output.to == TO_FOLDED || !pfold_options_tables(t))
		return 0;
	return diag_fatal(&t->cmd.diag,
	                  "--to writes stacks: not together with --top, --by, "
	                  "--callers or --callees");
}

/* -1: there are no slices of what is asked for, reported. */
static int check_slices(struct pfold *t)
{
	const char *option = t->slices.per_second ? "by-second" : "every";
	struct diag *diag = &t->cmd.diag;

	if (!slices_wanted(&t->slices))
		return 0;
	if (t->cmd.ninputs > 1 && !cmd_mirrors(&t->cmd))
		return diag_fatal(diag,
		                  "--%s: each input has a clock of its own; name one, "
		                  "or with -o DIR/ several",
		                  option);
	if (pfold_options_slice_files(t) ||
	    (t->output.to == TO_FOLDED && !pfold_options_tables(t) &&
	     !(t->slices.per_second && t->labels.compat)))
		return 0;
	return diag_fatal(diag, "--%s: %s", option,
	                  t->slices.per_second
	                          ? "not together with tables and other formats"
	                          : "tables and other formats are of one slice each; "
	                            "-o DIR/ writes them");
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

/* The events of a nettrace that are wanted; "all" stands for samples alone. */
static void find_asked(struct pfold *t)
{
	if (t->latency.begin.n) {
		t->event_list[0] = t->latency.begin;
		t->event_list[1] = t->latency.end;
		t->events.n = 2;
	}
	if (t->latency.begin.n || !t->event || strcmp(t->event, "all") == 0)
		return;
	/* A field weighs the event itself. */
	t->view = t->weight.field.n ? NULL : clr_find(str_of(t->event));
	t->event_list[0] = str_of(t->event);
	t->events.n = t->view ? clr_events(t->view, t->event_list) : 1;
}

static void find_events(struct pfold *t)
{
	find_asked(t);
	t->events.name = t->event_list;
	t->asked = t->events.n;
	if (t->slices.per_second && !t->labels.compat)
		t->events.n += marks_events(t->event_list + t->events.n);
}

int pfold_options_settle(struct pfold *t)
{
	find_events(t);
	if (t->wall && !t->off.classes)
		offcpu_classes(&t->off, "all");
	if (t->wall && t->off.classes & OFF_RUNNING)
		return diag_fatal(&t->cmd.diag,
		                  "--wall: time on the CPU is that of its samples; not "
		                  "together with --off-cpu=running");
	t->lines |= t->context && t->marks & MARK_INLINED;
	if (!t->output.sized)
		t->output.table.most = ROWS;
	if (check_weights(t) < 0 || check_output(t) < 0 || check_slices(t) < 0)
		return -1;
	return open_roots(t);
}

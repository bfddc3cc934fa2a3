#include "pfold_options.h"

#include "rule/rule.h"

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
	RULES, /* set_rule handles all options from RULES to MARK */
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
	DEPTH,
	TO,
	NO_HEADER,
	OFF_CPU,
	OFF_BY,
	WAKERS,
	EVERY,
	BY_SECOND,
	WEIGHT,
	WALL,
	WEIGHT_OF,
};

/* the argument that disables an option */
#define NONE "none"

/* With --compat, these options add ids to root frames, as in FlameGraph. */
static const struct cmd_bare bare = {
	.options = "pid tid",
	.beside = "compat",
	.instead = "--root=pid and --root=tid add the number as a root frame",
};

#define SETS(field) CMD_SETS(struct pfold, field)

static const struct cmd_option options[] = {
	[ROOT] = { "root", 0, "WHAT",
	           "root frame: \"comm\", \"process\", \"pid\", \"tid\" ...", 0 },
	[KERNEL] = { "kernel", 0, NULL, "mark only these kinds of frames", 0 },
	[JIT] = { "jit", 0, NULL, NULL, 0 },
	[INLINE] = { "inline", 0, NULL, NULL, 0 },
	[ALL] = { "all", 0, NULL, NULL, 0 },
	[NO_MARKS] = { "no-marks", 0, NULL, NULL, SETS(no_marks) },
	[ADDRS] = { "addrs", 0, NULL, "show the addresses of unknown frames",
	            SETS(fold.labels.addrs) },
	[SRCLINE] = { "srcline", 0, NULL, "show source lines: main:app.c:17",
	              SETS(lines) },
	[CONTEXT] = { "context", 0, NULL, NULL, SETS(context) },
	[TIDY] = { "tidy", 0, "LEVEL",
	           "show names \"full\" (default), \"short\" or \"" NONE "\"", 0 },
	[RAW_NAMES] = { "raw-names", 0, NULL, "show names as in the symbols", 0 },
	[COUNT] = { "count", 0, "WHAT",
	            "weigh by \"period\" (the default) or \"samples\"", 0 },
	[EVENT] = { "event", 0, "NAME", "fold this event, or \"all\" events",
	            SETS(measure.event) },
	[EVENT_FILTER] = { "event-filter", 0, "NAME", NULL, SETS(measure.event) },
	[COMMS] = { "comms", 'c', "LIST", "use only samples of threads with these names",
	            0 },
	[PID] = { "pid", 0, "LIST", "use only samples of these processes", 0 },
	[TID] = { "tid", 0, "LIST", "use only samples of these threads", 0 },
	[TIDS] = { "tids", 0, "LIST", NULL, 0 },
	[CPU] = { "cpu", 'C', "LIST", "use only samples of these CPUs: 0,2-3", 0 },
	[TIME] = { "time", 0, "SPANS", "use only samples of this time: 1.5,2 or 0%-20%",
	           0 },
	[MERGE_RECURSION] = { "merge-recursion", 0, "[=cyclic]",
	                      "draw recursive calls as one frame", 0 },
	[RULES] = { "rules", 0, "FILE", "use rules: \"dotnet\", \"kernel\" ... or a file",
	            0 },
	[KEEP] = { "keep", 0, "PATTERN", "keep only, or drop, samples with such a frame",
	           0 },
	[INCLUDE] = { "include", 0, "PATTERN", NULL, 0 },
	[DROP] = { "drop", 0, "PATTERN", NULL, 0 },
	[EXCLUDE] = { "exclude", 0, "PATTERN", NULL, 0 },
	[HIDE] = { "hide", 0, "PATTERN", "hide frames, or start or stop stacks at them",
	           0 },
	[START_AT] = { "start-at", 0, "PATTERN", NULL, 0 },
	[STOP_AT] = { "stop-at", 0, "PATTERN", NULL, 0 },
	[RENAME] = { "rename", 0, "RULE", "'PATTERN => NAME', or a mark", 0 },
	[GROUP] = { "group", 0, "RULE", NULL, 0 },
	[MARK] = { "mark", 0, "RULE", NULL, 0 },
	[MIX] = { "mix", 0, NULL, "add weights of different units", SETS(measure.mix) },
	[COMPAT] = { "compat", 0, "TOOL",
	             "write the format of \"flamegraph\" or \"inferno\"", 0 },
	[SKIP_AFTER] = { "skip-after", 0, "FUNCTION",
	                 "omit FUNCTION's callers, but not the root", 0 },
	[NTHREADS] = { "nthreads", 'n', "N", "ignored: one thread is used per input", 0 },
	[TOP] = { "top", 0, "[=N]", "list the N heaviest functions (30; 0: all)", 0 },
	[BY] = { "by", 0, "WHAT", "table of \"module\", \"comm\", \"kind\" ...", 0 },
	[CALLERS] = { "callers", 0, "FUNCTION", "print a tree of its callers, or callees",
	              0 },
	[CALLEES] = { "callees", 0, "FUNCTION", NULL, 0 },
	[DEPTH] = { "depth", 0, "N", "show N levels of callers or callees (all)", 0 },
	[TO] = { "to", 0, "FORMAT",
	         "write \"pprof\", \"speedscope\", \"csv\", \"json\" ...", 0 },
	[NO_HEADER] = { "no-header", 0, NULL, "write only stacks, without comment lines",
	                0 },
	[OFF_CPU] = { "off-cpu", 0, "[=LIST]",
	              "measure time off the CPU: \"blocked\", \"all\" ...", 0 },
	[OFF_BY] = { "off-by", 0, "LIST", "add frames for \"class\", \"state\" ...", 0 },
	[WAKERS] = { "wakers", 0, NULL, "add the waking stack after a -- frame", 0 },
	[EVERY] = { "every", 0, "SLICE", "fold each slice alone: 1s, 200ms or N samples",
	            0 },
	[BY_SECOND] = { "by-second", 0, "[=N]",
	                "write N (50) slices per second, for pflame's strip", 0 },
	[WEIGHT] = { "weight", 0, "FIELD[:UNIT]",
	             "weigh by a tracepoint's field: bytes_alloc", 0 },
	[WALL] = { "wall", 0, NULL, "measure time on and off the CPU, as two roots", 0 },
	[WEIGHT_OF] = { "weight-of", 0, "A..B",
	                "measure time from event A to B of a thread", 0 },
	{ 0 },
};

static const struct cmd_words words[] = {
	{ "root", "comm process pid tid " NONE },
	{ "tidy", "full short " NONE }, /* in the order of enum tidy_level */
	{ "count", "period samples" },
	{ "rules", RULE_FILE_NAMES },
	{ "compat", "flamegraph inferno" }, /* in the order of enum compat */
	{ "by", "function module assembly namespace comm process kind file:line" },
	{ "to", "folded pprof speedscope csv json tsv" },
	{ "off-cpu", "blocked preempted runnable running all" },
	{ "off-by", "wait class state " NONE },
	{ 0 },
};

static int set_tidy(struct pfold *t, struct diag *diag, const char *arg)
{
	int at = options_word(words, "tidy", arg);

	if (at < 0)
		return diag_fatal(diag, "--tidy %s: expected full, short or " NONE, arg);
	t->fold.labels.tidy = (enum tidy_level)at;
	return 0;
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
		{ NONE, FOLD_ROOT_NONE, LABEL_COMM },
	};

	for (size_t i = 0; i < sizeof(roots) / sizeof(*roots); i++)
		if (strcmp(arg, roots[i].word) == 0) {
			t->fold.root = roots[i].root;
			t->fold.ids = roots[i].ids;
			return 0;
		}
	return diag_fatal(diag, "--root %s: expected comm, process, pid, tid or " NONE,
	                  arg);
}

static int set_compat(struct pfold *t, struct diag *diag, const char *arg)
{
	int at = options_word(words, "compat", arg);

	if (at < 0)
		return diag_fatal(diag, "--compat %s: expected flamegraph or inferno",
		                  arg);
	t->fold.labels.compat = (enum compat)(COMPAT_FLAMEGRAPH + at);
	return 0;
}

static int set_recursion(struct pfold *t, struct diag *diag, const char *arg)
{
	if (arg && strcmp(arg, "cyclic") != 0)
		return diag_fatal(diag, "--merge-recursion=%s: expected cyclic", arg);
	t->fold.recursion = arg ? RECURSION_CYCLIC : RECURSION_DIRECT;
	return 0;
}

static void add_start(struct pfold *t, const char *arg)
{
	*arena_push(&t->cmd.run, t->starts, t->nstarts, t->starts_cap) = str_of(arg);
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
		return diag_fatal(diag, "--%s %s: expected a list of numbers; %s",
		                  options[option].name, arg, bare.instead);
	return diag_fatal(diag, "--%s %s: not understood; try 'pfold --help'",
	                  options[option].name, arg);
}

/* Sets the ids in root frames for FlameGraph's options --pid and --tid. */
static int set_ids(struct pfold *t, size_t option)
{
	t->fold.root = FOLD_ROOT_COMM;
	if (t->fold.ids != LABEL_TID)
		t->fold.ids = option == TID ? LABEL_TID : LABEL_PID;
	return 0;
}

/* Adds a file of rules, or one rule.  The option is the action of the rule. */
static int set_rule(struct pfold *t, struct diag *diag, size_t option, const char *arg)
{
	static const enum rule_action actions[] = {
		[KEEP] = RULE_KEEP,       [INCLUDE] = RULE_KEEP,
		[DROP] = RULE_DROP,       [EXCLUDE] = RULE_DROP,
		[HIDE] = RULE_HIDE,       [START_AT] = RULE_START_AT,
		[STOP_AT] = RULE_STOP_AT, [RENAME] = RULE_RENAME,
		[GROUP] = RULE_GROUP,     [MARK] = RULE_MARK,
	};

	struct fold_opts *fold = &t->fold;

	if (!fold->rules)
		fold->rules = rule_open(diag);
	if (!fold->rules)
		return -1;
	if (option == RULES)
		return rule_read(fold->rules, arg);
	return rule_add(fold->rules, actions[option], options[option].name, arg);
}

static int set_slices(struct pfold *t, struct diag *diag, size_t option, const char *arg)
{
	bool both = slices_wanted(&t->slices) &&
	            (option == BY_SECOND) != (t->slices.per_second != 0);

	if (both)
		return diag_fatal(diag, "--every and --by-second cannot be combined");
	if (option == EVERY && !slices_every(&t->slices, arg))
		return diag_fatal(diag,
		                  "--every %s: expected a time, such as 1s, 200ms or "
		                  "50us, or a number of samples",
		                  arg);
	if (option == BY_SECOND && !slices_by_second(&t->slices, arg))
		return diag_fatal(diag, "--by-second=%s: not a number from 1 to %d", arg,
		                  SLICES_PER_SECOND_MOST);
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
	case TIDY:
		return set_tidy(t, diag, arg);
	case RAW_NAMES:
		t->fold.labels.tidy = TIDY_NONE;
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
	case EVERY:
	case BY_SECOND:
		return set_slices(t, diag, option, arg);
	case SKIP_AFTER:
		add_start(t, arg);
		break;
	case COMPAT:
		return set_compat(t, diag, arg);
	case TOP:
	case BY:
	case CALLERS:
	case CALLEES:
	case DEPTH:
	case TO:
	case NO_HEADER:
		return output_set(&t->output, diag, options[option].name, arg);
	default:
		return measure_set(&t->measure, diag, options[option].name, arg);
	}
	return 0;
}

const struct cmd_tool pfold_options_tool = {
	.name = "pfold",
	.purpose = "fold call stacks: a;b;c WEIGHT",
	.operands = "[FILE ...]",
	.example = "psym prof.tar.gz | pfold | pflame > flame.svg",
	.names_frames = true,
	.shows_inlined = true,
	.options = options,
	.bare = &bare,
	/* not abbreviated to --skip, because --skip of other programs hides frames */
	.whole = "skip-after",
	.usual = "o m p event comms time rules keep drop off-cpu by-second weight top by "
	         "to coverage quiet help",
	.words = words,
	.set = set,
};

bool pfold_options_slice_files(const struct pfold *t)
{
	return (t->slices.us || t->slices.samples) && cmd_mirrors(&t->cmd);
}

/* Checks the options for slices.  If slices cannot be written, reports this and returns -1. */
static int check_slices(struct pfold *t)
{
	bool seconds = t->slices.per_second;
	const char *option = seconds ? "by-second" : "every";
	struct diag *diag = &t->cmd.diag;

	if (!slices_wanted(&t->slices))
		return 0;
	if (t->cmd.ninputs > 1 && !cmd_mirrors(&t->cmd))
		return diag_fatal(diag,
		                  "--%s: inputs have different clocks; name one input, "
		                  "or add -o DIR/",
		                  option);
	if (pfold_options_slice_files(t) ||
	    (output_is_folded(&t->output) && !(seconds && t->fold.labels.compat)))
		return 0;
	return diag_fatal(diag, "--%s: %s", option,
	                  seconds ? "cannot be combined with tables and other formats"
	                          : "tables and other formats need -o DIR/, which writes "
	                            "a file per slice");
}

/* Opens the rules for root frames, if needed.  Returns -1 after it has reported an error. */
static int open_roots(struct fold_opts *fold, struct diag *diag)
{
	if (fold->labels.compat && fold->root == FOLD_ROOT_RULES)
		fold->root = FOLD_ROOT_COMM;
	if (fold->root != FOLD_ROOT_RULES && fold->root != FOLD_ROOT_PROCESS)
		return 0;
	fold->roots = rule_open(diag);
	return fold->roots ? rule_read(fold->roots, "roots") : -1;
}

int pfold_options_settle(struct pfold *t)
{
	struct diag *diag = &t->cmd.diag;

	t->measure.compat = t->fold.labels.compat;
	t->measure.marks = t->slices.per_second && !t->measure.compat;
	t->lines |= t->context && t->marks & MARK_INLINED;
	if (measure_settle(&t->measure, diag) < 0 ||
	    output_settle(&t->output, diag) < 0 || check_slices(t) < 0)
		return -1;
	return open_roots(&t->fold, diag);
}

/*
 * pdiff - compares two groups of profiles.  The differences between the profiles of a group
 * determine which differences between the groups are noise.
 *
 * 	profiles -> stack/fold -> compare/contrast -> writer/diff_table
 */
#include <stdlib.h>

#include "pdiff_read.h"
#include "rule/rule.h"
#include "writer/diff_table.h"

enum { EXIT_LIMIT = 3, STACKS_MOST = 1000 };

enum { WITH, FAIL_IF, TOTAL, STACKS, UNIT, MIN_SHARE, FDR, NOISE, TO, OWN };

#define SETS(field) CMD_SETS(struct pdiff, field)

static const struct cmd_option own[OWN] = {
	[WITH] = { "with", 0, "NEW", "the new profiles follow", 0 },
	[FAIL_IF] = { "fail-if", 0, "CONDITION",
	              "exit with 3 if 'self(/REGEX/) > +5%' is sure", 0 },
	[TOTAL] = { "total", 0, NULL, "compare total weights, not self weights",
	            SETS(totals) },
	[STACKS] = { "stacks", 0, NULL, "compare the 1,000 heaviest stacks",
	             SETS(stacks) },
	[UNIT] = { "unit", 0, "UNIT",
	           "\"normalized\", \"absolute\", \"per-second\" or \"share\"", 0 },
	[MIN_SHARE] = { "min-share", 0, "P%",
	                "leave out functions with a smaller share (0.1%)", 0 },
	[FDR] = { "fdr", 0, "RATE", "limit the rate of false verdicts (0.05)", 0 },
	[NOISE] = { "noise", 0, "P%", "use this deviation if there are few profiles", 0 },
	[TO] = { "to", 0, "FORMAT", "write \"csv\", \"tsv\", \"json\" or \"folded\"", 0 },
};

/* Options with the same meaning as in pfold. */
static const char *const shared[] = {
	"tidy",    "raw-names", "count",   "event",  "comms", "pid",  "tid",
	"cpu",     "time",      "rules",   "keep",   "drop",  "hide", "start-at",
	"stop-at", "rename",    "off-cpu", "weight", "mix",
};

enum { SHARED = sizeof(shared) / sizeof(*shared) };

static const struct cmd_words words[] = {
	{ "unit", "normalized absolute per-second share" },
	{ "to", "csv tsv json folded" },
	{ "tidy", "full short none" },
	{ "count", "period samples" },
	{ "rules", RULE_FILE_NAMES },
	{ "off-cpu", "blocked preempted runnable running all" },
	{ 0 },
};

static size_t index_in_pfold(const char *name)
{
	size_t i = 0;

	while (strcmp(pfold_options_tool.options[i].name, name) != 0)
		i++;
	return i;
}

/* Parses a share from 0 to 1, such as "5%", which is 0.05.  Returns false for other text. */
static bool take_share(const char *arg, bool percent, double *out)
{
	char *end;
	double v = strtod(arg, &end);

	if (end == arg || !(v >= 0))
		return false;
	if (percent && *end == '%') {
		v /= 100;
		end++;
	}
	*out = v;
	return !*end && v <= 1;
}

static int add_gate(struct pdiff *t, struct diag *diag, const char *arg)
{
	return gate_parse(arena_push(&t->own, t->gate, t->ngates, t->gates_cap),
	                  str_of(arg), diag);
}

static int set(void *ctx, struct diag *diag, size_t option, const char *arg)
{
	struct pdiff *t = ctx;
	bool good = true;
	int at;

	if (option >= OWN)
		return pfold_options_tool.set(&t->fold, diag,
		                              index_in_pfold(shared[option - OWN]), arg);
	switch (option) {
	case WITH: /* pdiff removes --with before it parses the options */
		good = false;
		break;
	case FAIL_IF:
		return add_gate(t, diag, arg);
	case UNIT:
		at = options_word(words, "unit", arg);
		good = at >= 0;
		t->opts.unit = (enum compare_unit)at;
		break;
	case MIN_SHARE:
		good = take_share(arg, true, &t->opts.min_share);
		break;
	case FDR:
		good = take_share(arg, false, &t->opts.fdr) && t->opts.fdr > 0;
		break;
	case NOISE:
		good = take_share(arg, true, &t->opts.noise) && t->opts.noise > 0;
		break;
	default:
		at = options_word(words, "to", arg);
		good = at >= 0;
		t->form = at + DIFF_TABLE_CSV;
	}
	return good ? 0
	            : diag_fatal(diag, "--%s %s: not understood; try 'pdiff --help'",
	                         own[option].name, arg);
}

/*
 * getopt moves all operands after the options, so the position of an option among the operands
 * is lost.  Therefore this operand replaces --with, and marks its position.
 */
#define BORDER "\001with"

/*
 * Returns a copy of argv.  In the copy, BORDER replaces --with, and BORDER and NEW replace
 * --with=NEW.  The last element is NULL.
 */
static char **mark_border(int *argc, char **argv, struct arena *a)
{
	char **to = arena_new(a, char *, (size_t)*argc + 2);
	char *border = arena_alloc(a, 1, sizeof(BORDER));
	bool options = true;
	int n = 0;

	memcpy(border, BORDER, sizeof(BORDER));
	for (int i = 0; i < *argc; i++) {
		char *word = argv[i];
		bool joined = options && strncmp(word, "--with=", 7) == 0;

		if (options && strcmp(word, "--") == 0)
			options = false;
		if (joined || (options && strcmp(word, "--with") == 0)) {
			to[n++] = border;
			if (joined)
				to[n++] = word + 7;
			continue;
		}
		to[n++] = word;
	}
	*argc = n;
	return to;
}

/*
 * Divides the operands into old and new inputs.  If there is no --with, reports this and returns
 * -1.
 */
static int settle_inputs(struct pdiff *t)
{
	struct cmd *c = &t->fold.cmd;
	const char **operand = arena_new(&c->run, const char *, c->ninputs + 1);
	size_t n = 0, nold = SIZE_MAX;

	if (cmd_mirrors(c))
		return diag_fatal(&c->diag,
		                  "-o %s: a comparison has one output; name a file",
		                  c->output);
	for (size_t i = 0; i < c->ninputs; i++)
		if (c->inputs[i] && strcmp(c->inputs[i], BORDER) == 0 && nold == SIZE_MAX)
			nold = n;
		else
			operand[n++] = c->inputs[i];
	if (t->stacks && t->form == DIFF_TABLE_FOLDED)
		return diag_fatal(&c->diag, "--to folded: its verdicts are of functions; "
		                            "omit --stacks");
	if (nold == SIZE_MAX || !nold || nold == n)
		return diag_fatal(
		        &c->diag,
		        "old profiles, --with and new profiles are needed: pdiff "
		        "OLD... --with NEW...");
	c->inputs = operand;
	c->ninputs = n;
	t->nold = nold;
	return 0;
}

/*
 * Reports the gates (the conditions of --fail-if).  Returns EXIT_COMPLETE, EXIT_LIMIT or
 * EXIT_UNUSABLE.
 */
static int report_gates(struct pdiff *t, const struct diff_table *c,
                        struct diff_table_gate *gate, struct arena *scratch)
{
	struct diag *diag = &t->fold.cmd.diag;
	int status = EXIT_COMPLETE;

	for (size_t i = 0; i < t->ngates; i++) {
		struct str text = t->gate[i].text;

		gate[i].gate = &t->gate[i];
		gate[i].result =
		        gate_test(&t->gate[i], i, c->compare, c->found, c->unit.name,
		                  c->moved, c->nmoved, &gate[i].change, scratch);
		if (gate[i].result == GATE_TOO_FEW) {
			diag_fatal(diag,
			           "--fail-if '" PRSTR "': too few profiles: %zu on each "
			           "side needed",
			           STRARG(text), c->found->needed_for_one);
			status = EXIT_UNUSABLE;
		} else if (gate[i].result == GATE_UNFIT) {
			diag_fatal(diag,
			           "--fail-if '" PRSTR "': weights are %s%s" PRSTR
			           "; state the limit in percent",
			           STRARG(text), compare_name(c->found->unit),
			           c->unit.name.n ? ", in " : "", STRARG(c->unit.name));
			status = EXIT_UNUSABLE;
		} else if (gate[i].result == GATE_PASSED) {
			diag_fatal(diag, "--fail-if '" PRSTR "': it is " PRSTR,
			           STRARG(text),
			           STRARG(diff_table_percent(&gate[i].change, scratch)));
			if (status == EXIT_COMPLETE)
				status = EXIT_LIMIT;
		}
	}
	return status;
}

static struct unit unit_of(const struct head_sum *head)
{
	return (struct unit){ .event = head->head.event,
		              .name = head->unstated ? STR("") : head->head.unit,
		              .samples = head->head.samples };
}

/*
 * Writes the table of changes.  Sets *gates to the exit status that --fail-if requires.  Returns
 * false if there was no output.
 */
static bool write_changes(struct pdiff *t, int *gates)
{
	struct cmd *c = &t->fold.cmd;
	arena_scope(a);
	struct findings found;
	struct diff_table_gate *gate =
	        arena_new(&a, struct diff_table_gate, t->ngates + 1);
	struct moved *moved = NULL;
	struct diff_table changes = {
		.compare = &t->compare,
		.found = &found,
		.measure = t->stacks   ? "stack"
		           : t->totals ? "total"
		                       : "self",
		.unit = unit_of(&t->head),
		.head = t->head.head,
		.module = t->module,
		.gate = gate,
		.ngates = t->ngates,
		.stacks = &t->pooled,
	};
	struct out o;
	bool good;

	contrast_run(&t->compare, &found, &a);
	if (t->slices.nold && t->slices.n == 2 * t->slices.nold)
		contrast_within(&t->slices, &found, &a);
	if (!t->stacks && !t->totals)
		changes.nmoved = moved_find(&t->compare, &found, &t->pooled, &moved, &a);
	changes.moved = moved;
	if (found.few)
		diag_note(
		        &c->diag,
		        "too few profiles: %zu on each side needed for a verdict on %zu "
		        "function%s",
		        found.needed, found.nrows, found.nrows == 1 ? "" : "s");
	*gates = report_gates(t, &changes, gate, &a);
	good = cmd_open_output(c, &o, NULL, "diff") == 0;
	if (good) {
		diff_table_write(&o, &changes, (enum diff_table_form)t->form, &a);
		good = cmd_close_output(c, &o) == 0;
	}
	return good;
}

/* Returns true if all profiles have a duration, which --unit per-second requires. */
static bool has_durations(struct pdiff *t)
{
	if (t->opts.unit != COMPARE_PER_SECOND)
		return true;
	for (size_t i = 0; i < t->compare.n; i++)
		if (!(t->compare.profile[i].seconds > 0)) {
			diag_fatal(
			        &t->fold.cmd.diag,
			        "--unit per-second: a profile without times, or a fold "
			        "without duration= in its header");
			return false;
		}
	return true;
}

static bool run(struct pdiff *t, int *gates)
{
	struct cmd *c = &t->fold.cmd;

	if (t->stacks)
		t->opts.most = STACKS_MOST, t->opts.min_share = 0;
	if (settle_inputs(t) < 0 || pfold_options_settle(&t->fold) < 0 ||
	    !cmd_confine(c, t) || pdiff_list(t) < 0)
		return false;
	return pdiff_read(t) && has_durations(t) && write_changes(t, gates);
}

int main(int argc, char **argv)
{
	struct pdiff t = { .opts = { .min_share = 0.001, .fdr = 0.05 } };
	struct cmd_option options[OWN + SHARED + 1] = { 0 };
	struct cmd_tool tool = {
		.name = "pdiff",
		.purpose = "compare two groups of profiles",
		.operands = "OLD ... --with NEW ...",
		.example = "pdiff monday/ --with tuesday/",
		.names_frames = true,
		.options = options,
		.usual = "o m with fail-if total stacks unit min-share noise to event "
		         "rules "
		         "quiet help",
		.words = words,
		.set = set,
	};
	bool started, good;
	int status;

	for (size_t i = 0; i < OWN; i++)
		options[i] = own[i];
	for (size_t i = 0; i < SHARED; i++)
		options[OWN + i] = pfold_options_tool.options[index_in_pfold(shared[i])];
	argv = mark_border(&argc, argv, &t.own);
	started = cmd_start(&t.fold.cmd, &tool, &t, argc, argv, &status);
	good = started && run(&t, &t.fold.cmd.verdict);
	for (size_t i = 0; i < t.ngates; i++)
		gate_close(&t.gate[i]);
	rule_close(t.fold.fold.rules);
	rule_close(t.fold.fold.roots);
	arena_release(&t.own);
	return started ? cmd_end(&t.fold.cmd, good) : status;
}

/*
 * pannotate - prints source lines and instructions with their weights.
 *
 * 	profile -> measure/measure -> stack/spots -> writer/annotate
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "divided.h"
#include "events.h"
#include "listings.h"
#include "measure/measure_part.h"
#include "rule/rule.h"
#include "stack/spots_part.h"
#include "symbol/select.h"
#include "writer/missing.h"

enum { HOTTEST = 10 }; /* number of functions that are printed without FUNCTION */

struct pannotate {
	struct cmd cmd;
	struct measure_opts measure;
	struct select select;
	struct source_paths paths; /* --source-path */
	bool selects, all, lines, missing;
	enum listings_form form;
	const char *wanted;    /* FUNCTION or NULL */
	struct rules *pattern; /* compiled /REGEX/, or NULL */
};

/* Options of pannotate.  Their numbers begin after the numbers of enum select_by. */
enum { COUNT = SELECT_KINDS, ALL, LINES, TO, SOURCE_PATH, MISSING, OPTIONS };

#define SETS(field) CMD_SETS(struct pannotate, field)

static const struct cmd_option options[] = {
	[SELECT_COMM] = { "comms", 'c', "LIST",
	                  "use only samples of threads with these names", 0 },
	[SELECT_PID] = { "pid", 0, "LIST", "use only samples of these processes", 0 },
	[SELECT_TID] = { "tid", 0, "LIST", "use only samples of these threads", 0 },
	[SELECT_CPU] = { "cpu", 'C', "LIST", "use only samples of these CPUs: 0,2-3", 0 },
	[SELECT_EVENT] = { "event", 0, "NAME", "use this event, or \"all\" events",
	                   SETS(measure.event) },
	[SELECT_TIME] = { "time", 0, "SPANS",
	                  "use only samples of this time: 1.5,2 or 0%-20%", 0 },
	[SELECT_STACK] = { "max-stack", 0, "N", "use at most N frames of a stack", 0 },
	[COUNT] = { "count", 0, "WHAT",
	            "weigh by \"period\" (the default) or \"samples\"", 0 },
	[ALL] = { "all", 0, NULL, "print all functions that have a weight", SETS(all) },
	[LINES] = { "lines", 0, NULL, "print only source lines", SETS(lines) },
	[TO] = { "to", 0, "FORMAT", "write \"csv\", \"json\" or \"html\"", 0 },
	[SOURCE_PATH] = { "source-path", 0, "FROM=TO",
	                  "read sources, with the start of their paths replaced", 0 },
	[MISSING] = { "missing", 0, NULL, "list missing files", SETS(missing) },
	[OPTIONS] = { 0 },
};

static const struct cmd_words words[] = {
	{ "count", "period samples" },
	{ "to", "csv json html" },
	{ 0 },
};

static int set_form(struct pannotate *t, struct diag *diag, const char *arg)
{
	int at = options_word(words, "to", arg);

	t->form = (enum listings_form)(TO_CSV + at);
	return at < 0 ? diag_fatal(diag, "--to %s: expected csv, json or html", arg) : 0;
}

static int set_select(struct pannotate *t, struct diag *diag, size_t option,
                      const char *arg)
{
	t->selects = true;
	if (select_by(&t->select, (enum select_by)option, arg))
		return 0;
	return diag_fatal(diag, "--%s %s: not understood; try 'pannotate --help'",
	                  options[option].name, arg);
}

static int set(void *ctx, struct diag *diag, size_t option, const char *arg)
{
	struct pannotate *t = ctx;

	switch (option) {
	case COUNT:
		return measure_set(&t->measure, diag, "count", arg);
	case TO:
		return set_form(t, diag, arg);
	case SOURCE_PATH:
		if (source_path_add(&t->paths, arg, &t->cmd.run))
			return 0;
		return diag_fatal(diag, "--source-path %s: expected FROM=TO", arg);
	default:
		return set_select(t, diag, option, arg);
	}
}

/* Allows the files in --source-path. */
static void allow(void *ctx, struct cmd *c, struct confine *to)
{
	const struct pannotate *t = ctx;

	(void)c;
	for (size_t i = 0; i < t->paths.n; i++)
		if (t->paths.path[i].to.n)
			confine_path(to, t->paths.path[i].to.p, CONFINE_READ);
}

/* Returns true for "index.csv", "index.html" and "17-NAME.txt". */
static bool makes(struct str name)
{
	struct str rest = name;
	uint64_t number;

	for (size_t i = 0; i < name.n; i++)
		if (!str_is_alnum(name.p[i]) && !strchr("_.-", name.p[i]))
			return false;
	if (!str_take_dec(&rest, &number) || !str_starts(rest, STR("-")))
		return str_eq(name, STR("index.csv")) || str_eq(name, STR("index.html"));
	return str_ends(name, STR(".txt")) || str_ends(name, STR(".csv")) ||
	       str_ends(name, STR(".json")) || str_ends(name, STR(".html"));
}

static const struct cmd_tool tool = {
	.name = "pannotate",
	.purpose = "print source lines and instructions with their weight",
	.operands = "[FUNCTION] [FILE ...]",
	.example = "pannotate -m symbols/ serialize prof.tar.gz",
	.names_frames = true,
	.shows_inlined = true,
	.options = options,
	.usual = "o m p all lines to source-path event comms time no-inline no-host "
	         "missing list-events quiet help",
	.words = words,
	.set = set,
	.allow = allow,
	.makes = makes,
};

/* State of a run over all inputs. */
struct run {
	struct pannotate *tool;
	struct arena arena;
	struct spots spots;
	struct fold fold; /* unused here, but measure_init requires a fold */
	struct measure_run measure;
	struct select_hits hits;
	struct head_sum head;
	struct profile **profile; /* indexed by input.  An element is NULL if closed */
	struct source_files files;
	struct annotated_look look;
	struct listing_opts listing;
	struct disasm *disasms;
	const struct spot_function **chosen; /* sorted by weight, hottest first */
	size_t nchosen;
	bool failed;
};

static bool is_file(const char *path)
{
	struct stat sb;

	return !path || stat(path, &sb) == 0;
}

/*
 * Takes FUNCTION from the operands: the first operand, unless all are files.  Returns -1 after it
 * has reported an error.
 */
static int take_function(struct pannotate *t)
{
	static const char *const pipe[] = { NULL };
	struct cmd *c = &t->cmd;
	size_t first = c->nnamed;
	bool files = true;
	const char **inputs;

	for (size_t i = first; i < c->ninputs; i++)
		files &= is_file(c->inputs[i]);
	if (t->all || files || first == c->ninputs || !c->inputs[first])
		return 0;
	t->wanted = c->inputs[first];
	inputs = arena_new(&c->run, const char *, c->ninputs);
	for (size_t i = 0, n = 0; i < c->ninputs; i++)
		if (i != first)
			inputs[n++] = c->inputs[i];
	c->inputs = --c->ninputs ? inputs : pipe;
	if (c->ninputs)
		return 0;
	c->ninputs = 1;
	return isatty(STDIN_FILENO)
	               ? diag_fatal(&c->diag,
	                            "no input: name a file after %s, or pipe one in",
	                            t->wanted)
	               : 0;
}

/*
 * Refuses formats other than text unless listings are requested.  Returns -1 after it has
 * reported an error.
 */
static int check_form(struct pannotate *t)
{
	if (t->form == TO_TEXT || t->wanted || t->all || t->missing)
		return 0;
	return diag_fatal(&t->cmd.diag, "--to needs the name of a function, or --all");
}

/* Compiles /REGEX/.  Returns -1 after it has reported an error. */
static int compile(struct pannotate *t)
{
	struct str word = str_of(t->wanted);
	struct cmd *c = &t->cmd;

	if (word.n < 2 || word.p[0] != '/' || word.p[word.n - 1] != '/')
		return 0;
	word = arena_str(&c->run, (struct str){ word.p + 1, word.n - 2 });
	t->pattern = rule_open(&c->diag);
	return t->pattern ? rule_add(t->pattern, RULE_KEEP, "FUNCTION", word.p) : -1;
}

/* Returns true if the user has requested f. */
static bool is_wanted(const struct run *r, const struct spot_function *f,
                      struct arena *scratch)
{
	const struct pannotate *t = r->tool;
	struct str want = str_of(t->wanted);
	struct rule_subject subject = { .name = spots_str(&r->spots, f->name) };

	if (!f->weight.self && !f->weight.total)
		return false;
	if (!t->wanted)
		return true;
	subject.module = spots_str(&r->spots, f->module);
	if (t->pattern)
		return rule_judge(t->pattern, &subject, scratch).flags & RULE_IS_KEPT;
	return str_eq(subject.name, want) ||
	       str_eq(spots_str(&r->spots, f->symbol), want);
}

/* An input, whose weights several processes may add up. */
struct weighing {
	struct run *run;
	struct profile *p;
	struct spots_sent sent; /* used in a worker */
};

static void weigh_samples(void *ctx, struct out *out)
{
	const struct weighing *w = ctx;
	struct sample s;

	(void)out;
	while (profile_next(w->p, &s) > 0)
		measure_take(&w->run->measure, &s);
}

static void begin_part(void *ctx)
{
	struct weighing *w = ctx;

	spots_part_begin(&w->run->spots, &w->sent);
	measure_part_begin(&w->run->measure);
}

static void send_part(void *ctx, struct out *to)
{
	struct weighing *w = ctx;

	spots_part_send(&w->run->spots, &w->sent, to);
	measure_part_send(&w->run->measure, to);
}

static void take_part(void *ctx, const struct part_sent *frames, void *known,
                      struct cursor *from)
{
	struct weighing *w = ctx;

	spots_part_take(&w->run->spots, w->p, frames, known, from);
	measure_part_take(&w->run->measure, from);
}

static struct divided divide(struct weighing *w)
{
	return (struct divided){
		.c = &w->run->tool->cmd,
		.p = w->p,
		.alone = !measure_part_divides(&w->run->measure),
		.few = true,
		.read = weigh_samples,
		.begin = begin_part,
		.send = send_part,
		.take = take_part,
		.state = sizeof(struct spots_known),
		.ctx = w,
	};
}

static void learn(struct run *r, struct profile *p)
{
	struct weighing w = { .run = r, .p = p };
	const struct divided divided = divide(&w);

	divided_learn(&divided);
}

static void weigh_profile(struct run *r, struct profile *p, const struct select *select,
                          const char *input, uint32_t number)
{
	struct weighing w = { .run = r, .p = p };
	const struct divided divided = divide(&w);
	struct cmd *c = &r->tool->cmd;

	measure_begin(&r->measure, select);
	spots_begin(&r->spots);
	divided_run(&divided, NULL);
	weigh_samples(&w, NULL);
	measure_end(&r->measure);
	spots_end(&r->spots, p, number);
	r->failed |=
	        !measure_head(&r->measure, &r->head, &c->diag, cmd_input_name(input));
	cmd_report(c, p, input, false);
}

/*
 * Returns true if a listing may need code from profile `number`, the last profile that was read.
 */
static bool is_needed(const struct run *r, uint32_t number)
{
	const struct pannotate *t = r->tool;
	const struct spots *s = &r->spots;
	arena_scope(scratch);
	bool needed = t->missing, *judged;

	if (!t->wanted && !t->all)
		return needed;
	judged = arena_new(&scratch, bool, s->nfunctions + 1);
	/* The spots of the last profile are at the end. */
	for (size_t i = s->n; i && s->spot[i - 1].profile == number && !needed; i--) {
		uint32_t f = s->spot[i - 1].function;

		needed = !judged[f] && is_wanted(r, &s->function[f], &scratch);
		judged[f] = true;
	}
	return needed;
}

static void read_input(struct run *r, uint32_t number)
{
	struct pannotate *t = r->tool;
	struct cmd *c = &t->cmd;
	const char *input = c->inputs[number];
	struct profile_opts opts = cmd_profile_opts(c, input);
	/* a copy, because the times in --time depend on the input */
	struct select own = t->select;
	const struct select *select = t->selects ? &own : NULL;
	struct profile *p;

	opts.lines = opts.paths = opts.places = true;
	opts.kinds = measure_kinds(&t->measure);
	opts.events = &t->measure.events;
	p = profile_open(&opts);
	if (p) {
		measure_open(&r->measure, p, select);
		learn(r, p);
	}
	if (p && select_settle(&own, profile_reader(p), false, &c->diag) == 0)
		weigh_profile(r, p, select, input, number);
	else
		c->skipped = true;
	if (p && is_needed(r, number))
		r->profile[number] = p;
	else
		profile_close(p);
}

static int by_self(const void *pa, const void *pb, void *ctx)
{
	const struct spot_function *a = *(const struct spot_function *const *)pa;
	const struct spot_function *b = *(const struct spot_function *const *)pb;
	const struct spots *s = ctx;

	return num_cmp(b->weight.self, a->weight.self)
	               ?: num_cmp(b->weight.total, a->weight.total)
	               ?: str_cmp(spots_str(s, a->name), spots_str(s, b->name))
	               ?: str_cmp(spots_str(s, a->module), spots_str(s, b->module))
	               ?: str_cmp(spots_str(s, a->build_id), spots_str(s, b->build_id));
}

/* Lists the requested functions, or all functions. */
static void choose(struct run *r)
{
	struct arena scratch = { 0 };
	struct spots *s = &r->spots;

	r->chosen = arena_new(&r->arena, const struct spot_function *, s->nfunctions + 1);
	for (size_t i = 0; i < s->nfunctions; i++)
		if (is_wanted(r, &s->function[i], &scratch))
			r->chosen[r->nchosen++] = &s->function[i];
	arena_release(&scratch);
	qsort_r(r->chosen, r->nchosen, sizeof(struct spot_function *), by_self, s);
}

static void begin_run(struct run *r, struct pannotate *t)
{
	*r = (struct run){ .tool = t, .head.arena = &r->arena };
	fold_init(&r->fold, &r->arena, &(struct fold_opts){ 0 });
	spots_init(&r->spots, &r->arena);
	select_begin(&t->select, &r->hits, &r->arena);
	measure_init(&r->measure, &t->measure, &r->fold, &r->arena);
	r->measure.spots = &r->spots;
	r->files.paths = t->paths;
	source_files_init(&r->files, &r->arena);
	r->profile = arena_new(&r->arena, struct profile *, t->cmd.ninputs);
	r->listing = (struct listing_opts){ .profiles = r->profile,
		                            .files = &r->files,
		                            .disasms = &r->disasms,
		                            .arena = &r->arena,
		                            .lines = t->lines,
		                            .weighted = t->form == TO_CSV ||
		                                        t->form == TO_JSON,
		                            .no_inline = t->cmd.no_inline };
}

static void settle_look(struct run *r)
{
	const struct pannotate *t = r->tool;
	struct str unit = r->head.head.unit;

	r->look = (struct annotated_look){
		.event = r->head.head.event,
		.unit = { .name = unit.n ? unit : STR("samples") },
		.lines = t->lines,
		.color = !t->cmd.output && isatty(STDOUT_FILENO),
	};
}

/* Prints the hottest functions, and how to annotate one of them. */
static bool write_hottest(struct run *r)
{
	struct cmd *c = &r->tool->cmd;
	size_t n = r->nchosen < HOTTEST ? r->nchosen : HOTTEST;
	struct out o;

	if (cmd_open_output(c, &o, c->inputs[0], "txt") < 0)
		return false;
	annotated_hottest(&o, &r->spots, r->chosen, n, &r->arena);
	diag_note(&c->diag,
	          "to annotate one of them, add its name before the profile: pannotate "
	          "NAME %s",
	          cmd_input_name(c->inputs[0]));
	return cmd_close_output(c, &o) == 0;
}

static bool write_missing(struct run *r)
{
	struct cmd *c = &r->tool->cmd;
	struct out o;

	if (cmd_open_output(c, &o, c->inputs[0], "txt") < 0)
		return false;
	for (size_t i = 0; i < c->ninputs; i++)
		if (r->profile[i])
			missing_write(&o, r->profile[i]);
	return cmd_close_output(c, &o) == 0;
}

/* Reports that FUNCTION is unknown, and suggests a similar name. */
static bool report_unknown(struct run *r)
{
	struct nearest near;

	nearest_init(&near, str_of(r->tool->wanted), NEAREST_AROUND, &r->arena);
	for (size_t i = 0; i < r->spots.nfunctions; i++)
		nearest_take(&near, spots_str(&r->spots, r->spots.function[i].name));
	diag_fatal(
	        &r->tool->cmd.diag, "%s: no sampled function has this name" PRSTR,
	        r->tool->wanted,
	        STRARG(r->tool->pattern ? (struct str){ 0 } : nearest_question(&near)));
	return false;
}

static bool write_all(struct run *r)
{
	struct pannotate *t = r->tool;
	struct cmd *c = &t->cmd;

	if (t->missing)
		return write_missing(r);
	if (r->failed)
		return false;
	if (!r->measure.counts.samples) {
		measure_report_nothing(&r->measure, &c->diag,
		                       cmd_input_name(c->inputs[0]), &r->arena);
		return false;
	}
	/*
	 * If reading has spent the budget, a new budget is used for listings of the
	 * functions read so far.
	 */
	if (budget_is_spent(&c->budget))
		budget_begin(&c->budget);
	spots_settle(&r->spots);
	choose(r);
	settle_look(r);
	if (t->wanted && !r->nchosen)
		return report_unknown(r);
	if (!t->wanted && !t->all)
		return write_hottest(r);
	return listings_write(&(struct listings){ .c = c,
	                                          .form = t->form,
	                                          .look = &r->look,
	                                          .opts = &r->listing,
	                                          .spots = &r->spots,
	                                          .f = r->chosen,
	                                          .n = r->nchosen });
}

static void end_run(struct run *r)
{
	for (size_t i = 0; i < r->tool->cmd.ninputs; i++)
		profile_close(r->profile[i]);
	source_files_close(&r->files);
	disasm_close(r->disasms);
	fold_end(&r->fold);
	arena_release(&r->arena);
}

static bool run(struct pannotate *t)
{
	struct cmd *c = &t->cmd;
	struct run r;
	bool good;

	if (c->list_events)
		return cmd_confine(c, t) && events_list(c);
	if (take_function(t) < 0 || check_form(t) < 0 ||
	    measure_settle(&t->measure, &c->diag) < 0 || (t->wanted && compile(t) < 0) ||
	    !cmd_confine(c, t))
		return false;
	begin_run(&r, t);
	for (uint32_t i = 0; i < c->ninputs; i++)
		read_input(&r, i);
	select_report_unmet(&t->select, &c->diag);
	measure_report_events(&r.measure, &c->diag, &r.arena);
	good = write_all(&r);
	end_run(&r);
	return good;
}

int main(int argc, char **argv)
{
	struct pannotate t = { 0 };
	int status;
	bool started = cmd_start(&t.cmd, &tool, &t, argc, argv, &status);
	bool good = started && run(&t);

	rule_close(t.pattern);
	return started ? cmd_end(&t.cmd, good) : status;
}

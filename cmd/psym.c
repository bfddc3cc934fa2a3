/*
 * psym - names the frames of perf.data or perf script text.
 *
 *	source -> reader -> process -> symbol/profile -> writer/script
 */
#include <stdlib.h>
#include <unistd.h>

#include "batch.h"
#include "divided.h"
#include "events.h"
#include "identities.h"
#include "symbol/select.h"
#include "writer/missing.h"
#include "writer/named_firefox.h"
#include "writer/named_otlp.h"
#include "writer/named_pprof.h"
#include "writer/script/header_features.h"
#include "writer/script/records.h"
#include "writer/script/script.h"
#include "writer/stat_text.h"

struct psym {
	bool missing; /* list missing files instead of printing samples */
	bool stat;    /* print statistics instead of samples */
	bool ids;     /* print the kinds and ids of files instead of samples */
	const struct named_format *to; /* format of --to, or NULL for text */
	bool header, header_only, info, absolute, versioned, kernel_paths;
	/* set of 1 << enum event_kind: records to print in addition to samples */
	uint64_t kinds;
	struct select select;
	struct select_hits hits;
	struct columns columns;
	struct script_opts script;
};

/* Options of psym.  Their numbers begin after the numbers of enum select_by. */
enum {
	OPT_FIELDS = SELECT_KINDS,
	OPT_HIDE,
	OPT_NS,
	OPT_RELTIME,
	OPT_DELTATIME,
	OPT_HEADER,
	OPT_HEADER_ONLY,
	OPT_INFO,
	OPT_TASKS,
	OPT_MMAPS,
	OPT_SWITCHES,
	OPT_NAMESPACES,
	OPT_CGROUPS,
	OPT_LOST,
	OPT_ROUNDS,
	OPT_BPF,
	OPT_POKES,
	OPT_KERNEL_PATH,
	OPT_VERSION,
	OPT_COMPAT,
	OPT_MISSING,
	OPT_STAT,
	OPT_ID,
	OPT_TO,
	OPTIONS
};

#define SETS(field) CMD_SETS(struct psym, field)

static const struct cmd_option options[] = {
	[SELECT_COMM] = { "comms", 'c', "LIST",
	                  "print only samples of threads with these names", 0 },
	[SELECT_PID] = { "pid", 0, "LIST", "print only samples of these processes", 0 },
	[SELECT_TID] = { "tid", 0, "LIST", "print only samples of these threads", 0 },
	[SELECT_CPU] = { "cpu", 'C', "LIST", "print only samples of these CPUs: 0,2-3",
	                 0 },
	[SELECT_EVENT] = { "event", 0, "LIST", "print only samples of these events", 0 },
	[SELECT_TIME] = { "time", 0, "SPANS",
	                  "print only samples of this time: 1.5,2 or 0%-20%", 0 },
	[SELECT_STACK] = { "max-stack", 0, "N", "print at most N frames of a stack", 0 },
	[OPT_FIELDS] = { "fields", 'F', "LIST",
	                 "choose fields of perf.data, or add +F, remove -F", 0 },
	[OPT_HIDE] = { "hide-call-graph", 'G', NULL,
	               "print the address on the header line, no stack", 0 },
	[OPT_NS] = { "ns", 0, NULL, "print times of perf.data with nine digits",
	             SETS(script.ns) },
	[OPT_RELTIME] = { "reltime", 0, NULL, "print times since the first sample",
	                  SETS(script.reltime) },
	[OPT_DELTATIME] = { "deltatime", 0, NULL, "print times since the previous sample",
	                    SETS(script.deltatime) },
	[OPT_HEADER] = { "header", 0, NULL,
	                 "print perf.data's description of the recording", SETS(header) },
	[OPT_HEADER_ONLY] = { "header-only", 0, NULL, "print that description only",
	                      SETS(header_only) },
	[OPT_INFO] = { "show-info", 'I', NULL,
	               "with --header, describe the machine in full", SETS(info) },
	[OPT_TASKS] = { "show-task-events", 0, NULL,
	                "also print when threads start, exit or change name", 0 },
	[OPT_MMAPS] = { "show-mmap-events", 0, NULL, "also print mappings", 0 },
	[OPT_SWITCHES] = { "show-switch-events", 0, NULL, "also print context switches",
	                   0 },
	[OPT_NAMESPACES] = { "show-namespace-events", 0, NULL, "also print namespaces",
	                     0 },
	[OPT_CGROUPS] = { "show-cgroup-events", 0, NULL, "also print cgroups", 0 },
	[OPT_LOST] = { "show-lost-events", 0, NULL, "also print losses of records", 0 },
	[OPT_ROUNDS] = { "show-round-events", 0, NULL,
	                 "also print rounds, and keep the file's order", 0 },
	[OPT_BPF] = { "show-bpf-events", 0, NULL,
	              "also print BPF programs and their notes", 0 },
	[OPT_POKES] = { "show-text-poke-events", 0, NULL,
	                "also print changes of kernel code", 0 },
	[OPT_KERNEL_PATH] = { "show-kernel-path", 0, NULL,
	                      "print kernel modules with their paths",
	                      SETS(kernel_paths) },
	[OPT_VERSION] = { "perf-version", 0, "X.Y", "print frame addresses like perf X.Y",
	                  0 },
	[OPT_COMPAT] = { "perf-compat", 0, "[=VERSION]",
	                 "print the exact output of perf 6.1 (default) or 7", 0 },
	[OPT_MISSING] = { "missing", 0, NULL,
	                  "list missing files instead of printing samples",
	                  SETS(missing) },
	[OPT_STAT] = { "stat", 0, NULL, "print statistics of events, threads and rates",
	               SETS(stat) },
	[OPT_ID] = { "id", 0, NULL, "print kind and id of each FILE instead of samples",
	             SETS(ids) },
	[OPT_TO] = { "to", 0, "FORMAT",
	             "write \"text\" (default), \"pprof\", \"otlp\" or \"firefox\"", 0 },
	[OPTIONS] = { 0 },
};

#define KIND(kind) ((uint64_t)1 << (kind))

static const uint64_t kinds[OPTIONS] = {
	[OPT_TASKS] = KIND(EV_COMM) | KIND(EV_FORK) | KIND(EV_EXIT),
	[OPT_MMAPS] = KIND(EV_MMAP),
	[OPT_SWITCHES] = KIND(EV_SWITCH),
	[OPT_NAMESPACES] = KIND(EV_NAMESPACES),
	[OPT_CGROUPS] = KIND(EV_CGROUP),
	[OPT_LOST] = KIND(EV_LOST),
	[OPT_ROUNDS] = KIND(EV_ROUND),
	[OPT_BPF] = KIND(EV_KSYMBOL) | KIND(EV_BPF) | KIND(EV_BPF_NOTES),
	[OPT_POKES] = KIND(EV_KSYMBOL) | KIND(EV_TEXT_POKE),
};

/* Reads "6", "6.1" or "6.1.76".  Returns false if arg is not a version. */
static bool read_version(const char *arg, uint64_t *major, uint64_t *minor)
{
	struct str s = str_of(arg);
	bool ok = str_take_dec(&s, major);

	*minor = 0;
	if (ok && str_skip(&s, STR(".")))
		ok = str_take_dec(&s, minor);
	return ok && (!s.n || s.p[0] == '.');
}

/*
 * Sets the version of perf that printed the text input.  perf 5.16 to 6.3 prints file offsets.
 * Other versions print addresses.
 */
static int set_version(struct psym *psym, struct diag *diag, const char *arg)
{
	uint64_t major, minor;

	if (!read_version(arg, &major, &minor))
		return diag_fatal(
		        diag, "--perf-version %s: expected a version such as 6.1", arg);
	psym->absolute = major < 5 || (major == 5 && minor < 16) ||
	                 (major == 6 && minor > 3) || major > 6;
	psym->versioned = true;
	return 0;
}

static int set_compat(struct psym *psym, struct diag *diag, const char *arg)
{
	uint64_t major = 6, minor = 1;

	if (arg && !read_version(arg, &major, &minor))
		return diag_fatal(
		        diag, "--perf-compat=%s: expected a version such as 6.1", arg);
	if ((major != 6 || minor != 1) && major != 7)
		return diag_fatal(
		        diag, "--perf-compat=%s: only perf 6.1 and 7 are supported", arg);
	psym->script.compat = (unsigned)major;
	return 0;
}

static int set_fields(struct psym *psym, struct diag *diag, const char *arg)
{
	if (!psym->script.columns)
		columns_init(&psym->columns);
	psym->script.columns = &psym->columns;
	return columns_choose(&psym->columns, arg, diag);
}

static int set_format(struct psym *psym, struct diag *diag, const char *arg)
{
	static const struct named_format *const formats[] = { &named_pprof, &named_otlp,
		                                              &named_firefox };

	psym->to = NULL;
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (strcmp(arg, formats[i]->name) == 0)
			psym->to = formats[i];
	if (!psym->to && strcmp(arg, "text") != 0)
		return diag_fatal(diag, "--to %s: expected text, pprof, otlp or firefox",
		                  arg);
	return 0;
}

static int set(void *ctx, struct diag *diag, size_t option, const char *arg)
{
	struct psym *psym = ctx;

	if (option == OPT_FIELDS)
		return set_fields(psym, diag, arg);
	if (option == OPT_VERSION)
		return set_version(psym, diag, arg);
	if (option == OPT_COMPAT)
		return set_compat(psym, diag, arg);
	if (option == OPT_TO)
		return set_format(psym, diag, arg);
	if (option == OPT_HIDE)
		psym->select.hide_chain = psym->script.hide_chain = true;
	else if (option >= SELECT_KINDS)
		psym->kinds |= kinds[option];
	else if (!select_by(&psym->select, (enum select_by)option, arg))
		return diag_fatal(diag, "--%s %s: not understood; try 'psym --help'",
		                  options[option].name, arg);
	return 0;
}

static const struct cmd_words words[] = {
	{ "fields",
	  "comm tid pid time cpu event period misc tod ip sym symoff dso dsoff "
	  "guess srcline trace bpf-output addr phys_addr data_src weight ins_lat "
	  "retire_lat data_page_size code_page_size iregs uregs brstack "
	  "brstacksym brstackoff cgroup" },
	{ "to", "text pprof otlp firefox" },
	{ 0 },
};

static const struct cmd_tool tool = {
	.name = "psym",
	.purpose = "name the frames of perf.data or perf script text",
	.operands = "[FILE ...]",
	.example = "psym prof.tar.gz | pfold | pflame > flame.svg",
	.names_frames = true,
	.shows_inlined = true,
	.options = options,
	.usual = "o m p fields event comms time jobs no-host cache coverage missing stat "
	         "list-events quiet help",
	.words = words,
	.set = set,
};

/* Returns the options for a profile.  Requests only data that will be printed. */
static struct profile_opts choose(struct cmd *c, const struct psym *psym,
                                  const char *input, const struct select *select)
{
	static const struct event_names every = { .all = true };
	struct profile_opts opts = cmd_profile_opts(c, input);
	const struct columns *columns = psym->script.columns;

	opts.lines = psym->missing || psym->to ||
	             (columns && columns_may_show(columns, COL_SRCLINE));
	opts.paths = psym->to != NULL;
	opts.compat = psym->script.compat;
	opts.kinds = psym->stat ? statistics_kinds() : psym->kinds;
	opts.unnamed = psym->stat;
	opts.events = psym->stat ? &every : NULL;
	opts.absolute = psym->versioned ? psym->absolute : psym->script.compat == 7;
	opts.kernel_paths = psym->kernel_paths;
	opts.select = select;
	opts.copies = !psym->to && !psym->script.hide_chain && !psym->missing &&
	              c->coverage == REPORT_SHORT;
	return opts;
}

/*
 * Prints the header.  Returns 1 if samples follow, 0 if not, or -1 after it has reported an
 * error.
 */
static int begin(const struct psym *psym, struct script *script, struct profile *p,
                 struct diag *diag, struct out *out)
{
	struct reader *r = profile_reader(p);

	if (psym->header && reader_traits(r)->has_records)
		header_features_write(reader_capture(r), psym->info, psym->script.compat,
		                      out);
	if (psym->header_only)
		return 0;
	if (!psym->missing && script_init(script, p, &psym->script, diag) < 0)
		return -1;
	return 1;
}

static void print(struct script *script, struct out *out, const struct sample *s)
{
	if (!profile_traits(script->profile)->has_ips)
		script_text(script, out, s);
	else if (s->ev->kind == EV_SAMPLE)
		script_sample(script, out, s);
	else
		records_write(script, out, s);
}

/* If there are no samples, writes a comment, because pfold fails on empty input. */
static void note_empty(const struct cmd *c, const struct psym *psym,
                       const struct profile *p, struct out *out)
{
	if (!psym->script.compat && !profile_met_sample(p) && !c->diag.damaged &&
	    profile_traits(p)->has_ips)
		out_str(out, STR("# psym: no samples\n"));
}

/* State while samples are printed. */
struct printing {
	const struct psym *psym;
	struct profile *p;
	struct script *script;
};

static void print_samples(void *ctx, struct out *out)
{
	const struct printing *pr = ctx;
	struct sample s;

	while (!out->error && profile_next(pr->p, &s))
		if (!pr->psym->missing)
			print(pr->script, out, &s);
}

/* Prints all samples.  If `divides` is set, workers print parts. */
static void print_all(const struct divided *d, bool divides, struct out *out)
{
	if (divides)
		divided_run(d, out);
	print_samples(d->ctx, out);
}

/*
 * Selects the default value of samples, unless --event selects another value.  Samples can have
 * several values if the profile has a table of locations, as in OTLP.
 */
static void use_default_value(struct select *select, const struct profile *p)
{
	const struct attr *const *attrs;

	if (profile_traits(p)->has_locations && !select->list[SELECT_EVENT].p &&
	    reader_attrs(profile_reader(p), &attrs))
		select->value = attrs[0];
}

/* Writes the profile in the format of --to.  Returns 1, or -1 after a report. */
static int write_profile(const struct psym *psym, struct profile *p, struct out *out,
                         struct diag *diag)
{
	const struct named_format *to = psym->to;
	bool again = str_eq(profile_traits(p)->again, str_of(to->name));
	arena_scope(arena);
	struct sample s;
	void *w;

	if (!to->one_value && !profile_traits(p)->has_ips)
		return diag_fatal(diag,
		                  "--to %s: a text has no mappings; fold it with "
		                  "pfold --to pprof",
		                  to->name);
	for (int i = 0; again && i < SELECT_KINDS; i++)
		if (psym->select.list[i].p)
			return diag_fatal(diag,
			                  "--to %s writes all samples of such a "
			                  "profile; --%s cannot be used",
			                  to->name, options[i].name);
	/* The samples are then copied, and only read for the summary. */
	if (again) {
		profile_delay(p, NULL);
		profile_join(p);
	}
	w = to->begin(p, out, &arena);
	while (!out->error && profile_next(p, &s))
		if (s.ev->kind == EV_SAMPLE)
			to->sample(w, &s);
	to->end(w);
	return 1;
}

/* Prints the samples of an input.  Returns false if there was no usable output. */
static bool name_samples(struct cmd *c, const struct psym *psym, const char *input,
                         struct out *out)
{
	struct select select = psym->select;
	struct profile_opts opts = choose(c, psym, input, &select);
	struct profile *p = profile_open(&opts);
	struct script script = { 0 };
	struct printing printing = { psym, p, &script };
	const struct divided divided = {
		.c = c, .p = p, .read = print_samples, .ctx = &printing
	};
	bool divides = !psym->to && !psym->script.reltime && !psym->script.deltatime;
	int more;

	if (!p) {
		c->skipped = true;
		return false;
	}
	if (!psym->to || psym->to->one_value)
		use_default_value(&select, p);
	if (divides)
		divided_learn(&divided);
	else
		profile_learn(p);
	more = select_settle(&select, profile_reader(p), psym->script.reltime, &c->diag);
	if (more == 0)
		more = begin(psym, &script, p, &c->diag, out);
	if (more > 0 && psym->to)
		more = write_profile(psym, p, out, &c->diag);
	else if (more > 0)
		print_all(&divided, divides, out);
	/* If other records are printed, the output is usable without samples. */
	if (more > 0 && !out->error && !psym->kinds)
		more = profile_check_chosen(p) < 0 ? -1 : more;
	if (more > 0 && psym->missing)
		missing_write(out, p);
	else if (more > 0 && !psym->to)
		note_empty(c, psym, p, out);
	if (more > 0 && !out->error)
		cmd_report(c, p, input, true);
	c->skipped |= more < 0;
	script_end(&script);
	profile_close(p);
	return more >= 0;
}

/* Returns true if the terminal uses UTF-8. */
static bool is_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *value = NULL;

	for (size_t i = 0; i < 3 && (!value || !*value); i++)
		value = getenv(names[i]);
	return value && (strcasestr(value, "utf-8") || strcasestr(value, "utf8"));
}

/* Prints the statistics of a profile.  Returns the same values as name_samples. */
static bool print_statistics(struct cmd *c, const struct psym *psym, const char *input,
                             struct out *out)
{
	struct stat_text_look look = { .blocks = !c->output && isatty(STDOUT_FILENO) &&
		                                 is_utf8() };
	struct select select = psym->select;
	struct profile_opts opts = choose(c, psym, input, &select);
	struct profile *p = profile_open(&opts);
	struct arena arena = { 0 };
	struct statistics stat;
	struct sample s;
	bool usable;

	if (!p) {
		c->skipped = true;
		return false;
	}
	if (c->ninputs > 1)
		look.input = input ? input : "standard input";
	statistics_init(&stat, &arena);
	usable = select_settle(&select, profile_reader(p), false, &c->diag) == 0;
	while (usable && profile_next(p, &s))
		statistics_take(&stat, &s);
	usable = usable && profile_check_chosen(p) == 0;
	if (usable) {
		statistics_settle(&stat, p);
		stat_text_write(out, &stat, &look, &arena);
	}
	c->skipped |= !usable;
	arena_release(&arena);
	profile_close(p);
	return usable;
}

static bool name_one(struct cmd *c, const struct psym *psym, const char *input,
                     struct out *out)
{
	return psym->stat ? print_statistics(c, psym, input, out)
	                  : name_samples(c, psym, input, out);
}

struct apart {
	struct cmd *c;
	struct psym *psym;
};

/* Returns the suffix of an output's name in -o DIR/. */
static const char *suffix(const struct psym *psym)
{
	return psym->to ? psym->to->suffix : "txt";
}

static enum batch_made name_into_file(void *ctx, size_t i)
{
	struct apart *a = ctx;
	struct cmd *c = a->c;
	const char *input = c->inputs[i];
	struct out out;
	bool usable;

	if (cmd_open_output(c, &out, input, suffix(a->psym)) < 0)
		return BATCH_STUCK;
	select_begin(&a->psym->select, &a->psym->hits, &c->run);
	usable = name_one(c, a->psym, input, &out);
	select_report_unmet(&a->psym->select, &c->diag);
	if (!usable) {
		cmd_discard_output(c, &out);
		return BATCH_NOTHING;
	}
	return cmd_close_output(c, &out) < 0 ? BATCH_STUCK : BATCH_MADE;
}

/* Writes each input to a separate file. */
static bool name_apart(struct cmd *c, struct psym *psym)
{
	struct apart apart = { c, psym };
	struct batch batch = {
		.n = c->ninputs,
		.name = c->inputs,
		.profiles = true,
		.make = name_into_file,
		.ctx = &apart,
	};

	return batch_run(c, &batch);
}

static bool name_together(struct cmd *c, struct psym *psym)
{
	struct out out;
	bool usable = false;

	if (cmd_open_output(c, &out, c->inputs[0], suffix(psym)) < 0)
		return false;
	select_begin(&psym->select, &psym->hits, &c->run);
	for (size_t i = 0; i < c->ninputs && !out.error; i++)
		usable |= name_one(c, psym, c->inputs[i], &out);
	select_report_unmet(&psym->select, &c->diag);
	if (!usable) {
		cmd_discard_output(c, &out);
		return false;
	}
	return cmd_close_output(c, &out) == 0;
}

/* Refuses options that conflict.  Returns 0, or -1 after a report. */
static int check_options(struct cmd *c, const struct psym *psym)
{
	if (psym->script.reltime && psym->script.deltatime)
		return diag_fatal(&c->diag,
		                  "--reltime and --deltatime cannot be combined");
	if (psym->missing + psym->stat + psym->ids > 1)
		return diag_fatal(&c->diag,
		                  "--missing, --stat and --id cannot be combined");
	if (!psym->to)
		return 0;
	if (psym->missing || psym->stat || psym->ids || psym->header || psym->kinds)
		return diag_fatal(&c->diag,
		                  "--to %s cannot be combined with --missing, --stat, "
		                  "--id, --header or --show-*-events",
		                  psym->to->name);
	if (c->ninputs > 1 && !cmd_mirrors(c) && !c->list_events)
		return diag_fatal(&c->diag, "--to %s: give one input, or -o DIR/",
		                  psym->to->name);
	return 0;
}

int main(int argc, char **argv)
{
	struct psym psym = { 0 };
	struct cmd c;
	int status;

	if (!cmd_start(&c, &tool, &psym, argc, argv, &status))
		return status;
	psym.header |= psym.header_only;
	if (check_options(&c, &psym) < 0 || !cmd_confine(&c, &psym))
		return cmd_end(&c, false);
	if (psym.ids)
		return cmd_end(&c, identities_list(&c));
	if (c.list_events)
		return cmd_end(&c, events_list(&c));
	if (cmd_mirrors(&c))
		return cmd_end(&c, name_apart(&c, &psym));
	return cmd_end(&c, name_together(&c, &psym));
}

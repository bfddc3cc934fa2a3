/*
 * psym - name the frames of perf.data or perf script text.
 *
 *	source -> reader -> process -> symbol/profile -> writer/script
 */
#include "cmd.h"
#include "reader/capture.h"
#include "symbol/select.h"
#include "writer/coverage.h"
#include "writer/script.h"

struct psym {
	bool missing; /* what to fetch, instead of samples */
	bool compat, tasks, header, header_only, info;
	struct select select;
	struct script_opts script;
};

/* The first are those of enum select_by. */
enum {
	OPT_HIDE = SELECT_KINDS,
	OPT_NS,
	OPT_HEADER,
	OPT_HEADER_ONLY,
	OPT_INFO,
	OPT_TASKS,
	OPT_COMPAT,
	OPT_MISSING
};

static const struct cmd_option options[] = {
	[SELECT_COMM] = { "comms", 'c', "LIST", "only samples of threads so called" },
	[SELECT_PID] = { "pid", 0, "LIST", "only samples of these processes" },
	[SELECT_TID] = { "tid", 0, "LIST", "only samples of these threads" },
	[SELECT_CPU] = { "cpu", 'C', "LIST", "only samples of these cpus: 0,2-3" },
	[SELECT_EVENT] = { "event", 0, "LIST", "only samples of these events" },
	[SELECT_TIME] = { "time", 0, "START,STOP",
	                  "only samples of that time, in seconds; either may be left "
	                  "out" },
	[SELECT_STACK] = { "max-stack", 0, "N", "at most N frames of a stack" },
	[OPT_HIDE] = { "hide-call-graph", 'G', NULL,
	               "only where a sample was taken, on its header's line" },
	[OPT_NS] = { "ns", 0, NULL, "times of perf.data with nine digits" },
	[OPT_HEADER] = { "header", 0, NULL, "what perf.data says of its recording" },
	[OPT_HEADER_ONLY] = { "header-only", 0, NULL, "that alone" },
	[OPT_INFO] = { "show-info", 'I', NULL,
	               "of the recording machine in full, with --header" },
	[OPT_TASKS] = { "show-task-events", 0, NULL,
	                "threads of perf.data that begin, end, or change name" },
	[OPT_COMPAT] = { "perf-compat", 0, NULL, "print what perf 6.1 prints" },
	[OPT_MISSING] = { "missing", 0, NULL,
	                  "only print what could not be named and what to fetch for it" },
	{ 0 },
};

static int set(void *ctx, struct diag *diag, size_t option, const char *arg)
{
	struct psym *psym = ctx;

	if (option < SELECT_KINDS &&
	    !select_by(&psym->select, (enum select_by)option, arg))
		return diag_fatal(diag, "--%s %s: not understood; try 'psym --help'",
		                  options[option].name, arg);
	if (option == OPT_HIDE)
		psym->select.hide_chain = psym->script.hide_chain = true;
	if (option == OPT_NS)
		psym->script.ns = true;
	if (option == OPT_HEADER || option == OPT_HEADER_ONLY)
		psym->header = true;
	if (option == OPT_HEADER_ONLY)
		psym->header_only = true;
	if (option == OPT_INFO)
		psym->info = true;
	if (option == OPT_TASKS)
		psym->tasks = true;
	if (option == OPT_COMPAT)
		psym->compat = true;
	if (option == OPT_MISSING)
		psym->missing = true;
	return 0;
}

static const struct cmd_tool tool = {
	.name = "psym",
	.purpose = "name the frames of perf.data or perf script text",
	.operands = "[FILE ...]",
	.example = "psym prof.tar.gz | pfold | pflame > flame.svg",
	.names_frames = true,
	.shows_inlined = true,
	.options = options,
	.set = set,
};

static void print_missing(struct profile *p, struct out *out)
{
	const struct module_coverage *m;
	struct arena scratch = { 0 };
	struct sample s;
	size_t n;

	while (profile_next(p, &s))
		;
	n = profile_modules(p, &scratch, &m);
	missing_write(out, m, n);
	arena_release(&scratch);
}

static void print(const struct psym *psym, struct profile *p, struct out *out)
{
	struct script script;
	struct sample s;

	if (psym->header)
		reader_describe(profile_reader(p), psym->info, out);
	if (psym->header_only)
		return;
	if (psym->missing) {
		print_missing(p, out);
		return;
	}
	script_init(&script, p, &psym->script);
	while (!out->error && profile_next(p, &s)) {
		if (!reader_has_ips(profile_format(p)))
			script_text(&script, out, &s);
		else if (s.ev->kind == EV_SAMPLE)
			script_sample(&script, out, &s);
		else
			script_task(&script, out, &s);
	}
}

/* False: nothing usable came out. */
static bool name_one(struct cmd *c, const struct psym *psym, const char *input,
                     struct out *out)
{
	struct profile_opts opts = cmd_profile_opts(c, input);
	struct profile *p;

	opts.formats = 1u << READ_PERFDATA | 1u << READ_NETTRACE | 1u << READ_PERFSCRIPT;
	opts.compat = psym->compat;
	opts.tasks = psym->tasks;
	opts.select = &psym->select;
	p = profile_open(&opts);
	if (!p) {
		c->skipped = true;
		return false;
	}
	print(psym, p, out);
	if (!out->error && !psym->header_only)
		cmd_report(c, p, input, true);
	profile_close(p);
	return true;
}

/* Each input into a file of its own. */
static bool name_apart(struct cmd *c, const struct psym *psym)
{
	struct out out;
	bool usable = false;

	for (size_t i = 0; i < c->ninputs; i++) {
		if (cmd_open_output(c, &out, c->inputs[i], "txt") < 0)
			return false;
		if (!name_one(c, psym, c->inputs[i], &out)) {
			out_discard(&out);
			continue;
		}
		if (cmd_close_output(c, &out) < 0)
			return false;
		usable = true;
	}
	return usable;
}

static bool name_together(struct cmd *c, const struct psym *psym)
{
	struct out out;
	bool usable = false;

	if (cmd_open_output(c, &out, c->inputs[0], "txt") < 0)
		return false;
	for (size_t i = 0; i < c->ninputs && !out.error; i++)
		usable |= name_one(c, psym, c->inputs[i], &out);
	if (!usable) {
		out_discard(&out);
		return false;
	}
	return cmd_close_output(c, &out) == 0;
}

int main(int argc, char **argv)
{
	struct psym psym = { 0 };
	struct cmd c;
	int status;

	if (!cmd_start(&c, &tool, &psym, argc, argv, &status))
		return status;
	if (cmd_mirrors(&c))
		return cmd_end(&c, name_apart(&c, &psym));
	return cmd_end(&c, name_together(&c, &psym));
}

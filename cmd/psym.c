/*
 * psym - name the frames of perf.data or perf script text.
 *
 *	source -> reader -> process -> symbol/profile -> writer/script
 */
#include "cmd.h"
#include "writer/script.h"

struct psym {
	bool compat;
};

enum { OPT_COMPAT };

static const struct cmd_option options[] = {
	[OPT_COMPAT] = { "perf-compat", 0, NULL, "print what perf 6.1 prints" },
	{ 0 },
};

static int set(void *ctx, struct diag *diag, size_t option, const char *arg)
{
	struct psym *psym = ctx;

	(void)diag;
	(void)arg;
	psym->compat = option == OPT_COMPAT;
	return 0;
}

static const struct cmd_tool tool = {
	.name = "psym",
	.purpose = "name the frames of perf.data or perf script text",
	.operands = "[FILE ...]",
	.example = "psym prof.tar.gz | pfold | pflame > flame.svg",
	.names_frames = true,
	.options = options,
	.set = set,
};

static void print(struct profile *p, struct out *out)
{
	struct script script;
	struct sample s;

	script_init(&script, p);
	while (!out->error && profile_next(p, &s)) {
		if (profile_format(p) == READ_PERFDATA)
			script_sample(&script, out, &s);
		else
			script_text(&script, out, &s);
	}
}

/* False: nothing usable came out. */
static bool name_one(struct cmd *c, const struct psym *psym, const char *input,
                     struct out *out)
{
	struct profile_opts opts = cmd_profile_opts(c, input);
	struct profile *p;

	opts.formats = 1u << READ_PERFDATA | 1u << READ_PERFSCRIPT;
	opts.compat = psym->compat;
	p = profile_open(&opts);
	if (!p) {
		c->skipped = true;
		return false;
	}
	print(p, out);
	if (!out->error)
		profile_summary(p);
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

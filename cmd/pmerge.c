/*
 * pmerge - one absolute perf map from JIT maps and maps of precompiled images.
 *
 *	source -> reader -> process -> symbol/bind -> symbol/merge -> writer/perfmap
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"
#include "symbol/merge.h"
#include "writer/perfmap.h"

static const struct cmd_option options[] = { { 0 } };

static int set(void *ctx, struct diag *diag, size_t option, const char *arg)
{
	(void)ctx;
	(void)option;
	return diag_fatal(diag, "%s: unknown option", arg);
}

static const struct cmd_tool tool = {
	.name = "pmerge",
	.purpose = "join what names managed code into one absolute perf map",
	.operands = "[FILE]",
	.example = "pmerge -m maps/ perf.data > perf-4711.map",
	.names_frames = true,
	.needs_no_input = true,
	.options = options,
	.set = set,
};

static void say_parts(struct cmd *c, int32_t pid, const struct merge *mg)
{
	for (size_t i = 0; i < mg->nparts; i++) {
		const struct merge_part *part = &mg->part[i];

		if (!part->at)
			diag_note(&c->diag, "process %d: %zu symbols of " PRSTR, pid,
			          part->symbols, STRARG(part->name));
		else
			diag_note(&c->diag,
			          "process %d: %zu symbols of " PRSTR
			          " at %llx, %zu outside",
			          pid, part->symbols, STRARG(part->name),
			          (unsigned long long)part->at, part->outside);
	}
	diag_note(&c->diag, "process %d: %zu ranges merged", pid, mg->symbols.n);
}

static int write_process(struct cmd *c, const struct binder *b, int32_t pid,
                         const char *path)
{
	struct arena arena = { 0 };
	struct merge mg;
	struct out out;
	int ret = -1;

	merge_process(b, pid, &arena, &mg);
	say_parts(c, pid, &mg);
	if (out_open(&out, path) < 0) {
		diag_fatal(&c->diag, "%s: %s", path, strerror(errno));
	} else {
		perfmap_write(&out, &mg.symbols);
		ret = cmd_close_output(c, &out);
	}
	arena_release(&arena);
	return ret;
}

/* -o DIR/: perf-PID.map for each. */
static bool write_apart(struct cmd *c, const struct binder *b, const int32_t *pid,
                        size_t n)
{
	bool ok = n > 0;

	if (mkdir(c->output, 0777) < 0 && errno != EEXIST) {
		diag_fatal(&c->diag, "%s: %s", c->output, strerror(errno));
		return false;
	}
	for (size_t i = 0; i < n; i++)
		ok &= write_process(
		              c, b, pid[i],
		              arena_fmt(&c->run, "%sperf-%d.map", c->output, pid[i]).p) ==
		      0;
	return ok;
}

/* Only what -p names; all when it names none. */
static size_t restrict_to(const struct cmd *c, const int32_t *pid, size_t n, int32_t *out)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		bool wanted = !c->npids;

		for (size_t k = 0; k < c->npids; k++)
			wanted |= c->pids[k].pid == pid[i];
		if (wanted)
			out[kept++] = pid[i];
	}
	return kept;
}

static bool merge(struct cmd *c, const struct profile *p)
{
	const struct binder *b = profile_binder(p);
	const int32_t *all;
	size_t n = merge_processes(b, &c->run, &all);
	int32_t *pid = arena_new(&c->run, int32_t, n + 1);

	n = restrict_to(c, all, n, pid);
	if (!n) {
		diag_fatal(&c->diag, "nothing to merge: no map given names code of %s",
		           c->npids ? "that process" : "any process here");
		return false;
	}
	if (cmd_mirrors(c))
		return write_apart(c, b, pid, n);
	if (n == 1)
		return write_process(c, b, pid[0], c->output) == 0;
	diag_fatal(&c->diag,
	           "%zu processes have managed code; choose one with -p, or -o DIR/:", n);
	for (size_t i = 0; i < n; i++)
		diag_fatal(&c->diag, "  -p %d", pid[i]);
	return false;
}

static bool run(struct cmd *c)
{
	struct profile_opts opts = cmd_profile_opts(c, c->ninputs ? c->inputs[0] : NULL);
	struct profile *p;
	bool ok;

	if (c->ninputs > 1) {
		diag_fatal(&c->diag, "takes one profile, not %zu", c->ninputs);
		return false;
	}
	opts.formats = 1u << READ_PERFDATA | 1u << READ_PERFSCRIPT;
	opts.scan = true;
	/* Mappings may come from the sources alone: pmerge -p 29751 -m maps-29751.txt. */
	opts.no_input = !c->ninputs && c->npids && c->nsources;
	if (!c->ninputs && !opts.no_input && isatty(STDIN_FILENO)) {
		diag_fatal(&c->diag, "no input: name a profile, or give -p and -m; try "
		                     "'pmerge --help'");
		return false;
	}
	p = profile_open(&opts);
	if (!p)
		return false;
	ok = merge(c, p);
	profile_close(p);
	return ok;
}

int main(int argc, char **argv)
{
	struct cmd c;
	int status;

	if (!cmd_start(&c, &tool, NULL, argc, argv, &status))
		return status;
	return cmd_end(&c, run(&c));
}

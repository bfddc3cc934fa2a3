#include "cmd.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/guard.h"
#include "base/pool.h"
#include "symbol/report/summary.h"
#include "confined.h"
#include "keeping.h"
#include "shrunk.h"
#include "writer/coverage.h"

/* minimum size of the call stack.  Parsing deeply nested names needs it */
enum { STACK_KIB = 1024 };

/* The stack for crash handlers, because a crash may have exhausted the normal stack. */
static _Alignas(16) char signal_stack[64 << 10];

static const uint64_t CACHE_BYTES = (uint64_t)4 << 30;

bool cmd_mirrors(const struct cmd *c)
{
	return c->output && str_ends(str_of(c->output), STR("/"));
}

/*
 * Returns `part` with '?' instead of control characters.  Names of archive members become file
 * names.  Control characters in a file name could control the terminal that lists the files.
 */
static struct str file_name(struct cmd *c, struct str part)
{
	struct str name = arena_str(&c->run, part);

	for (size_t i = 0; i < name.n; i++)
		memset((char *)(uintptr_t)name.p + i, '?',
		       str_control(str_from(name, i)));
	return name;
}

const char *cmd_mirror(struct cmd *c, const char *input, const char *suffix)
{
	struct str rest = str_of(input ? input : "stdin"), to = { 0 };

	while (rest.n) {
		struct str part = str_cut(&rest, '/');

		if (!part.n || str_eq(part, STR(".")) || str_eq(part, STR("..")))
			continue;
		to = arena_fmt(&c->run, PRSTR "%s" PRSTR, STRARG(to), to.n ? "/" : "",
		               STRARG(file_name(c, part)));
	}
	if (!to.n)
		to = STR("profile");
	return arena_fmt(&c->run, "%s" PRSTR "%s%s", c->output, STRARG(to),
	                 *suffix && *suffix != '/' ? "." : "", suffix)
	        .p;
}

/*
 * If -o DIR/ is given, refuses two inputs with the same output, before any output is written.
 */
static int check_collisions(struct cmd *c)
{
	struct interner seen;

	intern_init(&seen, &c->run);
	for (size_t i = 0; i < c->ninputs && cmd_mirrors(c); i++) {
		const char *path = cmd_mirror(c, c->inputs[i], "");
		size_t known = seen.n;

		if (intern(&seen, str_of(path)) < known)
			return diag_fatal(&c->diag,
			                  "%s: two inputs would write this output", path);
	}
	return 0;
}

/* Refuses "-o X X", because the output would overwrite its input. */
static int check_output(struct cmd *c)
{
	struct stat out, in;

	if (!c->output || stat(c->output, &out) < 0 || !S_ISREG(out.st_mode))
		return 0;
	for (size_t i = 0; i < c->ninputs; i++)
		if (c->inputs[i] && stat(c->inputs[i], &in) == 0 &&
		    in.st_dev == out.st_dev && in.st_ino == out.st_ino)
			return diag_fatal(&c->diag, "%s: is both an input and the output",
			                  c->inputs[i]);
	return 0;
}

/*
 * Sets the inputs to the operands.  If there is no input, or if standard input occurs twice,
 * reports this and returns -1.
 */
static int take_operands(struct cmd *c, int argc, char **argv)
{
	size_t n = c->nnamed + (size_t)(argc - optind), pipes = 0;
	const char **inputs = arena_new(&c->run, const char *, n + 1);

	for (size_t i = 0; i < n; i++) {
		const char *operand = i < c->nnamed
		                              ? c->named[i]
		                              : argv[(size_t)optind + i - c->nnamed];

		inputs[i] = strcmp(operand, "-") == 0 ? NULL : operand;
		pipes += !inputs[i];
	}
	if (pipes > 1)
		return diag_fatal(&c->diag, "-: standard input can be read only once");
	c->inputs = inputs;
	c->ninputs = n || c->tool->needs_no_input ? n : 1;
	if (c->ninputs > n && isatty(STDIN_FILENO))
		return diag_fatal(
		        &c->diag,
		        "no input: name a file, or pipe one in; try '%s --help'",
		        c->tool->name);
	return check_output(c) < 0 ? -1 : check_collisions(c);
}

const char *cmd_make_directories(struct cmd *c, struct str path, mode_t mode)
{
	char *z = arena_alloc(&c->run, path.n + 1, 1);

	memcpy(z, path.p, path.n);
	for (char *slash = strchr(z + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(z, mode) < 0 && errno != EEXIST)
			return z;
		*slash = '/';
	}
	return NULL;
}

/*
 * Returns the cache directory according to the XDG Base Directory Specification, or an empty
 * string.
 */
static struct str default_cache(struct cmd *c)
{
	const char *xdg = getenv("XDG_CACHE_HOME");
	const char *base = xdg && *xdg == '/' ? xdg : getenv("HOME");
	struct stat sb;

	/*
	 * Under sudo, HOME may belong to the user, who could not use files that root
	 * creates in HOME.  There is then no default directory.
	 */
	if (!base || *base != '/' || (stat(base, &sb) == 0 && sb.st_uid != geteuid()))
		return (struct str){ 0 };
	return arena_fmt(&c->run, "%s%s/offbox", base, base == xdg ? "" : "/.cache");
}

/*
 * Opens the cache.  If it is unusable, the filter continues without it.  The default cache stores
 * only parsed files and lists of directories, because unpacked archives are large, and may be
 * confidential.
 */
static void open_cache(struct cmd *c)
{
	struct str dir = str_of(c->cache_dir);
	const char *stuck = NULL;

	if (!c->tool->names_frames || c->no_cache || (!c->cache_dir && c->no_host))
		return;
	if (!dir.n)
		dir = default_cache(c);
	if (dir.n)
		stuck = cmd_make_directories(
		        c, arena_fmt(&c->run, PRSTR "/", STRARG(dir)), 0700);
	if (dir.n && !stuck)
		cache_open(&c->cache, dir.p, c->cache_max ? c->cache_max : CACHE_BYTES);
	if (c->cache_dir && !cache_is_open(&c->cache))
		diag_warn(
		        &c->diag, "%s: cannot be used as a cache: %s", c->cache_dir,
		        errno == EPERM
		                ? "it belongs to another user, or others may write to it"
		                : strerror(errno));
	c->cache.archives = c->cache_dir != NULL;
	c->cache.no_profiles = c->cache_sources;
	c->cache.resized = c->cache_max != 0;
}

/*
 * Completes the output of --help or --version.  Returns the exit status.  If the text could not
 * be written, reports this.
 */
static int printed(struct cmd *c)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return EXIT_COMPLETE;
	diag_fatal(&c->diag, "standard output: %s", strerror(errno));
	return EXIT_UNUSABLE;
}

/*
 * Ignores SIGXFSZ, so that a file that exceeds its limit causes a write error.  Lets the stack
 * grow to STACK_KIB.  If the hard limit is lower, reports this and returns -1.
 */
static int settle_limits(struct cmd *c)
{
	const rlim_t least = (rlim_t)STACK_KIB << 10;
	struct rlimit stack;

	signal(SIGXFSZ, SIG_IGN);
	if (getrlimit(RLIMIT_STACK, &stack) < 0 || stack.rlim_cur >= least)
		return 0;
	stack.rlim_cur = stack.rlim_max < least ? stack.rlim_max : least;
	if (stack.rlim_cur == least && setrlimit(RLIMIT_STACK, &stack) == 0)
		return 0;
	return diag_fatal(
	        &c->diag,
	        "ulimit -s: the stack is limited to %llu KiB, but %d are needed",
	        (unsigned long long)stack.rlim_max >> 10, STACK_KIB);
}

bool cmd_start(struct cmd *c, const struct cmd_tool *tool, void *ctx, int argc,
               char **argv, int *status)
{
	int got;

	*c = (struct cmd){ .tool = tool,
		           .diag = { .prog = tool->name, .limit = 10 },
		           .budget = { .seconds = BUDGET_SECONDS,
		                       .memory = (uint64_t)BUDGET_MEMORY_MIB << 20 },
		           .cache = { .dir = -1 },
		           .keeper = { -1, -1 },
		           .direct = -1,
		           .ended = -1 };
	c->budget.diag = &c->diag;
	intern_init(&c->written, &c->run);
	guard_open(signal_stack, sizeof(signal_stack));
	shrunk_watch();
	got = options_parse(c, ctx, argc, argv);
	if (got > 0 && settle_limits(c) == 0 && take_operands(c, argc, argv) == 0) {
		open_cache(c);
		return true;
	}
	*status = got ? EXIT_UNUSABLE : printed(c);
	arena_release(&c->run);
	return false;
}

bool cmd_confine(struct cmd *c, void *ctx)
{
	const char *stuck = NULL;

	c->processors = pool_processors();
	if (cmd_mirrors(c))
		stuck = cmd_make_directories(c, str_of(c->output), 0777);
	if (stuck)
		diag_fatal(&c->diag, "%s: %s", stuck, strerror(errno));
	else if (keeping_start(c) == 0 && confined_enter(c, ctx) == 0)
		return true;
	return false;
}

/*
 * Sets *path to the path of the output for `input`, or to NULL for standard output.  Returns -1
 * after a report.
 */
static int choose_path(struct cmd *c, const char *input, const char *suffix,
                       const char **path)
{
	size_t known = c->written.n;

	*path = cmd_mirrors(c) ? cmd_mirror(c, input, suffix) : c->output;
	if (*path && intern(&c->written, str_of(*path)) < known)
		return diag_fatal(&c->diag, "%s: two inputs would write this output",
		                  *path);
	return 0;
}

int cmd_open_output(struct cmd *c, struct out *o, const char *input, const char *suffix)
{
	const char *path;

	return choose_path(c, input, suffix, &path) < 0 ? -1 : cmd_open_file(c, o, path);
}

/* out.id of an output that this process opened itself, without the keeper. */
static const uint64_t NO_ID = UINT64_MAX;

/* Sets the path of a message.  Returns false with errno set if it is too long. */
static bool set_path(struct keeper_message *m, const char *path)
{
	errno = ENAMETOOLONG;
	return (size_t)snprintf(m->path, sizeof(m->path), "%s", path) < sizeof(m->path);
}

int cmd_open_file(struct cmd *c, struct out *o, const char *path)
{
	struct keeper_message m = { .kind = KEEPER_OPEN, .number = { NO_ID } };
	int fd = c->direct;

	if (path && (fd < 0 || strcmp(path, c->output) != 0) &&
	    (!set_path(&m, path) || keeper_ask(&c->keeper, &m, -1, &fd) < 0))
		return diag_fatal(&c->diag, "%s: %s", m.path, strerror(errno));
	out_open(o, path, fd);
	o->id = m.number[0];
	return 0;
}

/* Opens the file of a small output that has become larger than the buffer. */
static int open_late(struct out *o)
{
	struct keeper_message m = { .kind = KEEPER_OPEN, .number = { NO_ID } };
	struct cmd *c = o->opener;

	if (!set_path(&m, o->path) || keeper_ask(&c->keeper, &m, -1, &o->fd) < 0) {
		int error = errno;

		o->path = arena_str(&c->run, str_of(m.path)).p;
		errno = error;
		return -1;
	}
	o->screen = isatty(o->fd);
	o->id = m.number[0];
	return 0;
}

int cmd_open_small(struct cmd *c, struct out *o, const char *input, const char *suffix)
{
	const char *path;

	if (choose_path(c, input, suffix, &path) < 0)
		return -1;
	if (!cmd_mirrors(c))
		return cmd_open_file(c, o, path);
	out_open(o, path, -1);
	o->id = NO_ID;
	o->open = open_late;
	o->opener = c;
	return 0;
}

/* Sends a small output to the keeper, which writes it.  Returns false if this is not possible. */
static bool post(struct cmd *c, struct out *o)
{
	struct keeper_message m = { .kind = KEEPER_POST };

	if (!o->open || !set_path(&m, o->path) ||
	    keeper_post(&c->keeper, &m, (struct str){ o->buf, o->n }) < 0)
		return false;
	o->open = NULL;
	o->n = 0;
	return true;
}

/*
 * Sends `kind` to the keeper (base/keeper.h), which names the complete file, or removes it.
 */
static int end_file(struct cmd *c, const struct out *o, enum keeper_kind kind)
{
	struct keeper_message m = { .kind = kind, .number = { o->id } };

	return o->id == NO_ID ? 0 : keeper_ask(&c->keeper, &m, -1, NULL);
}

int cmd_close_output(struct cmd *c, struct out *o)
{
	bool good;

	shrunk_report(&c->diag);
	if (post(c, o))
		return 0;
	good = out_close(o) == 0;
	if (end_file(c, o, good ? KEEPER_DONE : KEEPER_DROP) < 0 && good) {
		o->error = errno;
		good = false;
	}
	if (good)
		return 0;
	return diag_fatal(&c->diag, "%s: %s", o->path ? o->path : "standard output",
	                  strerror(o->error));
}

void cmd_discard_output(struct cmd *c, struct out *o)
{
	out_discard(o);
	(void)end_file(c, o, KEEPER_DROP);
}

const char *cmd_input_name(const char *input)
{
	return input ? input : "standard input";
}

struct source *cmd_open_source(struct cmd *c, const char *path,
                               enum source_look (*look)(struct str name, struct str head),
                               bool is_profile)
{
	const struct source_opts opts = {
		.look = look,
		.max_spool = c->max_spool,
		.keeper = &c->keeper,
		.budget = &c->budget,
		.is_profile = is_profile,
		.run = &c->run,
		.diag = &c->diag,
	};

	return source_open(path, &opts);
}

struct profile_opts cmd_profile_opts(struct cmd *c, const char *input)
{
	budget_begin(&c->budget);
	return (struct profile_opts){
		.input = input,
		.member = c->member,
		.sources = c->sources,
		.nsources = c->nsources,
		.pids = c->pids,
		.npids = c->npids,
		.formats = READ_SAMPLES,
		.max_spool = c->max_spool,
		.shared = c->ninputs > 1 ? &c->shared : NULL,
		.cache = &c->cache,
		.keeper = &c->keeper,
		.budget = &c->budget,
		.no_inline = c->no_inline,
		.no_demangle = c->no_demangle,
		.params = c->params,
		.strict = c->strict,
		.roots = &c->roots,
		.host = c->no_host      ? HOST_NEVER
		        : c->trust_host ? HOST_TRUSTED
		                        : HOST_SAME_ID,
		.diag = &c->diag,
	};
}

enum { SHOWN = 5 }; /* maximum number of modules that are listed without --coverage */

void cmd_report(struct cmd *c, const struct profile *p, const char *input, bool summary)
{
	const struct coverage all = summary_count(p);
	const struct module_coverage *m;
	arena_scope(scratch);
	const struct cut_dump *cut;
	struct out *o;
	size_t n, ncut;

	if (summary)
		summary_report(p);
	else
		summary_notes(p);
	if (c->coverage == REPORT_SHORT && (c->diag.quiet || !isatty(STDERR_FILENO)))
		return;
	o = arena_new(&scratch, struct out, 1);
	o->fd = STDERR_FILENO;
	o->screen = isatty(STDERR_FILENO);
	n = modules_list(p, &scratch, &m);
	ncut = summary_cut_dumps(p, &scratch, &cut);
	if (c->coverage == REPORT_JSON) {
		coverage_write_json(o, input, &all, m, n, cut, ncut);
	} else {
		coverage_write(o, &all, m, n, c->coverage == REPORT_TABLE ? 0 : SHOWN);
		if (c->coverage == REPORT_TABLE)
			coverage_write_cut(o, cut, ncut);
	}
	/*
	 * An error is ignored.  It means that standard error failed, so a report cannot
	 * be printed.
	 */
	out_close(o);
}

/*
 * Ends the process without the handlers of exit(3), unless sanitizers or gcov need them.  The
 * handlers take 0.4 ms, and only release memory of libraries.
 */
static int leave(int status)
{
#ifndef CONFINE_OFF
	fflush(NULL);
	_exit(status);
#endif
	return status;
}

int cmd_end(struct cmd *c, bool usable)
{
	int status = EXIT_UNUSABLE;

	if (c->ended < 0) {
		budget_end(&c->budget);
		shrunk_report(&c->diag);
		diag_finish(&c->diag);
	}
	if (usable)
		status = c->verdict                      ? c->verdict
		         : c->diag.damaged || c->skipped ? EXIT_PARTIAL
		                                         : EXIT_COMPLETE;
	shared_sources_close(&c->shared);
	cache_close(&c->cache);
	arena_release(&c->run);
	return leave(c->ended >= 0 ? c->ended : status);
}

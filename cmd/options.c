#include "cmd.h"

#include <getopt.h>
#include <stdio.h>

#include "base/nearest.h"
#include "help.h"

#define VERSION "0.1"

enum { LONG = 256, JOBS_MOST = 1024 };

/* The common options, in the order of --help. */
enum common {
	INPUT,
	OUTPUT,
	JOBS,
	SOURCE,
	VMLINUX,
	KALLSYMS,
	SYMFS,
	PID,
	QUIET,
	VERBOSE,
	MEMBER,
	NO_HOST,
	NO_INLINE,
	NO_DEMANGLE,
	PARAMS,
	STRICT,
	TRUST_HOST,
	COVERAGE,
	LIST_EVENTS,
	CACHE,
	CACHE_SOURCES,
	NO_CACHE,
	CACHE_SIZE,
	MAX_SPOOL,
	MAX_TIME,
	MAX_MEMORY,
	CONFINE,
	HELP,
	SHOW_VERSION,
	COMMON
};

#define SETS(field) CMD_SETS(struct cmd, field)

static const struct cmd_option common[COMMON] = {
	[INPUT] = { "input", 'i', "FILE", "read FILE, like an operand (for perf users)",
	            0 },
	[OUTPUT] = { NULL, 'o', "FILE", "write to FILE, or one file per input to DIR/",
	             SETS(output) },
	[JOBS] = { "jobs", 'j', "N",
	           "read N inputs of -o DIR/, or parts of a profile, at a time", 0 },
	[SOURCE] = { NULL, 'm', "SOURCE", "use symbols of a file, directory or archive",
	             0 },
	[VMLINUX] = { "vmlinux", 'k', "FILE", "the same as -m, for perf users", 0 },
	[KALLSYMS] = { "kallsyms", 0, "FILE", NULL, 0 },
	[SYMFS] = { "symfs", 0, "DIR", NULL, 0 },
	[PID] = { NULL, 'p', "PID[=MAP]", "name the code of process PID, by MAP if given",
	          0 },
	[QUIET] = { "quiet", 'q', NULL, "print neither notes nor a summary",
	            SETS(diag.quiet) },
	[VERBOSE] = { "verbose", 'v', NULL, "print how conclusions were reached",
	              SETS(diag.verbose) },
	[MEMBER] = { "member", 0, "NAME", "choose the profile NAME in an archive",
	             SETS(member) },
	[NO_HOST] = { "no-host", 0, NULL,
	              "read files of this machine only if they are named",
	              SETS(no_host) },
	[NO_INLINE] = { "no-inline", 0, NULL, "omit inlined functions", SETS(no_inline) },
	[NO_DEMANGLE] = { "no-demangle", 0, NULL,
	                  "print native names as linked, or with parameters",
	                  SETS(no_demangle) },
	[PARAMS] = { "params", 0, NULL, NULL, SETS(params) },
	[STRICT] = { "strict", 0, NULL, "print [unknown] instead of a guessed name",
	             SETS(strict) },
	[TRUST_HOST] = { "trust-host", 0, NULL,
	                 "use files of this machine that cannot be verified",
	                 SETS(trust_host) },
	[COVERAGE] = { "coverage", 0, "[=json]",
	               "report how each module was named, or why not", 0 },
	[LIST_EVENTS] = { "list-events", 0, NULL,
	                  "list the events with their times, and exit",
	                  SETS(list_events) },
	[CACHE] = { "cache", 0, "DIR", "cache parsed and unpacked files in DIR", 0 },
	[CACHE_SOURCES] = { "cache-sources", 0, NULL,
	                    "do not cache unpacked archives of profiles",
	                    SETS(cache_sources) },
	[NO_CACHE] = { "no-cache", 0, NULL, "neither read nor write a cache",
	               SETS(no_cache) },
	[CACHE_SIZE] = { "cache-size", 0, "SIZE", "limit the cache to SIZE (4G)", 0 },
	[MAX_SPOOL] = { "max-spool", 0, "SIZE", "unpack at most SIZE bytes (K, M, G)",
	                0 },
	[MAX_TIME] = { "max-time", 0, "SECONDS",
	               "limit processor time per input (60, plus 1 per MB); 0: no "
	               "limit",
	               0 },
	[MAX_MEMORY] = { "max-memory", 0, "SIZE",
	                 "limit memory per input (512M, plus 16M per MB); 0: no limit",
	                 0 },
	[CONFINE] = { "confine", 0, "WHEN",
	              "on (default), off, or must: end if a layer is missing", 0 },
	[HELP] = { "help", 'h', "[=all]", "print common options, or all of them", 0 },
	[SHOW_VERSION] = { "version", 'V', NULL, "print the version and exit", 0 },
};

/* The filter's own options, and then the common options that it accepts. */
struct options {
	const struct cmd_option **all;
	size_t n, own;
};

static bool takes(const struct cmd_tool *tool, size_t which)
{
	if (tool->alone)
		return which == QUIET || which == HELP || which == SHOW_VERSION;
	if (which == NO_INLINE || which == NO_DEMANGLE || which == PARAMS ||
	    which == STRICT || which == COVERAGE || which == LIST_EVENTS)
		return tool->shows_inlined;
	return tool->names_frames ||
	       !(which == INPUT || which == SOURCE || which == VMLINUX ||
	         which == KALLSYMS || which == SYMFS || which == PID ||
	         which == NO_HOST || which == TRUST_HOST || which == CACHE ||
	         which == CACHE_SOURCES || which == NO_CACHE || which == CACHE_SIZE);
}

static struct options list_options(struct cmd *c)
{
	const struct cmd_option *own = c->tool->options;
	struct options o = { 0 };

	while (own && own[o.own].name)
		o.own++;
	o.all = arena_new(&c->run, const struct cmd_option *, o.own + COMMON);
	for (; o.n < o.own; o.n++)
		o.all[o.n] = &own[o.n];
	for (size_t i = 0; i < COMMON; i++)
		if (takes(c->tool, i))
			o.all[o.n++] = &common[i];
	return o;
}

/* Parses a number with an optional suffix K, M or G. */
static int take_size(struct cmd *c, const char *option, const char *arg, uint64_t *out)
{
	static const char units[] = "KMG";
	struct str s = str_of(arg);
	unsigned shift = 0;
	uint64_t n;

	if (!str_take_dec(&s, &n) || s.n > 1)
		goto bad;
	if (s.n) {
		const char *unit = strchr(units, *s.p & ~0x20);

		if (!unit)
			goto bad;
		shift = 10 * (unsigned)(unit - units + 1);
	}
	if (n > UINT64_MAX >> shift)
		goto bad;
	*out = n << shift;
	return 0;
bad:
	return diag_fatal(&c->diag, "--%s %s: not a size", option, arg);
}

static int take_pid(struct cmd *c, const char *arg)
{
	struct str rest = str_of(arg), pid = str_cut(&rest, '=');
	const char *map = strchr(arg, '=');
	uint64_t n;

	if (!str_is_dec(pid, &n) || n == 0 || n > INT32_MAX)
		return diag_fatal(&c->diag, "-p %s: not a process id", arg);
	if (map && !map[1])
		return diag_fatal(&c->diag, "-p %s: the map after '=' is missing", arg);
	*arena_push(&c->run, c->pids, c->npids, c->pids_cap) =
	        (struct pid_opt){ (int32_t)n, map ? map + 1 : NULL };
	return 0;
}

static int take_jobs(struct cmd *c, const char *arg)
{
	uint64_t n;

	if (!str_is_dec(str_of(arg), &n) || !n || n > JOBS_MOST)
		return diag_fatal(&c->diag, "-j %s: not a number from 1 to %d", arg,
		                  JOBS_MOST);
	c->workers = (unsigned)n;
	return 0;
}

static int take_seconds(struct cmd *c, const char *arg)
{
	if (str_is_dec(str_of(arg), &c->budget.seconds) &&
	    c->budget.seconds <= UINT32_MAX)
		return 0;
	return diag_fatal(&c->diag, "--max-time %s: not a number of seconds", arg);
}

/* Returns the index of `want` in a list of words, or -1. */
static int word_index(const char *words, const char *want)
{
	struct str rest = str_of(words);

	for (int at = 0; rest.n; at++)
		if (str_eq(str_cut(&rest, ' '), str_of(want)))
			return at;
	return -1;
}

int options_word(const struct cmd_words *words, const char *option, const char *arg)
{
	while (strcmp(words->option, option) != 0)
		words++;
	return word_index(words->words, arg);
}

static int take_confining(struct cmd *c, const char *arg)
{
	int at = word_index("on off must", arg); /* in the order of enum cmd_confining */

	if (at < 0)
		return diag_fatal(&c->diag, "--confine %s: neither on, off nor must",
		                  arg);
	c->confining = (enum cmd_confining)at;
	return 0;
}

static int set_common(struct cmd *c, enum common which, const char *arg)
{
	switch (which) {
	case JOBS:
		return take_jobs(c, arg);
	case INPUT:
		*arena_push(&c->run, c->named, c->nnamed, c->named_cap) = arg;
		break;
	case SOURCE:
	case VMLINUX:
	case KALLSYMS:
	case SYMFS:
		*arena_push(&c->run, c->sources, c->nsources, c->sources_cap) = arg;
		break;
	case PID:
		return take_pid(c, arg);
	case COVERAGE:
		if (arg && strcmp(arg, "json") != 0)
			return diag_fatal(&c->diag, "--coverage=%s: expected json", arg);
		c->coverage = arg ? REPORT_JSON : REPORT_TABLE;
		break;
	case CONFINE:
		return take_confining(c, arg);
	case MAX_SPOOL:
		return take_size(c, "max-spool", arg, &c->max_spool);
	case MAX_TIME:
		return take_seconds(c, arg);
	case MAX_MEMORY:
		return take_size(c, "max-memory", arg, &c->budget.memory);
	case CACHE:
		c->cache_dir = arg;
		c->no_cache = false;
		break;
	case CACHE_SIZE:
		return take_size(c, "cache-size", arg, &c->cache_max);
	default:
		break;
	}
	return 0;
}

/* Reports an unknown option, such as "--sources", or an ambiguous abbreviation. */
static void unknown_word(struct cmd *c, const struct options *options, struct str bad)
{
	struct str word = str_starts(bad, STR("--")) ? str_from(bad, 2) : bad;
	struct nearest like;

	nearest_init(&like, word, NEAREST_WHOLE, &c->run);
	for (size_t i = 0; i < options->n; i++)
		if (options->all[i]->name)
			nearest_take(&like, str_of(options->all[i]->name));
	if (like.best.n)
		diag_fatal(&c->diag,
		           "unknown or ambiguous option " PRSTR "; is --" PRSTR " meant? "
		           "Try '%s --help'",
		           STRARG(bad), STRARG(like.best), c->tool->name);
	else
		diag_fatal(&c->diag,
		           "unknown or ambiguous option " PRSTR "; try '%s --help'",
		           STRARG(bad), c->tool->name);
}

static bool is_bare(const struct cmd_tool *tool, const struct cmd_option *o)
{
	return tool->bare && o->name && word_index(tool->bare->options, o->name) >= 0;
}

static void lacks_argument(struct cmd *c, const struct cmd_option *o, bool letter)
{
	struct str spelling = letter ? arena_fmt(&c->run, "-%c", o->letter)
	                             : arena_fmt(&c->run, "--%s", o->name);

	if (is_bare(c->tool, o))
		diag_fatal(&c->diag, "option %s needs %s; %s", spelling.p, o->arg,
		           c->tool->bare->instead);
	else
		diag_fatal(&c->diag, "option %s needs %s; try '%s --help'", spelling.p,
		           o->arg, c->tool->name);
}

/*
 * Reports a wrong option.  `got` is the result of getopt_long, and `word` is the argument that
 * getopt_long has read.
 */
static void bad_option(struct cmd *c, const struct options *options, int got,
                       const char *word)
{
	const char *name = c->tool->name;
	const struct cmd_option *o = NULL;
	struct str rest = str_of(word), bad = str_cut(&rest, '=');

	for (size_t i = 0; i < options->n; i++)
		if (optopt == LONG + (int)i ||
		    (optopt && optopt == options->all[i]->letter))
			o = options->all[i];
	if (got == ':' && o)
		lacks_argument(c, o, optopt < LONG);
	else if (o)
		diag_fatal(&c->diag, "option --%s takes no argument; try '%s --help'",
		           o->name, name);
	else if (optopt)
		diag_fatal(&c->diag, "unknown option -%c; try '%s --help'", optopt, name);
	else
		unknown_word(c, options, bad);
}

/* Returns true if the option is given, in full or abbreviated to at least four letters. */
static bool is_given(struct str option, int argc, char **argv)
{
	enum { LEAST = 4 };

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		struct str word = str_of(argv[i]), name = str_cut(&word, '=');

		if (name.n >= LEAST + 2 && str_starts(name, STR("--")) &&
		    str_starts(option, str_from(name, 2)))
			return true;
	}
	return false;
}

static int takes_arg(const struct cmd_option *o)
{
	if (!o->arg)
		return no_argument;
	return *o->arg == '[' ? optional_argument : required_argument;
}

/*
 * Returns the long option that getopt_long read last, as the user wrote it.  Returns "" for a
 * short option.
 */
static struct str written(char *const *argv, const char *arg)
{
	const char *word = argv[optind - 1];
	struct str rest = str_of(arg && arg == word ? argv[optind - 2] : word);

	return str_starts(rest, STR("--")) ? str_cut(&rest, '=') : STR("");
}

/*
 * Builds both tables for getopt_long.  If `bare` is set, options in cmd_tool.bare have no
 * argument.
 */
static struct option *long_options(struct cmd *c, const struct options *options,
                                   char *letters, bool bare)
{
	struct option *table = arena_new(&c->run, struct option, options->n + 1),
	              *to = table;

	*letters++ = ':';
	for (size_t i = 0; i < options->n; i++) {
		const struct cmd_option *o = options->all[i];
		int arg = bare && is_bare(c->tool, o) ? no_argument : takes_arg(o);

		if (o->name)
			*to++ = (struct option){ o->name, arg, NULL, LONG + (int)i };
		if (o->letter) {
			*letters++ = o->letter;
			if (arg == required_argument)
				*letters++ = ':';
		}
	}
	*letters = '\0';
	return table;
}

static size_t option_at(const struct options *options, int got)
{
	size_t i = 0;

	if (got >= LONG)
		return (size_t)(got - LONG);
	while (i < options->n && options->all[i]->letter != got)
		i++;
	return i;
}

/* Sets the field that o->field selects in *ctx.  o->field must not be 0. */
static void set_field(void *ctx, const struct cmd_option *o, const char *arg)
{
	char *field = (char *)ctx + o->field - 1;

	if (o->arg)
		memcpy(field, &arg, sizeof(arg));
	else
		*(bool *)field = true;
}

int options_parse(struct cmd *c, void *ctx, int argc, char **argv)
{
	struct options options = list_options(c);
	char *letters = arena_alloc(&c->run, options.n + 1, 2);
	bool bare = c->tool->bare && is_given(str_of(c->tool->bare->beside), argc, argv);
	struct option *table = long_options(c, &options, letters, bare);
	struct help help = { c->tool, options.all, options.n };
	int got;

	opterr = 0;
	/* tests parse several command lines, and 0 makes glibc's getopt start again */
	optind = 0;
	while ((got = getopt_long(argc, argv, letters, table, NULL)) != -1) {
		const struct cmd_option *o;
		struct str bad;
		size_t i;

		if (got == '?' || got == ':') {
			bad_option(c, &options, got, argv[optind - 1]);
			return -1;
		}
		i = option_at(&options, got);
		o = options.all[i];
		bad = written(argv, optarg);
		if (bad.n && c->tool->whole && o->name &&
		    strcmp(o->name, c->tool->whole) == 0 &&
		    !str_eq(str_from(bad, 2), str_of(o->name)))
			return diag_fatal(&c->diag,
			                  "unknown option " PRSTR "; is --%s meant? Try "
			                  "'%s --help'",
			                  STRARG(bad), o->name, c->tool->name);
		if (o->field) {
			set_field(i < options.own ? ctx : c, o, optarg);
		} else if (i < options.own) {
			if (c->tool->set(ctx, &c->diag, i, optarg) < 0)
				return -1;
		} else if (o == &common[HELP]) {
			return help_print(&help, c, optarg);
		} else if (o == &common[SHOW_VERSION]) {
			printf("%s (offbox) " VERSION "\n", c->tool->name);
			if (!c->tool->alone)
				printf("confined by: " PRSTR "\n",
				       STRARG(confine_means(&c->run)));
			return 0;
		} else if (set_common(c, (enum common)(o - common), optarg) < 0) {
			return -1;
		}
	}
	return 1;
}

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd.h"
#include "keeping.h"

enum { ARGS = 16, TEXT = 8192 };

/* Whether standard input is one; stands before the C library's isatty. */
static bool terminal;

int isatty(int fd)
{
	return fd == STDIN_FILENO && terminal;
}

static const struct cmd_option own[] = {
	{ "title", 't', "TEXT", "what stands above", 0 },
	{ "inverted", 0, NULL,
	  "an explanation that is long enough to be broken between two of its words, "
	  "and so stands on two lines",
	  0 },
	{ 0 },
};

static const struct cmd_words own_words[] = { { "title", "one two" }, { 0 } };

/* What the filter's own options were set to. */
struct seen {
	size_t calls, option;
	const char *arg;
};

static int see(void *ctx, struct diag *diag, size_t option, const char *arg)
{
	struct seen *s = ctx;

	s->calls++;
	s->option = option;
	s->arg = arg;
	if (arg && strcmp(arg, "bad") == 0)
		return diag_fatal(diag, "--title bad: no");
	return 0;
}

static const struct cmd_tool tool = {
	.name = "psym",
	.purpose = "name the frames",
	.operands = "[FILE ...]",
	.example = "psym prof.tar.gz | pfold",
	.names_frames = true,
	.options = own,
	.usual = "o title quiet nothing help",
	.words = own_words,
	.set = see,
};

static const struct cmd_tool plain = {
	.name = "pflame",
	.purpose = "draw",
	.operands = "[FILE ...]",
	.example = "pfold x | pflame",
	.needs_no_input = true,
};

/* One run of cmd_start, what it printed and what it answered. */
struct run {
	struct cmd cmd;
	struct seen seen;
	bool go_on;
	int status;
	char out[TEXT], err[TEXT];
};

static int divert(int fd, int *kept)
{
	FILE *to = tmpfile();
	int copy;

	assert_non_null(to);
	*kept = dup(fd);
	copy = dup(fileno(to));
	dup2(copy, fd);
	fclose(to);
	return copy;
}

static void restore(int fd, int kept, int copy, char *text)
{
	ssize_t n = pread(copy, text, TEXT - 1, 0);

	text[n < 0 ? 0 : n] = '\0';
	dup2(kept, fd);
	close(kept);
	close(copy);
}

/* line holds the arguments, separated by one blank. */
static void start(struct run *r, const struct cmd_tool *t, const char *line)
{
	static char words[512];
	char *argv[ARGS] = { (char *)(uintptr_t)t->name }, *save = NULL;
	int argc = 1, out, err, out_kept, err_kept;

	*r = (struct run){ .status = -1 };
	snprintf(words, sizeof(words), "%s", line);
	for (char *w = strtok_r(words, " ", &save); w; w = strtok_r(NULL, " ", &save))
		argv[argc++] = w;
	fflush(stdout);
	out = divert(STDOUT_FILENO, &out_kept);
	err = divert(STDERR_FILENO, &err_kept);
	r->go_on = cmd_start(&r->cmd, t, &r->seen, argc, argv, &r->status);
	fflush(stdout);
	restore(STDERR_FILENO, err_kept, err, r->err);
	restore(STDOUT_FILENO, out_kept, out, r->out);
}

/* The status of cmd_end, which ends the process, so a child calls it. */
static int ended(struct run *r, bool usable)
{
#ifdef CONFINE_OFF
	return cmd_end(&r->cmd, usable);
#else
	int status = -1;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0)
		_exit(cmd_end(&r->cmd, usable));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	arena_release(&r->cmd.run);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
#endif
}

static void end(struct run *r)
{
	assert_true(r->go_on);
	assert_int_equal(ended(r, true), EXIT_COMPLETE);
}

/* The command line is refused with this one line. */
static void refused(const struct cmd_tool *t, const char *line, const char *said)
{
	struct run r;

	start(&r, t, line);
	assert_false(r.go_on);
	assert_int_equal(r.status, EXIT_UNUSABLE);
	assert_string_equal(r.out, "");
	assert_string_equal(r.err, said);
}

static void options_may_follow_operands(void **state)
{
	struct run r;

	(void)state;
	start(&r, &tool, "a -qv b -o out.svg -- -c");
	assert_true(r.cmd.diag.quiet);
	assert_true(r.cmd.diag.verbose);
	assert_string_equal(r.cmd.output, "out.svg");
	assert_int_equal(r.cmd.ninputs, 3);
	assert_string_equal(r.cmd.inputs[0], "a");
	assert_string_equal(r.cmd.inputs[1], "b");
	assert_string_equal(r.cmd.inputs[2], "-c");
	end(&r);
}

static void sources_and_pids_keep_their_order(void **state)
{
	struct run r;

	(void)state;
	start(&r, &tool, "-m a -mb -p 12 -p 7679=x/perf-1.map --no-host f");
	assert_int_equal(r.cmd.nsources, 2);
	assert_string_equal(r.cmd.sources[0], "a");
	assert_string_equal(r.cmd.sources[1], "b");
	assert_int_equal(r.cmd.npids, 2);
	assert_int_equal(r.cmd.pids[0].pid, 12);
	assert_null(r.cmd.pids[0].map);
	assert_int_equal(r.cmd.pids[1].pid, 7679);
	assert_string_equal(r.cmd.pids[1].map, "x/perf-1.map");
	assert_true(r.cmd.no_host);
	end(&r);
}

static void a_dash_is_standard_input(void **state)
{
	struct run r;

	(void)state;
	start(&r, &tool, "- f");
	assert_int_equal(r.cmd.ninputs, 2);
	assert_null(r.cmd.inputs[0]);
	assert_string_equal(r.cmd.inputs[1], "f");
	end(&r);
}

static void own_options_go_to_set(void **state)
{
	struct run r;

	(void)state;
	start(&r, &tool, "--inverted --title=x f");
	assert_int_equal(r.seen.calls, 2);
	assert_int_equal(r.seen.option, 0);
	assert_string_equal(r.seen.arg, "x");
	end(&r);
	start(&r, &tool, "-ty f");
	assert_int_equal(r.seen.calls, 1);
	assert_string_equal(r.seen.arg, "y");
	end(&r);
	refused(&tool, "-t bad f", "psym: --title bad: no\n");
}

static void a_bad_option_is_named(void **state)
{
	(void)state;
	refused(&tool, "--colour f",
	        "psym: unknown or ambiguous option --colour; try 'psym --help'\n");
	refused(&tool, "f --colour=red",
	        "psym: unknown or ambiguous option --colour; try 'psym --help'\n");
	refused(&tool, "-qx f", "psym: unknown option -x; try 'psym --help'\n");
	refused(&tool, "f -o", "psym: option -o needs FILE; try 'psym --help'\n");
	refused(&tool, "--title", "psym: option --title needs TEXT; try 'psym --help'\n");
	refused(&tool, "--quiet=1 f",
	        "psym: option --quiet takes no argument; try 'psym --help'\n");
}

static void a_filter_without_names_takes_no_sources(void **state)
{
	(void)state;
	refused(&plain, "-m x f", "pflame: unknown option -m; try 'pflame --help'\n");
	refused(&plain, "-p 1 f", "pflame: unknown option -p; try 'pflame --help'\n");
	refused(&plain, "--no-host f",
	        "pflame: unknown or ambiguous option --no-host; try 'pflame --help'\n");
}

static void a_pid_is_a_positive_number(void **state)
{
	(void)state;
	refused(&tool, "-p 0 f", "psym: -p 0: not a process id\n");
	refused(&tool, "-p 12x f", "psym: -p 12x: not a process id\n");
	refused(&tool, "-p =a f", "psym: -p =a: not a process id\n");
	refused(&tool, "-p 2147483648 f", "psym: -p 2147483648: not a process id\n");
	refused(&tool, "-p 1= f", "psym: -p 1=: the map after '=' is missing\n");
}

static void sizes_take_units(void **state)
{
	static const struct {
		const char *line;
		uint64_t bytes;
	} cases[] = {
		{ "--max-spool 7 f", 7 },
		{ "--max-spool 2K f", 2048 },
		{ "--max-spool 3m f", 3 << 20 },
		{ "--max-spool 4G f", 4ull << 30 },
	};
	struct run r;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		start(&r, &tool, cases[i].line);
		assert_true(r.cmd.max_spool == cases[i].bytes);
		end(&r);
	}
	refused(&tool, "--max-spool G f", "psym: --max-spool G: not a size\n");
	refused(&tool, "--max-spool 1KB f", "psym: --max-spool 1KB: not a size\n");
	refused(&tool, "--max-spool 1T f", "psym: --max-spool 1T: not a size\n");
	refused(&tool, "--max-spool 18446744073709551615K f",
	        "psym: --max-spool 18446744073709551615K: not a size\n");
}

static void all_help_fits_a_page(void **state)
{
	struct run r;
	size_t lines = 0;

	(void)state;
	start(&r, &tool, "--help=all");
	assert_false(r.go_on);
	assert_int_equal(r.status, EXIT_COMPLETE);
	assert_string_equal(r.err, "");
	assert_ptr_equal(strstr(r.out, "usage: psym [options] [FILE ...]\n"), r.out);
	assert_non_null(strstr(r.out, "\n  -t, --title TEXT"));
	assert_non_null(strstr(r.out, "\n      --inverted"));
	assert_non_null(strstr(r.out, "\nexample: psym prof.tar.gz | pfold\n"));
	for (struct str rest = str_of(r.out); rest.n; lines++)
		assert_true(str_cut(&rest, '\n').n <= 80);
	assert_true(lines <= 40);
}

static void help_has_what_is_usual(void **state)
{
	static const char want[] =
	        "usage: psym [options] [FILE ...]\n\n"
	        "psym - name the frames\n\n"
	        "  -o FILE           write to FILE, or one file per input to DIR/\n"
	        "  -t, --title TEXT  what stands above\n"
	        "  -q, --quiet       print neither notes nor a summary\n"
	        "  -h, --help[=all]  print common options, or all of them\n\n"
	        "example: psym prof.tar.gz | pfold\n";
	struct run r;

	(void)state;
	start(&r, &tool, "--help");
	assert_string_equal(r.out, want);
	start(&r, &tool, "-hq");
	assert_string_equal(r.out, want);
	assert_int_equal(r.status, EXIT_COMPLETE);
	refused(&tool, "--help=some", "psym: --help=some: expected all or table\n");
}

static void a_table_has_five_fields(void **state)
{
	struct run r;

	(void)state;
	start(&r, &tool, "--help=table");
	assert_int_equal(r.status, EXIT_COMPLETE);
	assert_ptr_equal(strstr(r.out, "t\ttitle\tTEXT\tone two\twhat stands above\n"),
	                 r.out);
	assert_non_null(strstr(r.out, "\no\t\tFILE\t\twrite to FILE,"));
	assert_non_null(
	        strstr(r.out, "\n\tkallsyms\tFILE\t\tthe same as -m, for perf users\n"));
	assert_non_null(strstr(r.out, "\nh\thelp\t[=all]\t\tprint common options"));
}

static void help_lists_only_what_is_taken(void **state)
{
	struct run r;

	(void)state;
	start(&r, &plain, "--help");
	assert_non_null(strstr(r.out, "--member NAME"));
	assert_null(strstr(r.out, "-m SOURCE"));
	assert_null(strstr(r.out, "--no-host"));
}

static void version_says_what_confines(void **state)
{
	struct run r;

	(void)state;
	start(&r, &tool, "--version");
	assert_false(r.go_on);
	assert_int_equal(r.status, EXIT_COMPLETE);
	assert_memory_equal(r.out, "psym (offbox) 0.1\nconfined by: ", 31);
	assert_ptr_equal(strchr(r.out + 31, '\n'), r.out + strlen(r.out) - 1);
}

static void a_terminal_is_no_input(void **state)
{
	struct run r;

	(void)state;
	terminal = true;
	start(&r, &tool, "-q");
	assert_false(r.go_on);
	assert_int_equal(r.status, EXIT_UNUSABLE);
	assert_string_equal(
	        r.err,
	        "psym: no input: name a file, or pipe one in; try 'psym --help'\n");
	start(&r, &plain, "");
	assert_int_equal(r.cmd.ninputs, 0);
	end(&r);
	start(&r, &tool, "-");
	assert_int_equal(r.cmd.ninputs, 1);
	end(&r);
	terminal = false;
}

static void no_operand_is_standard_input(void **state)
{
	struct run r;

	(void)state;
	start(&r, &tool, "-q");
	assert_int_equal(r.cmd.ninputs, 1);
	assert_null(r.cmd.inputs[0]);
	end(&r);
}

static void profile_options_are_the_common_ones(void **state)
{
	struct run r;
	struct profile_opts o;

	(void)state;
	start(&r, &tool, "-m a -p 3 --member perf.data --max-spool 1K f");
	o = cmd_profile_opts(&r.cmd, r.cmd.inputs[0]);
	assert_string_equal(o.input, "f");
	assert_string_equal(o.member, "perf.data");
	assert_int_equal(o.nsources, 1);
	assert_int_equal(o.npids, 1);
	assert_int_equal(o.max_spool, 1024);
	assert_ptr_equal(o.diag, &r.cmd.diag);
	end(&r);
}

static void damage_makes_the_status_one(void **state)
{
	struct run r;

	(void)state;
	start(&r, &tool, "-q f");
	r.cmd.diag.limit = 0;
	diag_damage(&r.cmd.diag, "x");
	assert_int_equal(ended(&r, true), EXIT_PARTIAL);
	start(&r, &tool, "-q f");
	assert_int_equal(ended(&r, false), EXIT_UNUSABLE);
}

/* Opens an output for input, writes a line and closes it.  0, or -1. */
static int write_for(struct run *r, const char *input)
{
	static struct out o;

	if (cmd_open_output(&r->cmd, &o, input, "folded") < 0)
		return -1;
	out_str(&o, STR("a;b 1\n"));
	return cmd_close_output(&r->cmd, &o);
}

/* Does job beside a keeper; returns the status of the keeper, r->err is what both said. */
static int beside_keeper(struct run *r, bool (*job)(struct run *r))
{
	int kept, copy = divert(STDERR_FILENO, &kept), status = -1;
	pid_t pid = fork();

	if (pid == 0)
		_exit(keeping_start(&r->cmd) == 0 ? (job(r) ? 0 : 4)
		      : r->cmd.ended < 0          ? 3
		                                  : r->cmd.ended);
	waitpid(pid, &status, 0);
	restore(STDERR_FILENO, kept, copy, r->err);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool write_mirrored(struct run *r)
{
	bool good = true;

	for (size_t i = 0; i < r->cmd.ninputs; i++)
		good &= write_for(r, r->cmd.inputs[i]) == 0;
	/* These have had their outputs, and another input has none. */
	return good && write_for(r, "srv/a.txt") < 0 && write_for(r, "../..") < 0 &&
	       write_for(r, "other") < 0;
}

static void a_directory_mirrors_its_inputs(void **state)
{
	static const char *const paths[] = { "/srv/a.txt.folded", "/b.folded",
		                             "/x/y/z.folded", "/stdin.folded",
		                             "/profile.folded" };
	char dir[] = "/tmp/offbox-cmd-XXXXXX", line[128], path[128], remove[128];
	struct stat st;
	struct run r;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(line, sizeof(line), "-o %s/new/ /srv/a.txt ./b ../../x//y/./z - ..",
	         dir);
	start(&r, &tool, line);
	assert_true(cmd_mirrors(&r.cmd));
	assert_int_equal(beside_keeper(&r, write_mirrored), 0);
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		snprintf(path, sizeof(path), "%s/new%s", dir, paths[i]);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_size, 6);
	}
	assert_non_null(strstr(r.err, "two inputs"));
	snprintf(path, sizeof(path), "%s/new/other.folded", dir);
	assert_int_equal(stat(path, &st), -1);
	end(&r);
	snprintf(remove, sizeof(remove), "rm -rf %s", dir);
	assert_int_equal(system(remove), 0);
}

/* Writes a file of n bytes in -o DIR/.  Returns 0, or -1. */
static int write_small(struct run *r, const char *input, size_t n)
{
	static struct out o;

	if (cmd_open_small(&r->cmd, &o, input, "folded") < 0)
		return -1;
	while (n--)
		out_char(&o, 'x');
	return cmd_close_output(&r->cmd, &o);
}

static bool write_of_each_size(struct run *r)
{
	return write_small(r, "f", 5) == 0 && write_small(r, "g", 3 * OUT_BUFFER) == 0 &&
	       write_small(r, "h", 0) == 0 && write_small(r, "f", 1) < 0;
}

/* The file g cannot be made, because a directory has its name. */
static bool write_before_an_error_is_known(struct run *r)
{
	return write_small(r, "f", 5) == 0 && write_small(r, "g", 5) == 0 &&
	       write_small(r, "h", 5) == 0 && write_for(r, "i") < 0;
}

static bool write_with_a_late_error(struct run *r)
{
	return write_small(r, "g", 5) == 0;
}

static off_t size_of(const char *dir, const char *name)
{
	char path[128];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s.folded", dir, name);
	return stat(path, &st) < 0 ? -1 : st.st_size;
}

static void small_files_are_complete_or_absent(void **state)
{
	char dir[] = "/tmp/offbox-cmd-XXXXXX", line[64], path[64], remove[128];
	struct run r;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(line, sizeof(line), "-o %s/ f g h i", dir);
	start(&r, &tool, line);
	assert_int_equal(beside_keeper(&r, write_of_each_size), 0);
	assert_int_equal(size_of(dir, "f"), 5);
	assert_int_equal(size_of(dir, "g"), 3 * OUT_BUFFER);
	assert_int_equal(size_of(dir, "h"), 0);
	end(&r);
	snprintf(remove, sizeof(remove), "rm -rf %s", dir);
	assert_int_equal(system(remove), 0);

	snprintf(path, sizeof(path), "%s/g.folded", dir);
	assert_int_equal(mkdir(dir, 0700) | mkdir(path, 0700), 0);
	start(&r, &tool, line);
	assert_int_equal(beside_keeper(&r, write_before_an_error_is_known),
	                 EXIT_UNUSABLE);
	assert_non_null(strstr(r.err, "g.folded: File exists"));
	assert_int_equal(size_of(dir, "f"), 5);
	assert_int_equal(size_of(dir, "h"), -1);
	assert_int_equal(size_of(dir, "i"), -1);
	end(&r);
	start(&r, &tool, line);
	assert_int_equal(beside_keeper(&r, write_with_a_late_error), EXIT_UNUSABLE);
	assert_non_null(strstr(r.err, "g.folded: File exists"));
	end(&r);
	assert_int_equal(system(remove), 0);
}

static bool write_two(struct run *r)
{
	return write_for(r, "f") == 0 && write_for(r, "g") < 0;
}

static void one_file_holds_one_output(void **state)
{
	char dir[] = "/tmp/offbox-cmd-XXXXXX", line[64], remove[128];
	struct run r;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(line, sizeof(line), "-o %s/f f g", dir);
	start(&r, &tool, line);
	assert_false(cmd_mirrors(&r.cmd));
	assert_int_equal(beside_keeper(&r, write_two), 0);
	end(&r);
	snprintf(remove, sizeof(remove), "rm -rf %s", dir);
	assert_int_equal(system(remove), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_may_follow_operands),
		cmocka_unit_test(sources_and_pids_keep_their_order),
		cmocka_unit_test(a_dash_is_standard_input),
		cmocka_unit_test(own_options_go_to_set),
		cmocka_unit_test(a_bad_option_is_named),
		cmocka_unit_test(a_filter_without_names_takes_no_sources),
		cmocka_unit_test(a_pid_is_a_positive_number),
		cmocka_unit_test(sizes_take_units),
		cmocka_unit_test(all_help_fits_a_page),
		cmocka_unit_test(help_has_what_is_usual),
		cmocka_unit_test(a_table_has_five_fields),
		cmocka_unit_test(help_lists_only_what_is_taken),
		cmocka_unit_test(version_says_what_confines),
		cmocka_unit_test(a_terminal_is_no_input),
		cmocka_unit_test(no_operand_is_standard_input),
		cmocka_unit_test(profile_options_are_the_common_ones),
		cmocka_unit_test(damage_makes_the_status_one),
		cmocka_unit_test(a_directory_mirrors_its_inputs),
		cmocka_unit_test(small_files_are_complete_or_absent),
		cmocka_unit_test(one_file_holds_one_output),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

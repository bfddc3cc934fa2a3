/*
 * offbox-collect - records processes, and packs the files that are needed to name their code on
 * another machine.
 *
 * 	target -> ask -> recording -> opener -> gather -> pack
 *
 * The program may run as root, and the processes may be malicious.  lib/collect/opener.h
 * describes how their files are opened.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/place.h"
#include "cmd.h"
#include "collect/ask.h"
#include "collect/gather.h"
#include "collect/recording.h"
#include "collect/target.h"
#include "collect/work_file.h"

/* The open output.  It is global, because a signal handler has no argument for it. */
static struct place leftover = { .fd = -1 };

/*
 * Removes the temporary file, and raises the signal again.  SA_RESETHAND and SA_NODEFER let the
 * second signal end the program at once.
 */
static void on_end(int signal)
{
	if (leftover.temp)
		unlink(leftover.temp);
	raise(signal);
}

/* Installs the handler for signals that would end the program. */
static void handle(void)
{
	static const int ends[] = { SIGHUP, SIGINT, SIGPIPE, SIGQUIT, SIGTERM };
	struct sigaction now, act = { .sa_handler = on_end,
		                      .sa_flags = (int)(SA_RESETHAND | SA_NODEFER) };

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		if (sigaction(ends[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
			sigaction(ends[i], &act, NULL);
}

/*
 * Signals are blocked while the file is made.  Otherwise a signal could arrive after the file
 * exists, and before `leftover` has its name.
 */
static int open_leftover(struct out *o, const char *path)
{
	int fd = -1, error;
	struct hold hold;

	if (path) {
		hold_begin(&hold);
		if (place_begin(&leftover, path) == 0)
			fd = fcntl(leftover.fd, F_DUPFD_CLOEXEC, 0);
		error = errno;
		if (fd < 0)
			place_drop(&leftover);
		else
			handle();
		hold_end(&hold);
		errno = error;
		if (fd < 0)
			return -1;
	}
	out_open(o, path, fd);
	return 0;
}

/*
 * Writes the remaining bytes and names the file.  If this fails, removes the file, sets o->error
 * and returns -1.
 */
static int close_leftover(struct out *o)
{
	struct hold hold;

	if (out_close(o) < 0 || !o->path) {
		place_drop(&leftover);
		return o->error ? -1 : 0;
	}
	hold_begin(&hold);
	if (place_end(&leftover) < 0)
		o->error = errno;
	hold_end(&hold);
	return o->error ? -1 : 0;
}

/* Removes the temporary file without naming it. */
static void discard_leftover(struct out *o)
{
	out_discard(o);
	place_drop(&leftover);
}

enum { REPORTS = 20 };

struct collect {
	const char *output, *given;
	uint64_t max_file, max_archive; /* in MB */
	struct recording recording;
	struct target *target;
	struct ask *ask; /* ask[i] contains the requests to the runtime of target[i] */
	size_t n;
	bool no_ask, lines;
	struct hold hold; /* blocks signals while runtimes have pending requests */
	struct out out;
};

enum {
	DURATION,
	FREQUENCY,
	CALL_GRAPH,
	INPUT,
	OUTPUT,
	MAX_FILE,
	MAX_ARCHIVE,
	ASK,
	NO_ASK,
	LINES
};

#define SETS(field) CMD_SETS(struct collect, field)

static const struct cmd_option options[] = {
	[DURATION] = { "duration", 'd', "SECONDS", "record for SECONDS (10)", 0 },
	[FREQUENCY] = { "frequency", 'F', "HZ", "samples a second (99)", 0 },
	[CALL_GRAPH] = { "call-graph", 'g', "HOW",
	                 "perf record's call graph: fp, dwarf or lbr (fp)",
	                 SETS(recording.graph) },
	[INPUT] = { "input", 'i', "FILE", "pack this perf.data instead of recording",
	            SETS(given) },
	[OUTPUT] = { "output", 'o', "FILE",
	             "write the archive to FILE; -: standard output (prof.tar.gz)", 0 },
	[MAX_FILE] = { "max-file", 's', "MB", "leave out files larger than MB (128)", 0 },
	[MAX_ARCHIVE] = { "max-archive", 'S', "MB",
	                  "limit of all files together, without perf.data (2048)", 0 },
	[ASK] = { "ask", 0, NULL,
	          "request names of JIT code from .NET and Java (default)", 0 },
	[NO_ASK] = { "no-ask", 0, NULL, "send nothing to the processes", 0 },
	[LINES] = { "lines", 0, NULL, "add PDBs and line tables of .NET code",
	            SETS(lines) },
	{ NULL, 0, NULL, NULL, 0 },
};

/* Parses arg as a decimal number of at most 32 bits. */
static int check_number(struct diag *diag, size_t option, const char *arg, uint64_t *out)
{
	if (str_is_dec(str_of(arg), out) && *out <= UINT32_MAX)
		return 0;
	return diag_fatal(diag, "-%c %s: not a number; try 'offbox-collect --help'",
	                  options[option].letter, arg);
}

static int set(void *ctx, struct diag *diag, size_t option, const char *arg)
{
	struct collect *c = ctx;
	uint64_t n;

	switch (option) {
	case DURATION:
		c->recording.seconds = arg;
		return check_number(diag, option, arg, &n);
	case FREQUENCY:
		c->recording.rate = arg;
		return check_number(diag, option, arg, &n);
	case OUTPUT:
		c->output = strcmp(arg, "-") == 0 ? NULL : arg;
		break;
	case MAX_FILE:
		return check_number(diag, option, arg, &c->max_file);
	case MAX_ARCHIVE:
		return check_number(diag, option, arg, &c->max_archive);
	case ASK:
	case NO_ASK:
		c->no_ask = option == NO_ASK;
		break;
	}
	return 0;
}

static const struct cmd_tool tool = {
	.name = "offbox-collect",
	.purpose = "record processes and pack the files that name their code",
	.operands = "PID ... [-- RECORD-OPTION ...]",
	.example = "offbox-collect 4711 && psym prof.tar.gz | pfold | pflame >flame.svg",
	.alone = true,
	.options = options,
	.set = set,
};

/*
 * Opens the processes in the operands.  If an operand is not a process, reports this and returns
 * -1.
 */
static int open_targets(struct cmd *c, struct collect *col, int argc, char **argv)
{
	struct str list = { 0 };

	if (optind == argc)
		return diag_fatal(&c->diag, "no process: name its pid; try '%s --help'",
		                  tool.name);
	col->target = arena_new(&c->run, struct target, (size_t)(argc - optind));
	col->ask = arena_new(&c->run, struct ask, (size_t)(argc - optind));
	for (int i = optind; i < argc; i++) {
		uint64_t pid;

		if (!str_is_dec(str_of(argv[i]), &pid) || pid < 1 || pid > INT32_MAX)
			return diag_fatal(&c->diag, "%s: not a pid; try '%s --help'",
			                  argv[i], tool.name);
		if (target_open(&col->target[col->n++], (int32_t)pid) < 0)
			return diag_fatal(&c->diag, "%s: no such process", argv[i]);
		list = arena_fmt(&c->run, PRSTR "%s%s", STRARG(list), list.n ? "," : "",
		                 argv[i]);
	}
	col->recording.pids = list.p;
	return 0;
}

/*
 * Opens the output.  Refuses devices and FIFOs, because they may be in another user's directory.
 */
static int open_output(struct cmd *c, struct collect *col)
{
	struct stat st;

	if (!col->output && isatty(STDOUT_FILENO))
		return diag_fatal(&c->diag,
		                  "standard output is a terminal; name a file with -o");
	if (col->output && lstat(col->output, &st) == 0 && !S_ISREG(st.st_mode) &&
	    !S_ISLNK(st.st_mode))
		return diag_fatal(
		        &c->diag,
		        "%s: not a regular file; '-o -' writes to standard output",
		        col->output);
	if (open_leftover(&col->out, col->output) == 0)
		return 0;
	return diag_fatal(&c->diag, "%s: cannot be written: %s",
	                  col->output ? col->output : "standard output", strerror(errno));
}

static int save_first(struct cmd *c, struct target *t, int work)
{
	if (target_save(t, work, &c->run) == 0)
		return 0;
	if (errno == EPERM)
		return diag_fatal(
		        &c->diag,
		        "%d: its rights cannot be taken: be root or its user, or "
		        "have CAP_SETUID and CAP_SETGID",
		        t->pid);
	return diag_fatal(&c->diag,
	                  "/proc/%d/maps cannot be read: be root or its user (%s)",
	                  t->pid, strerror(errno));
}

static void print_log(struct cmd *c, int log)
{
	struct str text = work_file_bytes(log, 1 << 20, &c->run);

	while (text.n) {
		struct str line = str_trim(str_cut(&text, '\n'));

		if (line.n)
			diag_fatal(&c->diag, "perf: " PRSTR, STRARG(line));
	}
}

static int copy_given(struct cmd *c, const struct collect *col)
{
	int fd = strcmp(col->given, "-") == 0 ? dup(STDIN_FILENO)
	                                      : open(col->given, O_RDONLY | O_CLOEXEC);
	int got = fd < 0 ? -1 : work_file_copy(fd, col->recording.data);

	if (got < 0)
		diag_fatal(&c->diag, "%s: cannot be read: %s", col->given,
		           strerror(errno));
	if (fd >= 0)
		close(fd);
	return got;
}

static uint64_t size_of(int fd)
{
	struct stat st;

	return fstat(fd, &st) < 0 ? 0 : (uint64_t)st.st_size;
}

static int record(struct cmd *c, const struct collect *col)
{
	const struct recording *r = &col->recording;
	enum recording_end end;

	diag_note(&c->diag, "recording %s for %s s", r->pids, r->seconds);
	end = recording_run(r, &c->run);
	if (end == RECORDING_STOPPED)
		return -1;
	if (end == RECORDING_NO_PERF)
		return diag_fatal(
		        &c->diag,
		        "there is no %s: install it (Debian: linux-perf, Ubuntu: "
		        "linux-tools-generic), set PERF, or give -i perf.data",
		        r->perf);
	if (end != RECORDING_FAILED && size_of(r->data)) {
		if (end == RECORDING_LATE)
			diag_damage(
			        &c->diag,
			        "perf record did not end in time; the recording may be "
			        "incomplete");
		return 0;
	}
	print_log(c, r->log);
	return diag_fatal(&c->diag,
	                  "perf record failed; it needs root, or CAP_PERFMON and "
	                  "CAP_SYS_PTRACE, or kernel.perf_event_paranoid <= 1");
}

static struct str last_line(struct str text)
{
	size_t at = str_rfind(text, '\n');

	return at == text.n ? text : str_from(text, at + 1);
}

/*
 * Adds the output of perf script.  It contains names of native code from debug files of the
 * machine or container.
 */
static void gather_text(struct cmd *c, const struct collect *col, struct gather *g)
{
	const struct target_place own = target_own_place(),
	                          *place = &col->target[0].place;
	int root = target_same_place(place, &own) ? -1 : col->target[0].root;
	uint64_t most = col->max_archive << 20;
	enum recording_end end;
	struct str log;

	for (size_t i = 1; i < col->n; i++)
		if (!target_same_place(place, &col->target[i].place)) {
			diag_note(&c->diag, "perf script is not run, because the "
			                    "processes see different files");
			return;
		}
	end = recording_print(&col->recording, root, g->work, most);
	if (end == RECORDING_NO_PERF)
		return;
	if (size_of(g->work) && size_of(g->work) < most && end != RECORDING_LATE) {
		gather_file(g, STR("perf_script.out"), g->work, size_of(g->work), false);
		return;
	}
	log = str_trim(work_file_bytes(col->recording.log, 1 << 20, &c->run));
	if (size_of(g->work))
		diag_damage(
		        &c->diag,
		        "perf_script.out: left out: it is too large or took too long");
	else
		diag_damage(&c->diag, "perf script printed nothing: " PRSTR,
		            STRARG(last_line(log)));
}

static void gather_all(struct cmd *c, const struct collect *col, struct gather *g)
{
	bool named;

	gather_file(g, STR("perf.data"), col->recording.data,
	            size_of(col->recording.data), true);
	for (size_t i = 0; i < col->n; i++) {
		struct target *t = &col->target[i];

		/*
		 * Reads the mappings again, because the process may have loaded more code
		 * since the recording began.  If the process has ended, its first list of
		 * mappings is used.
		 */
		if (target_save(t, g->work, &c->run) < 0)
			diag_damage(
			        &c->diag,
			        "process %d %s: its mappings are from the beginning, and "
			        "its files are taken where they still are",
			        t->pid,
			        errno == ENOSPC
			                ? "cannot be read again, because TMPDIR is full"
			                : "has ended");
		gather_process(g, t, &col->ask[i]);
	}
	gather_text(c, col, g);
	named = gather_kernel(g);
	diag_note(&c->diag, "kernel: %s",
	          named ? "named by kallsyms"
	                : "unnamed; /proc/kallsyms hides its addresses");
}

/* Packs all files.  Returns true if an archive was written. */
static bool pack_all(struct cmd *c, struct collect *col, int work)
{
	struct pack pack;
	struct gather gather = { .pack = &pack,
		                 .diag = &c->diag,
		                 .run = &c->run,
		                 .work = work,
		                 .limit = col->max_file << 20,
		                 .pdbs = col->lines };
	const char *name = col->output ? col->output : "standard output";

	if (pack_open(&pack, &col->out, col->max_archive << 20, &c->run) < 0) {
		diag_fatal(&c->diag, "the archive: %s", strerror(errno));
		return false;
	}
	gather_all(c, col, &gather);
	if (pack_close(&pack) < 0) {
		discard_leftover(&col->out);
		col->out.error = col->out.error ? col->out.error : EIO;
	} else {
		close_leftover(&col->out);
	}
	if (col->out.error) {
		diag_fatal(&c->diag, "%s: cannot be written: %s", name,
		           strerror(col->out.error));
		return false;
	}
	if (col->output)
		diag_note(&c->diag, "%s: %llu KB; psym %s | pfold | pflame >flame.svg",
		          name, (unsigned long long)pack.written >> 10, name);
	return true;
}

/*
 * Sends requests to the runtimes.  Returns true if a request was sent.  Signals are then delayed
 * until take_back.
 */
static bool ask_all(struct cmd *c, struct collect *col, int work)
{
	bool any = false;

	for (size_t i = 0; i < col->n; i++) {
		col->ask[i] = (struct ask){ .target = &col->target[i],
			                    .diag = &c->diag,
			                    .run = &c->run,
			                    .work = work,
			                    .limit = col->max_file << 20,
			                    .lines = col->lines };
		any |= !col->no_ask && ask_applies(&col->ask[i]);
	}
	if (!any)
		return false;
	hold_begin(&col->hold);
	col->recording.hold = &col->hold;
	for (size_t i = 0; i < col->n && !hold_pending(&col->hold); i++)
		ask_before(&col->ask[i]);
	return true;
}

/* Undoes the requests to the processes.  A pending signal then ends the program. */
static void take_back(struct collect *col)
{
	for (size_t i = 0; i < col->n; i++)
		ask_after(&col->ask[i]);
	if (hold_pending(&col->hold))
		discard_leftover(&col->out);
	hold_end(&col->hold);
	col->recording.hold = NULL;
}

static bool collect(struct cmd *c, struct collect *col, int argc, char **argv)
{
	int work = work_file_open();
	bool done = false, asked;
	int got;

	col->recording.data = work_file_open();
	col->recording.log = work_file_open();
	if (work < 0 || col->recording.data < 0 || col->recording.log < 0) {
		diag_fatal(&c->diag, "TMPDIR: a temporary file cannot be created: %s",
		           strerror(errno));
		return false;
	}
	if (open_targets(c, col, argc, argv) < 0)
		return false;
	for (size_t i = 0; i < col->n; i++)
		if (save_first(c, &col->target[i], work) < 0)
			return false;
	if (open_output(c, col) < 0)
		return false;
	/*
	 * ask_all blocks signals.  Reading a pipe may take long, so copy_given reads it
	 * earlier.
	 */
	got = col->given ? copy_given(c, col) : 0;
	asked = got == 0 && ask_all(c, col, work);
	if (got == 0 && !col->given)
		got = record(c, col);
	if (asked)
		take_back(col);
	if (got == 0)
		done = pack_all(c, col, work);
	else
		discard_leftover(&col->out);
	for (size_t i = 0; i < col->n; i++) {
		ask_close(&col->ask[i]);
		target_close(&col->target[i]);
	}
	return done;
}

int main(int argc, char **argv)
{
	const char *perf = getenv("PERF");
	struct collect col = { .output = "prof.tar.gz",
		               .max_file = 128,
		               .max_archive = 2048,
		               .recording = { .perf = perf && *perf ? perf : "perf",
		                              .seconds = "10",
		                              .rate = "99",
		                              .graph = "fp" } };
	struct cmd c = { .tool = &tool, .diag = { .prog = tool.name, .limit = REPORTS } };
	int own = 1, got;
	bool done;

	while (own < argc && strcmp(argv[own], "--") != 0)
		own++;
	if (own + 1 < argc)
		col.recording.options = argv + own + 1;
	got = options_parse(&c, &col, own, argv);
	if (got <= 0) {
		arena_release(&c.run);
		return got < 0 || fflush(stdout) != 0 ? EXIT_UNUSABLE : EXIT_COMPLETE;
	}
	umask(077);
	done = collect(&c, &col, own, argv);
	diag_finish(&c.diag);
	arena_release(&c.run);
	return !done ? EXIT_UNUSABLE : c.diag.damaged ? EXIT_PARTIAL : EXIT_COMPLETE;
}

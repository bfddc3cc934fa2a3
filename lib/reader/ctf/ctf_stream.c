#include "reader/ctf/ctf_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/pool.h"
#include "reader/ctf/ctf_trace.h"
#include "source/file.h"
#include "source/made.h"
#include "source/spool.h"

enum {
	READ_BYTES = 64 << 10,
	WORKERS_MOST = 200, /* maximum number of workers for a stream */
	WORKER_DATA = 512 << 20,
	SAID_BYTES = 1 << 20, /* maximum number of bytes that a worker may print */
	/* limit of processor time in seconds, plus 1 for each MiB of the file */
	WORKER_SECONDS = 20,
	NUMBERS = 1 << 16, /* count of event numbers that are reserved for each worker */
};

static const struct str no_room = {
	"it exceeds the limit of unpacked bytes (--max-spool)", 52
};
static const char *const names[] = { "metadata", "0" };

/* A stream, and the state of reading it. */
struct reading {
	struct ctf_streams *cs;
	struct str name, bytes;
	const uint64_t *packet; /* offsets of the packets */
	size_t npackets;
	unsigned workers;
	struct arena arena;
	bool slow;      /* the last worker exceeded its processor time */
	struct str why; /* why the stream was not read completely */
	bool lost;      /* a packet was skipped directly before the next part */
};

int ctf_stream_begin(struct ctf_streams *cs)
{
	hold_begin(&cs->hold);
	if (unpacked_open(&cs->files, source_keeper(cs->in.source), cs->in.run) == 0)
		return 0;
	diag_unread(cs->diag, PRSTR ": cannot be unpacked in %s: %s",
	            STRARG(cs->in.source->name), spool_directory(), strerror(errno));
	hold_end(&cs->hold);
	return -1;
}

void ctf_stream_end(struct ctf_streams *cs)
{
	unpacked_close(&cs->files, names, sizeof(names) / sizeof(*names));
	hold_end(&cs->hold);
}

/*
 * Limits a resource to `most`, unless its limit is already lower.  A process that exceeds the
 * soft limit of processor time gets SIGXCPU, which shows why the process ended.  At the hard
 * limit the process gets SIGKILL.  Therefore the hard limit is higher than the soft limit.
 */
static void limit(__rlimit_resource_t resource, rlim_t most)
{
	struct rlimit now;

	if (getrlimit(resource, &now) < 0)
		return;
	if (now.rlim_cur > most)
		now.rlim_cur = most;
	if (now.rlim_max > most + 1)
		now.rlim_max = most + 1;
	setrlimit(resource, &now);
}

/* Limits the resources of a worker process, clears its environment, and reads a stream. */
int ctf_stream_work(void *ctx)
{
	struct ctf_order *c = ctx;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	int said = memfd_create("said", MFD_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGXFSZ, SIG_IGN);
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	dup2(said < 0 ? null : said, STDERR_FILENO);
	clearenv();
	setenv("LIBBABELTRACE2_DISABLE_PYTHON_PLUGINS", "1", 1);
	setenv("BABELTRACE_PLUGIN_CTF_METADATA_LOG_LEVEL", "E",
	       1); /* ctf_worker.c reads the error messages */
	budget_limit_memory(c->memory);
	limit(RLIMIT_CPU, c->seconds);
	limit(RLIMIT_FSIZE, SAID_BYTES);
	limit(RLIMIT_CORE, 0);
	ctf_worker_load();
	if (c->enter)
		c->enter(c);
	return ctf_worker_run(&c->job);
}

/* A worker process.  The parent of the worker is this process, or the keeper (base/keeper.h). */
struct running {
	const struct keeper *keeper; /* NULL if the keeper is not the parent */
	pid_t pid;
};

static struct keeper_message message_of(const struct ctf_order *o, uint64_t directory)
{
	return (struct keeper_message){ .kind = KEEPER_RUN,
		                        .number = { directory, o->job.first,
		                                    o->job.writer, o->job.lost,
		                                    o->seconds, o->memory } };
}

struct ctf_order ctf_stream_order(const struct keeper_message *m, const char *directory,
                                  int fd)
{
	return (struct ctf_order){ .job = { .directory = directory,
		                            .fd = fd,
		                            .first = (uint32_t)m->number[1],
		                            .writer = m->number[2],
		                            .lost = m->number[3] != 0 },
		                   .seconds = m->number[4],
		                   .memory = m->number[5] };
}

struct forked {
	struct ctf_order order;
	int other_end; /* the read end of the worker's pipe */
};

static int work_here(void *ctx)
{
	struct forked *f = ctx;

	/*
	 * If the worker kept the read end open, its writes would not fail after this
	 * program has stopped reading.
	 */
	close(f->other_end);
	return ctf_stream_work(&f->order);
}

/* Starts a worker.  Returns -1 with errno set after an error. */
static int start(struct running *w, const struct ctf_streams *cs,
                 const struct ctf_order *o, int other_end)
{
	struct keeper_message m = message_of(o, cs->files.id);
	struct forked f = { *o, other_end };

	w->keeper = cs->files.keeper;
	if (!w->keeper)
		w->pid = pool_fork(work_here, &f);
	else if (keeper_ask(w->keeper, &m, o->job.fd, NULL) == 0)
		w->pid = (pid_t)m.number[0];
	else
		w->pid = -1;
	return w->pid < 0 ? -1 : 0;
}

/*
 * Waits until the worker ends, and returns its status.  If `kill_it` is set, kills the worker
 * first.
 */
static int finish(const struct running *w, bool kill_it, struct budget *budget)
{
	struct keeper_message m = { .kind = KEEPER_WAIT,
		                    .number = { (uint64_t)w->pid, kill_it } };
	int status = 0;

	if (w->keeper) {
		if (keeper_ask(w->keeper, &m, -1, NULL) < 0)
			return SIGKILL; /* the wait status of a killed process */
		budget_spend(budget, m.number[1]);
		return (int)m.number[0];
	}
	if (kill_it)
		kill(w->pid, SIGKILL);
	while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

/* Reads frames until the worker ends, or until no more frames are needed. */
static void hear(struct reading *r, int fd)
{
	size_t n = 0, cap = 0;
	char *p = NULL;
	ssize_t got = 1;

	while (got > 0 && !r->cs->in.bad) {
		struct str rest;

		r->cs->stop |= !hold_wait(&r->cs->hold, fd);
		if (r->cs->stop)
			break;
		arena_fit(&r->arena, p, n + READ_BYTES, cap);
		got = file_read(fd, p + n, READ_BYTES);
		if (got <= 0)
			break;
		rest = ctf_intake_take(&r->cs->in, (struct str){ p, n + (size_t)got });
		n = rest.n;
		if (n)
			memmove(p, rest.p, n);
	}
}

/* Stops all work, because there is no room for n bytes, or because of the error in errno. */
static void give_up(struct reading *r, size_t n)
{
	r->why = n < made_room(r->cs->in.source) ? str_of(strerror(errno)) : no_room;
	r->cs->stop = true;
}

/*
 * Sets r->why to the reason why a worker ended early.  A reason that the worker itself sent has
 * priority.
 */
static void judge(struct reading *r, int status)
{
	struct ctf_intake *in = &r->cs->in;

	in->complete &= WIFEXITED(status) && !WEXITSTATUS(status);
	r->why = in->why;
	if (in->error) {
		errno = in->error;
		give_up(r, errno == EFBIG ? SIZE_MAX : 0);
	}
	if (in->complete || r->why.n)
		return;
	r->slow = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
	if (r->slow)
		r->why = STR("babeltrace2 does not finish");
	else if (WIFSIGNALED(status))
		r->why = arena_fmt(&r->arena, "babeltrace2 was ended by signal %d (%s)",
		                   WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		r->why = STR("babeltrace2 gave up");
}

/*
 * Removes memory addresses and the path of the temporary file from a message such as "Invalid CTF
 * magic number: msg-it-addr=0x55892e2d8050, magic=0".
 */
static void clean(struct reading *r)
{
	struct str why = r->why;
	size_t path = str_search(why, r->cs->files.path);
	size_t address = str_search(why, STR("-addr="));

	if (address < why.n)
		why = str_head(why, str_rfind(str_head(why, address), ':'));
	if (path < why.n)
		why = str_head(why, path);
	if (why.n < r->why.n)
		while (why.n && !str_is_alnum(why.p[why.n - 1]))
			why.n--;
	r->why = why.n ? why : STR("babeltrace2 cannot read it");
}

/* Runs a worker on the directory.  n is the size of the stream's file. */
static void run_worker(struct reading *r, size_t n)
{
	struct ctf_streams *cs = r->cs;
	struct budget *budget = cs->in.source->budget;
	struct ctf_order order = { { .directory = cs->files.path.p,
		                     .first = cs->nworkers * NUMBERS,
		                     .writer = cs->nworkers + 1,
		                     .lost = r->lost },
		                   budget_seconds_left(budget,
		                                       WORKER_SECONDS + (n >> 20)),
		                   budget_worker_memory(budget, WORKER_DATA),
		                   NULL };
	struct running worker;
	int fds[2], got;

	if (budget_check(budget)) {
		r->why = STR("the time limit of this input is reached (--max-time)");
		cs->stop = true;
		return;
	}
	if (pipe2(fds, O_CLOEXEC) < 0) {
		give_up(r, 0);
		return;
	}
	cs->nworkers++;
	r->workers++;
	order.job.fd = fds[1];
	got = start(&worker, cs, &order, fds[0]);
	close(fds[1]);
	if (got < 0) {
		close(fds[0]);
		give_up(r, 0);
		return;
	}
	hear(r, fds[0]);
	close(fds[0]);
	judge(r, finish(&worker, cs->stop || cs->in.bad, budget));
	if (!r->cs->in.complete)
		clean(r);
}

/*
 * Runs a worker on a stream or a part of it.  If `bytes` is empty, the worker reads only the
 * metadata.
 */
static void read_bytes(struct reading *r, struct str bytes)
{
	r->slow = false;
	ctf_intake_next(&r->cs->in);
	if (bytes.n < made_room(r->cs->in.source) &&
	    unpacked_put(&r->cs->files, names[1], bytes) == 0)
		run_worker(r, bytes.n);
	else
		give_up(r, bytes.n);
}

static void report(struct reading *r, size_t packet)
{
	if (!hold_pending(&r->cs->hold))
		diag_at(r->cs->diag, r->name, r->packet[packet], PRSTR, STRARG(r->why));
}

/* Reads the packets from `first` to before `end`.  If this fails, reads each half separately. */
static void read_packets(struct reading *r, size_t first, size_t end)
{
	uint64_t to = end < r->npackets ? r->packet[end] : r->bytes.n;
	uint64_t size = made_size(r->cs->in.source);
	size_t middle = first + (end - first) / 2;

	read_bytes(r, str_from(str_head(r->bytes, to), r->packet[first]));
	r->lost &= !r->cs->in.complete;
	if (r->cs->in.complete)
		return;
	if (!r->cs->stop)
		made_drop(r->cs->in.source, size);
	if (end - first == 1 || r->cs->stop || r->slow || r->workers >= WORKERS_MOST) {
		report(r, first);
		r->lost = true;
		return;
	}
	read_packets(r, first, middle);
	if (!r->cs->stop)
		read_packets(r, middle, end);
}

bool ctf_stream_begin_trace(struct ctf_streams *cs, size_t metadata)
{
	struct str text = source_map(cs->in.source, metadata);
	struct reading r = { .cs = cs };

	if (cs->stop || !text.p)
		return false;
	if (text.n < made_room(cs->in.source) &&
	    unpacked_put(&cs->files, names[0], text) == 0)
		read_bytes(&r, STR(""));
	else
		give_up(&r, text.n);
	if (!r.cs->in.complete && !hold_pending(&cs->hold))
		diag_damage(cs->diag, PRSTR ": " PRSTR,
		            STRARG(cs->in.source->members[metadata].name), STRARG(r.why));
	arena_release(&r.arena);
	return r.cs->in.complete;
}

void ctf_stream_read(struct ctf_streams *cs, size_t member)
{
	struct reading r = { .cs = cs, .name = cs->in.source->members[member].name };
	uint64_t *packet;

	r.bytes = source_map(cs->in.source, member);
	if (cs->stop || !r.bytes.p)
		return;
	r.npackets = ctf_trace_packets(r.bytes, &r.arena, &packet);
	r.packet = packet;
	read_packets(&r, 0, r.npackets);
	arena_release(&r.arena);
}

#include "kept.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/pool.h"
#include "confined.h"
#include "reader/ctf/ctf_stream.h"
#include "source/file.h"
#include "source/spool.h"

enum {
	END_MS = 2000, /* ms after which a worker that has closed its pipe is killed */
	MOST = 4096,   /* maximum number of items of one kind */
};

static const char *const members[] = { "metadata", "0" };

/* --- files with names --- */

void kept_only(int *fd, int n)
{
	enum { FIRST = STDERR_FILENO + 1, AWAY = 16 };

	for (int i = 0; i < n; i++)
		fd[i] = fcntl(fd[i], F_DUPFD_CLOEXEC, AWAY);
	for (int i = 0; i < n; i++)
		fd[i] = dup2(fd[i], FIRST + i);
	if (syscall(SYS_close_range, FIRST + n, ~0u, 0) < 0)
		for (int i = FIRST + n; i < sysconf(_SC_OPEN_MAX); i++)
			close(i);
}

/*
 * Removes the noted files that still exist.  Begins with the latest note, because a directory is
 * noted before its files, and must be removed after them.
 */
static void clear(struct arena *a, FILE *notes)
{
	char **path = NULL, *line = NULL;
	size_t n = 0, cap = 0, room = 0;

	while (getdelim(&line, &room, '\0', notes) > 0) {
		*arena_push(a, path, n, cap) = arena_checked(strdup(line));
	}
	while (n-- > 0)
		(void)remove(path[n]);
}

/*
 * Runs the janitor.  When the keeper ends or is killed, the janitor removes unfinished files that
 * have names.  Signals to the process group do not reach the janitor.
 */
static void be_janitor(struct kept *k, int end)
{
	setsid();
	kept_only(&end, 1);
	clear(&k->c->run, fdopen(end, "r"));
	_exit(0);
}

/*
 * Notes a file for the janitor.  Errors do not matter, because the keeper itself removes its
 * files unless it is killed.
 */
static void note(struct kept *k, const char *path)
{
	int fds[2];

	if (k->janitor < 0 && pipe2(fds, O_CLOEXEC) == 0) {
		k->janitor_pid = fork();
		if (k->janitor_pid == 0)
			be_janitor(k, fds[0]);
		close(fds[0]);
		k->janitor = fds[1];
	}
	if (k->janitor >= 0)
		(void)!write(k->janitor, path, strlen(path) + 1);
}

/* --- outputs --- */

static void add_prefix(struct kept *k, const char *input)
{
	struct str path =
	        str_from(str_of(cmd_mirror(k->c, input, "")), strlen(k->c->output));

	intern(&k->prefixes, path);
	if (str_ends(path, STR(".dll")))
		intern(&k->prefixes, str_head(path, path.n - 4));
}

/* Returns true if a path below -o DIR/ begins with the path of an input. */
static bool has_prefix(struct kept *k, struct str path)
{
	size_t known = k->prefixes.n;

	for (size_t i = 1; i < path.n; i++)
		if ((path.p[i] == '.' || path.p[i] == '/') &&
		    intern(&k->prefixes, str_head(path, i)) < known)
			return true;
	return false;
}

static bool ends_as_output(struct str path)
{
	static const char *const endings[] = {
		".txt", ".tsv",    ".folded",          ".svg",         ".html", ".pb.gz",
		".map", ".r2rmap", ".speedscope.json", ".firefox.json"
	};

	return STR_ANY(path, str_ends, endings);
}

/*
 * Returns true if the path has no empty, "." or ".." components, and no characters that control a
 * terminal.
 */
static bool is_plain(struct str path)
{
	for (size_t i = 0; i < path.n; i++)
		if (str_control(str_from(path, i)))
			return false;
	do {
		struct str part = str_cut(&path, '/');

		if (!part.n || str_eq(part, STR(".")) || str_eq(part, STR("..")))
			return false;
	} while (path.n);
	return true;
}

static bool is_output(struct kept *k, struct str path)
{
	const struct cmd *c = k->c;
	struct str dir = str_of(c->output);

	if (c->also && str_eq(path, str_of(c->also)))
		return true;
	if (!c->output || !cmd_mirrors(c))
		return c->output && str_eq(path, dir);
	if (!str_starts(path, dir))
		return false;
	path = str_from(path, dir.n);
	if (!is_plain(path))
		return false;
	if (c->tool->makes)
		return c->tool->makes(path);
	return ends_as_output(path) &&
	       (has_prefix(k, path) || (c->tool->needs_no_input &&
	                                str_pid(path, STR("perf-"), STR(".map")) >= 0));
}

static struct kept_item *take(struct kept *k, enum kept_kind kind, uint64_t *id)
{
	size_t i = 0;

	while (i < k->n && k->item[i].kind != KEPT_FREE)
		i++;
	if (i == MOST)
		return NULL;
	arena_fit(&k->c->run, k->item, i + 1, k->cap);
	if (i == k->n)
		k->n++;
	k->item[i] = (struct kept_item){ .kind = kind, .place.fd = -1 };
	*id = i;
	return &k->item[i];
}

static struct kept_item *find(struct kept *k, uint64_t id, enum kept_kind kind)
{
	return id < k->n && k->item[id].kind == kind ? &k->item[id] : NULL;
}

static int copy_of(int fd)
{
	return fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

/* Opens a FIFO or device in -o DIR/.  Fails if a FIFO has no reader. */
static int open_other(const char *path)
{
	int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);

	if (fd >= 0)
		(void)fcntl(fd, F_SETFL, 0);
	return fd;
}

/*
 * If a small file was not written and the child was not told of it yet, returns its errno and sets
 * the path in *m.  Else returns 0.
 */
static int take_failure(struct kept *k, struct keeper_message *m)
{
	if (!k->failed || k->told)
		return 0;
	snprintf(m->path, sizeof(m->path), "%s", k->failed_path);
	k->told = true;
	return k->failed;
}

static int open_output(struct kept *k, struct keeper_message *m, int *made)
{
	int failed = take_failure(k, m);
	struct str path = arena_str(&k->c->run, str_of(m->path));
	struct kept_item *it;
	struct stat sb;

	if (failed)
		return failed;
	if (!is_output(k, path))
		return EACCES;
	if (cmd_mirrors(k->c) && cmd_make_directories(k->c, path, 0777))
		return errno;
	it = take(k, KEPT_OUTPUT, &m->number[0]);
	if (!it)
		return EMFILE;
	if (stat(path.p, &sb) == 0 && !S_ISREG(sb.st_mode))
		*made = open_other(path.p);
	else if (place_begin(&it->place, path.p) == 0)
		*made = copy_of(it->place.fd);
	if (it->place.temp)
		note(k, it->place.temp);
	if (*made >= 0)
		return 0;
	it->kind = KEPT_FREE;
	return errno;
}

static int write_file(struct kept *k, const char *path, struct str bytes)
{
	struct place place;
	struct stat sb;
	int error;

	if (!is_output(k, str_of(path)))
		return EACCES;
	/* A FIFO or device could block this process. */
	if (stat(path, &sb) == 0 && !S_ISREG(sb.st_mode))
		return EEXIST;
	if (place_begin(&place, path) < 0)
		return errno;
	if (place.temp)
		note(k, place.temp);
	if (out_all(place.fd, bytes) == 0 && place_end(&place) == 0)
		return 0;
	error = errno;
	place_drop(&place);
	return error;
}

/* Makes a small file.  If an earlier error was not reported yet, returns this error instead. */
static int take_posted(struct kept *k, const struct keeper_message *m, struct str bytes)
{
	int error = k->failed ? k->failed : write_file(k, m->path, bytes);

	if (!m->serial && error && !k->failed) {
		k->failed = error;
		k->failed_path = arena_str(&k->c->run, str_of(m->path)).p;
	}
	return error;
}

static int end_output(struct kept *k, const struct keeper_message *m, bool good)
{
	struct kept_item *it = find(k, m->number[0], KEPT_OUTPUT);
	int error = 0;

	if (!it)
		return EBADF;
	if (good && !cmd_mirrors(k->c)) {
		it->done = true;
		return 0;
	}
	if (!good)
		place_drop(&it->place);
	else if (it->place.path && place_end(&it->place) < 0)
		error = errno;
	it->kind = KEPT_FREE;
	return error;
}

/* --- the cache --- */

bool kept_read_name(const uint64_t *number, struct cache_name *name)
{
	*name = (struct cache_name){ (char)number[0], { number[1], number[2] } };
	return number[0] < 128 && cache_knows_kind(name->kind);
}

/*
 * Sets *out to a checksum of the identities and times of all inputs and files of -m.  Returns
 * false if one of them is not a regular file, or was changed recently.
 */
static bool identify_run(const struct kept *k, struct cache_sum *out)
{
	const struct cmd *c = k->c;
	size_t n = c->ninputs + c->nsources + c->npids;
	arena_scope(scratch);
	struct named {
		struct cache_sum path;
		struct file_stamp stamp;
	} *named = arena_new(&scratch, struct named, n);
	bool good = c->ninputs != 0;

	for (size_t i = 0; i < n && good; i++) {
		size_t source = i - c->ninputs, pid = source - c->nsources;
		const char *path = i < c->ninputs         ? c->inputs[i]
		                   : source < c->nsources ? c->sources[source]
		                                          : c->pids[pid].map;
		int fd = path ? open(path, O_PATH | O_CLOEXEC) : STDIN_FILENO;

		good = fd >= 0 && path && file_stamp(fd, &named[i].stamp);
		if (fd >= 0 && path)
			close(fd);
		named[i].path = cache_sum(&c->cache, str_of(path));
	}
	*out = cache_sum(&c->cache,
	                 (struct str){ (const char *)named, n * sizeof(*named) });
	return good;
}

/*
 * Reads the name of an entry.  If the child itself may write entries of this kind, the checksum
 * of the run is added to the name, so that only runs with the same inputs and files of -m use
 * the entry.
 */
static bool read_name(struct kept *k, const uint64_t *number, struct cache_name *name)
{
	struct cache_sum both[2];

	if (k->c->cache.dir < 0 || !kept_read_name(number, name))
		return false;
	if (!cache_is_own(name->kind))
		return true;
	if (!k->run_tried)
		k->run_known = identify_run(k, &k->run);
	k->run_tried = true;
	both[0] = k->run;
	both[1] = name->of;
	name->of = cache_secret_sum(&k->c->cache,
	                            (struct str){ (const char *)both, sizeof(both) });
	return k->run_known;
}

static struct kept_name *find_loaded(const struct kept *k, const struct cache_name *name)
{
	for (size_t i = 0; i < k->nloaded; i++) {
		const struct cache_name *one = &k->loaded[i].name;

		if (one->kind == name->kind && one->of.a == name->of.a &&
		    one->of.b == name->of.b)
			return &k->loaded[i];
	}
	return NULL;
}

static int load_entry(struct kept *k, const struct keeper_message *m, int *made)
{
	struct cache_name name;

	if (!read_name(k, m->number, &name))
		return ENOENT;
	*made = cache_entry_open(&k->c->cache, &name);
	if (*made < 0)
		return ENOENT;
	(void)futimens(*made, NULL);
	if (!find_loaded(k, &name)) {
		*arena_push(&k->c->run, k->loaded, k->nloaded, k->loaded_cap) =
		        (struct kept_name){ .name = name };
	}
	return 0;
}

static int begin_entry(struct kept *k, struct keeper_message *m, int *made)
{
	struct kept_item *it = take(k, KEPT_ENTRY, &m->number[0]);

	if (!it)
		return EMFILE;
	cache_begin(&k->c->cache, &it->entry);
	*made = it->entry.fd < 0 ? -1 : copy_of(it->entry.fd);
	if (*made >= 0)
		return 0;
	cache_finish(&it->entry, NULL, NULL);
	it->kind = KEPT_FREE;
	return EMFILE;
}

/*
 * Returns true if the child may write this entry itself.  Entries that other runs use must be
 * written by a maker.  The cache never replaces a valid entry.  To keep this rule, the child may
 * not write an entry that it has read and removed.
 */
static bool may_store(const struct kept *k, const struct cache_name *name)
{
	const struct kept_name *loaded = find_loaded(k, name);

	return cache_is_own(name->kind) && (!loaded || !loaded->forgotten);
}

static int store_entry(struct kept *k, const struct keeper_message *m)
{
	struct kept_item *it = find(k, m->number[0], KEPT_ENTRY);
	const struct cache_size size = { m->number[4], m->number[5] };
	struct cache_name name;
	bool good;

	if (!it)
		return EBADF;
	good = read_name(k, m->number + 1, &name) && !m->number[6] && may_store(k, &name);
	cache_finish(&it->entry, &name, good ? &size : NULL);
	it->kind = KEPT_FREE;
	return 0;
}

static int forget_entry(struct kept *k, const struct keeper_message *m)
{
	struct kept_name *loaded;
	struct cache_name name;

	loaded = read_name(k, m->number, &name) ? find_loaded(k, &name) : NULL;
	if (!loaded)
		return EACCES;
	loaded->forgotten = true;
	cache_forget(&k->c->cache, &name);
	return 0;
}

/* --- workers --- */

static int make_directory(struct kept *k, struct keeper_message *m)
{
	struct kept_item *it = take(k, KEPT_DIRECTORY, &m->number[0]);

	if (!it)
		return EMFILE;
	if (unpacked_open(&it->files, NULL, &k->c->run) < 0) {
		it->kind = KEPT_FREE;
		return errno;
	}
	note(k, it->files.path.p);
	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		note(k, arena_fmt(&k->c->run, PRSTR "/%s", STRARG(it->files.path),
		                  members[i])
		                .p);
	snprintf(m->path, sizeof(m->path), "%s", it->files.path.p);
	return 0;
}

static void remove_directory(struct kept_item *it)
{
	unpacked_close(&it->files, members, sizeof(members) / sizeof(*members));
	it->kind = KEPT_FREE;
}

static int make_member(struct kept *k, const struct keeper_message *m, int *made)
{
	struct kept_item *it = find(k, m->number[0], KEPT_DIRECTORY);

	for (size_t i = 0; it && i < sizeof(members) / sizeof(*members); i++)
		if (strcmp(m->path, members[i]) == 0) {
			*made = unpacked_file(&it->files, members[i]);
			return *made < 0 ? errno : 0;
		}
	return EBADF;
}

struct work {
	struct ctf_order order;
	const sigset_t *before;
};

static int work(void *ctx)
{
	struct work *w = ctx;

	kept_only(&w->order.job.fd, 1);
	sigprocmask(SIG_SETMASK, w->before, NULL);
	return ctf_stream_work(&w->order);
}

static int run_worker(struct kept *k, struct keeper_message *m, int given)
{
	struct kept_item *from = find(k, m->number[0], KEPT_DIRECTORY), *it;
	struct work w = { .before = &k->before };

	if (!from || given < 0)
		return EBADF;
	w.order = ctf_stream_order(m, from->files.path.p, given);
	w.order.enter = k->c->confining == CONFINING_OFF ? NULL : confined_worker;
	it = take(k, KEPT_WORKER, &m->number[0]);
	if (!it)
		return EMFILE;
	it->pid = pool_fork(work, &w);
	if (it->pid > 0)
		return 0;
	it->kind = KEPT_FREE;
	return errno;
}

/*
 * Waits for a worker, which normally ends soon after it has closed its pipe.  A worker that does
 * not end may be controlled by an attacker, and is killed.
 */
static int await(pid_t pid, bool kill_it, struct rusage *used)
{
	const struct timespec pause = { 0, 1000000 };
	int status = 0;

	for (int ms = 0; ms < END_MS && !kill_it; ms++) {
		if (wait4(pid, &status, WNOHANG, used) != 0)
			return status;
		nanosleep(&pause, NULL);
	}
	kill(pid, SIGKILL);
	while (wait4(pid, &status, 0, used) < 0 && errno == EINTR)
		;
	return status;
}

static int end_worker(struct kept *k, struct keeper_message *m)
{
	struct kept_item *it = find(k, m->number[0], KEPT_WORKER);
	struct rusage used = { 0 };

	if (!it)
		return EBADF;
	m->number[0] = (uint64_t)await(it->pid, m->number[1], &used);
	m->number[1] = clock_usage_ns(used.ru_utime) + clock_usage_ns(used.ru_stime);
	it->kind = KEPT_FREE;
	return 0;
}

/* --- all requests --- */

int kept_spool(int *made)
{
	*made = spool_file();
	return *made < 0 ? errno : 0;
}

int kept_answer(struct kept *k, struct keeper_message *m,
                const struct keeper_bytes *bytes, int given, int *made)
{
	struct kept_item *it;

	*made = -1;
	switch ((enum keeper_kind)m->kind) {
	case KEEPER_OPEN:
		return open_output(k, m, made);
	case KEEPER_DONE:
	case KEEPER_DROP:
		return end_output(k, m, m->kind == KEEPER_DONE);
	case KEEPER_POST:
		return take_posted(k, m, (struct str){ bytes->p, bytes->n });
	case KEEPER_SPOOL:
		return kept_spool(made);
	case KEEPER_LOAD:
		return load_entry(k, m, made);
	case KEEPER_BEGIN:
		return begin_entry(k, m, made);
	case KEEPER_STORE:
		return store_entry(k, m);
	case KEEPER_FORGET:
		return forget_entry(k, m);
	case KEEPER_GIVE:
		return makers_give(&k->makers, m, given);
	case KEEPER_MAKE:
		return makers_order(&k->makers, m, given);
	case KEEPER_DIRECTORY:
		return make_directory(k, m);
	case KEEPER_MEMBER:
		return make_member(k, m, made);
	case KEEPER_REMOVE:
		it = find(k, m->number[0], KEPT_DIRECTORY);
		if (it)
			remove_directory(it);
		return it ? 0 : EBADF;
	case KEEPER_RUN:
		return run_worker(k, m, given);
	case KEEPER_WAIT:
		return end_worker(k, m);
	}
	return ENOSYS;
}

void kept_begin(struct kept *k, struct cmd *c, const sigset_t *before)
{
	*k = (struct kept){ .c = c, .before = *before, .janitor = -1 };
	makers_begin(&k->makers, c, &k->before);
	intern_init(&k->prefixes, &c->run);
	for (size_t i = 0; i < c->ninputs && cmd_mirrors(c); i++)
		add_prefix(k, c->inputs[i]);
}

static int end_item(struct kept *k, struct kept_item *it, bool good)
{
	struct rusage used;

	switch (it->kind) {
	case KEPT_OUTPUT:
		if (!good || !it->done || !it->place.path)
			place_drop(&it->place);
		else if (place_end(&it->place) < 0)
			return diag_fatal(&k->c->diag, "%s: %s", it->place.path,
			                  strerror(errno));
		break;
	case KEPT_ENTRY:
		cache_finish(&it->entry, NULL, NULL);
		break;
	case KEPT_DIRECTORY:
		remove_directory(it);
		break;
	case KEPT_WORKER:
		await(it->pid, true, &used);
		break;
	case KEPT_FREE:
		break;
	}
	it->kind = KEPT_FREE;
	return 0;
}

int kept_end(struct kept *k, bool good)
{
	int ret = 0;

	if (k->failed) {
		ret = -1;
		if (!k->told)
			diag_fatal(&k->c->diag, "%s: %s", k->failed_path,
			           strerror(k->failed));
	}
	for (size_t i = 0; i < k->n; i++)
		if (end_item(k, &k->item[i], good) < 0)
			ret = -1;
	if (k->janitor >= 0) {
		close(k->janitor);
		while (waitpid(k->janitor_pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	return ret;
}

#include "makers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/pool.h"
#include "bind/native/made_tables.h"
#include "confined.h"
#include "kept.h"
#include "source/ordered.h"

enum {
	/* maximum number of orders, because each order keeps files open */
	MOST_WAITING = 64,
	MOST_LIST = 64 << 20, /* maximum size in bytes of the list in an order */
	COPY = 256 << 10,     /* bytes that are copied at once */
};

void makers_begin(struct makers *m, struct cmd *c, const sigset_t *before)
{
	*m = (struct makers){ .c = c, .before = before, .socket = -1 };
	for (size_t i = 0; i < MAKERS_GIVEN; i++)
		m->given[i].fd = -1;
}

static int copy_of(int fd)
{
	return fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

int makers_give(struct makers *m, struct keeper_message *msg, int fd)
{
	size_t i = 0;

	while (i < MAKERS_GIVEN && m->given[i].fd >= 0)
		i++;
	if (fd < 0 || i == MAKERS_GIVEN)
		return EMFILE;
	m->given[i].fd = copy_of(fd);
	if (m->given[i].fd < 0)
		return errno;
	m->given[i].name = arena_str(&m->c->run, str_of(msg->path)).p;
	msg->number[0] = i;
	return 0;
}

static void close_files(struct ordered *o)
{
	for (size_t i = 0; i < o->order.files; i++)
		if (o->order.fd[i] >= 0)
			close(o->order.fd[i]);
	o->order.files = 0;
	if (o->list >= 0)
		close(o->list);
	o->list = -1;
}

/*
 * Moves the files of the order from m->given to *o.  Returns false if one of the files is
 * missing.
 */
static bool take_files(struct makers *m, const struct keeper_message *msg,
                       struct order *o)
{
	bool good = true;

	for (o->files = 0; o->files < msg->number[2] && o->files < ORDER_FILES;
	     o->files++) {
		uint64_t id = msg->number[3 + o->files];
		struct given_file *f = &m->given[(id - 1) % MAKERS_GIVEN];

		o->fd[o->files] = -1;
		if (!id)
			continue;
		good = good && id <= MAKERS_GIVEN && f->fd >= 0;
		o->fd[o->files] = f->fd;
		o->name[o->files] = str_of(f->name);
		f->fd = -1;
	}
	return good && o->files == msg->number[2];
}

/* Returns true if the path is an input or an argument of -m. */
static bool is_named(const struct cmd *c, const char *path)
{
	for (size_t i = 0; i < c->ninputs; i++)
		if (c->inputs[i] && strcmp(c->inputs[i], path) == 0)
			return true;
	for (size_t i = 0; i < c->nsources; i++)
		if (strcmp(c->sources[i], path) == 0)
			return true;
	return false;
}

static bool identify(const struct makers *m, const struct order *o,
                     struct cache_name *out)
{
	const struct cache *c = &m->c->cache;

	if (c->dir < 0)
		return false;
	if (made_tables_kind(o->kind))
		return ordered_files(c, o->kind, o->fd, o->files, out);
	return is_named(m->c, o->path.p) &&
	       ordered_source(c, o->kind, o->path.p, o->is_profile, out);
}

static bool same(const struct cache_name *a, const struct cache_name *b)
{
	return a->kind == b->kind && a->of.a == b->of.a && a->of.b == b->of.b;
}

/*
 * Returns an element of m->order for this entry.  This is a new element, or the element of an
 * earlier order that has not begun.  Returns NULL if this run has already made the entry.
 */
static struct ordered *place(struct makers *m, const struct cache_name *name)
{
	for (size_t i = 0; i < m->n; i++)
		if (same(&m->order[i].name, name)) {
			if (i < m->next)
				return NULL;
			close_files(&m->order[i]);
			return &m->order[i];
		}
	if (m->n - m->next == MOST_WAITING)
		return NULL;
	return arena_push(&m->c->run, m->order, m->n, m->cap);
}

int makers_order(struct makers *m, const struct keeper_message *msg, int list)
{
	struct ordered new = { .order = { .kind = (char)msg->number[0],
		                          .is_profile = msg->number[1] != 0 },
		               .list = -1 };
	struct ordered *to;

	new.order.path = arena_str(&m->c->run, str_of(msg->path));
	if (take_files(m, msg, &new.order) && list >= 0 &&
	    identify(m, &new.order, &new.name) && (to = place(m, &new.name)) != NULL) {
		new.list = copy_of(list);
		*to = new;
		return 0;
	}
	close_files(&new);
	return EACCES;
}

/* --- the maker --- */

struct job {
	struct makers *m;
	struct ordered *of;
	struct keeper keeper;
};

/* Returns a copy of the list, because the child can still change the file. */
static struct str read_list(int fd, struct arena *a)
{
	struct stat sb;
	char *p;
	ssize_t n;

	if (fstat(fd, &sb) < 0 || sb.st_size > MOST_LIST)
		return (struct str){ 0 };
	p = arena_new(a, char, (size_t)sb.st_size + 1);
	n = pread(fd, p, (size_t)sb.st_size, 0);
	return (struct str){ p, n > 0 ? (size_t)n : 0 };
}

static void make_source(struct cache *cache, struct cmd *c, const struct order *o)
{
	const struct profile_opts named = cmd_profile_opts(c, NULL);
	struct source_opts opts = shared_sources_options(&named, o->is_profile);
	struct interner names;
	struct locator l;
	struct source *s;

	opts.cache = cache;
	opts.keeper = cache->keeper;
	opts.run = &c->run;
	s = source_open(o->path.p, &opts);
	if (!s || s->kind != SOURCE_DIR) {
		source_close(s);
		return;
	}
	intern_init(&names, &c->run);
	locate_init(&l, &c->run, &names);
	locate_add(&l, s, false, s->n);
	locate_learn(&l, o->list);
	source_close(s);
}

/*
 * Drops resources that the maker must not use: standard error, all descriptors except for its
 * order's descriptors, and the secret key of the cache (cache.seal).
 */
static void give_up(struct job *j)
{
	struct order *o = &j->of->order;
	int fd[3 + ORDER_FILES], n = 0;

	dup2(STDIN_FILENO, STDERR_FILENO);
	fd[n++] = j->keeper.fd;
	fd[n++] = j->keeper.lock;
	fd[n++] = j->of->list;
	for (size_t i = 0; i < o->files; i++)
		if (o->fd[i] >= 0)
			fd[n++] = o->fd[i];
	kept_only(fd, n);
	n = 0;
	j->keeper.fd = fd[n++];
	j->keeper.lock = fd[n++];
	j->of->list = fd[n++];
	for (size_t i = 0; i < o->files; i++)
		if (o->fd[i] >= 0)
			o->fd[i] = fd[n++];
	explicit_bzero(j->m->c->cache.seal, sizeof(j->m->c->cache.seal));
	sigprocmask(SIG_SETMASK, j->m->before, NULL);
}

static int make(void *ctx)
{
	struct job *j = ctx;
	struct cmd *c = j->m->c;
	struct order *o = &j->of->order;
	struct cache own = c->cache;

	give_up(j);
	own.dir = -1;
	own.keeper = &j->keeper;
	own.ordered = true;
	c->diag.quiet = true;
	o->list = read_list(j->of->list, &c->run);
	if (c->confining != CONFINING_OFF)
		confined_maker(o, j->keeper.fd);
	if (made_tables_kind(o->kind)) {
		budget_begin(&c->budget);
		made_tables(&own, o, &c->budget, &c->run);
	} else {
		make_source(&own, c, o);
	}
	return 0;
}

bool makers_run(struct makers *m)
{
	struct job j = { .m = m };

	while (!m->pid && m->next < m->n) {
		j.of = &m->order[m->next++];
		if (keeper_connect(&j.keeper, &m->socket) < 0) {
			m->socket = -1;
			close_files(j.of);
			continue;
		}
		/*
		 * The socket does not block, because a hostile maker may not read its
		 * answers.
		 */
		(void)fcntl(m->socket, F_SETFL, O_NONBLOCK);
		m->pid = pool_fork(make, &j);
		keeper_close(&j.keeper);
		close_files(j.of);
		if (m->pid > 0)
			break;
		close(m->socket);
		m->socket = -1;
		m->pid = 0;
	}
	return m->pid != 0;
}

/* --- its requests --- */

/* Returns true if the maker may read and write this entry. */
static bool is_of_order(const struct makers *m, const struct cache_name *name)
{
	const struct cache_name *first = &m->order[m->next - 1].name;

	if (name->kind == 'm')
		return first->kind == 'u';
	for (unsigned part = 0; part < CACHE_PARTS; part++) {
		struct cache_name one = cache_part(first, part);

		if (same(&one, name))
			return true;
	}
	return false;
}

static int load(struct makers *m, const struct cache_name *name, int *made)
{
	*made = cache_entry_open(&m->c->cache, name);
	return *made < 0 ? ENOENT : 0;
}

static int begin(struct makers *m, int *made)
{
	if (m->writing.cache)
		return EMFILE;
	cache_begin(&m->c->cache, &m->writing);
	*made = m->writing.fd < 0 ? -1 : copy_of(m->writing.fd);
	if (*made >= 0)
		return 0;
	cache_finish(&m->writing, NULL, NULL);
	m->writing.cache = NULL;
	return EMFILE;
}

/*
 * Copies a member of an archive from the maker's file to `to`, because the maker can still change
 * its own file.  Returns true if the name is the digest of the copied bytes.
 */
static bool copy_member(struct makers *m, uint64_t bytes, const struct cache_name *name,
                        struct cache_writing *to)
{
	struct digest d;
	char *buf = malloc(COPY);
	uint64_t sum[2];
	ssize_t n = -1;

	digest_begin(&d);
	for (uint64_t at = CACHE_HEAD; buf && at < bytes; at += (uint64_t)n) {
		uint64_t left = bytes - at;

		n = pread(m->writing.fd, buf, left < COPY ? left : COPY, (off_t)at);
		if (n <= 0)
			break;
		digest_add(&d, (struct str){ buf, (size_t)n });
		cache_put(to, buf, (uint64_t)n);
	}
	free(buf);
	digest_end(&d, sum);
	return to->at == bytes && sum[0] == name->of.a && sum[1] == name->of.b;
}

static void store_member(struct makers *m, uint64_t bytes, const struct cache_name *name)
{
	const struct cache_size size = { bytes, 0 };
	struct cache_writing to;

	if (bytes > m->c->cache.max)
		return;
	cache_begin(&m->c->cache, &to);
	cache_finish(&to, name,
	             copy_member(m, bytes, name, &to) && !to.bad ? &size : NULL);
}

/*
 * Stores an entry that the maker wrote.  `name` is NULL if the maker may not write this entry.
 */
static int store(struct makers *m, const struct keeper_message *msg,
                 const struct cache_name *name)
{
	const struct cache_size size = { msg->number[4], msg->number[5] };
	bool good = name && !msg->number[6], member = name && name->kind == 'm';

	if (!m->writing.cache)
		return EBADF;
	if (good && member)
		store_member(m, size.bytes, name);
	cache_finish(&m->writing, name, good && !member ? &size : NULL);
	m->writing.cache = NULL;
	return name ? 0 : EACCES;
}

static int answer(struct makers *m, struct keeper_message *msg, int *made)
{
	const uint64_t *number = msg->number + (msg->kind == KEEPER_STORE);
	struct cache_name name = { 0 };
	bool may;

	if (msg->kind == KEEPER_SPOOL)
		return kept_spool(made);
	if (msg->kind == KEEPER_BEGIN)
		return begin(m, made);
	may = kept_read_name(number, &name) && is_of_order(m, &name);
	if (msg->kind == KEEPER_STORE)
		return store(m, msg, may ? &name : NULL);
	if (may && msg->kind == KEEPER_LOAD)
		return load(m, &name, made);
	if (may && msg->kind == KEEPER_FORGET)
		cache_forget(&m->c->cache, &name);
	return may && msg->kind == KEEPER_FORGET ? 0 : EACCES;
}

static void await(struct makers *m, bool kill_it)
{
	if (!m->pid)
		return;
	close(m->socket);
	m->socket = -1;
	if (kill_it)
		kill(m->pid, SIGKILL);
	while (waitpid(m->pid, NULL, 0) < 0 && errno == EINTR)
		;
	m->pid = 0;
	if (m->writing.cache)
		cache_finish(&m->writing, NULL, NULL);
	m->writing.cache = NULL;
}

void makers_answer(struct makers *m)
{
	struct keeper_message msg;
	int given, made = -1;

	if (keeper_receive(m->socket, &msg, NULL, &given) <= 0) {
		/* The maker has closed its socket, or sent a wrong message. */
		await(m, true);
		return;
	}
	if (given >= 0)
		close(given);
	msg.error = answer(m, &msg, &made);
	(void)keeper_send(m->socket, &msg, made);
	if (made >= 0)
		close(made);
}

void makers_end(struct makers *m)
{
	await(m, true);
	for (; m->next < m->n; m->next++)
		close_files(&m->order[m->next]);
}

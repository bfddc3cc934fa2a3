#include "source/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/pages.h"
#include "source/archive.h"
#include "source/archive_cache.h"
#include "source/decompress.h"
#include "source/directory.h"
#include "source/index.h"
#include "source/members.h"
#include "source/ordered.h"

enum {
	COPY_BYTES = 256 << 10,
	/* minimum of the limit that bound_by_input sets, in bytes */
	SMALL_SPOOL = 256 << 20,
};

/* Reads up to SOURCE_HEAD bytes of fd at offset `at` or, for a pipe, at its position. */
static ssize_t read_head(int fd, bool pipe, uint64_t at, char *head)
{
	size_t n = 0;

	while (n < SOURCE_HEAD) {
		ssize_t got = pipe ? file_read(fd, head + n, SOURCE_HEAD - n)
		                   : file_read_at(fd, head + n, SOURCE_HEAD - n, at + n);

		if (got < 0)
			return -1;
		if (!got)
			break;
		n += (size_t)got;
	}
	return (ssize_t)n;
}

static struct member *only_member(struct source *s, enum source_kind kind,
                                  struct str head)
{
	struct source_state *st = s->state;

	s->kind = kind;
	s->n = 1;
	s->members = arena_new(st->opts.run, struct member, 1);
	s->members->name = s->name;
	s->members->head = arena_str(st->opts.run, head);
	members_sort(s);
	return s->members;
}

/* Reports the error in errno.  Returns -1. */
static int report_unusable(struct source *s)
{
	if (s->state->opts.plain)
		return -1;
	return diag_fatal(s->state->opts.diag, PRSTR ": %s", STRARG(s->name),
	                  strerror(errno));
}

/* Reports once that a member is unreadable, with the error in errno. */
static void report_unread(struct source *s, struct member *m)
{
	struct diag *diag = s->state->opts.diag;
	bool inside = s->kind == SOURCE_DIR;
	int error = errno;

	if (m->unread)
		return;
	m->unread = s->state->unsure = true;
	diag_unread(diag, PRSTR "%s" PRSTR ": %s", STRARG(inside ? s->name : m->name),
	            inside ? "/" : "", STRARG(inside ? m->name : STR("")),
	            strerror(error));
	errno = error;
}

static void close_fd(struct source_state *st)
{
	if (st->fd >= 0)
		close(st->fd);
	st->fd = -1;
}

/* Maps the spool, and sets the map of each member to the member's bytes in the spool. */
static int point_into_spool(struct source *s)
{
	struct source_state *st = s->state;

	st->spooled = true;
	if (spool_map(&st->spool) < 0)
		return -1;
	for (struct member *m = s->members; m < s->members + s->n; m++)
		if (!m->absent && !m->kept && !m->placed)
			m->map = spool_bytes(&st->spool, m->off, m->size);
	return 0;
}

/*
 * If --max-spool is not given, sets a limit that depends on the size of the archive.  Real
 * archives of profiles need a tenth of this limit, and only malicious archives exceed it.
 */
static void bound_by_input(struct source *s, uint64_t size)
{
	struct spool *sp = &s->state->spool;
	uint64_t most = size * DECOMPRESS_RATIO;

	if (s->state->opts.max_spool || size > UINT64_MAX / DECOMPRESS_RATIO)
		return;
	if (most < SMALL_SPOOL)
		most = SMALL_SPOOL;
	if (!sp->max || sp->max > most)
		sp->max = most;
}

/*
 * Returns 1 if the file was unpacked, or 0 if it is not an archive.  If the file cannot be
 * mapped, reports this and returns -1.
 */
static int try_archive(struct source *s, int fd, uint64_t at, uint64_t size,
                       const char *path)
{
	struct str bytes = file_map(fd, at, size);
	bool is_archive;

	if (!bytes.p)
		return report_unusable(s);
	bound_by_input(s, size);
	budget_add(s->budget, size);
	is_archive = archive_unpack(s, bytes, path ? str_of(path) : STR("stdin"));
	file_unmap(bytes);
	if (!is_archive)
		return 0;
	s->kind = SOURCE_ARCHIVE;
	members_sort(s);
	return 1;
}

/*
 * Stores `head` and the rest of a pipe in the spool.  If a read fails, stops and sets *cut.
 * Returns -1 with errno set if the spool cannot store the bytes.
 */
static int spool_pipe(struct source *s, struct str head, bool *cut)
{
	struct source_state *st = s->state;
	char *buf = malloc(COPY_BYTES);
	ssize_t n = -1;

	/* While an archive is read from the spool, its members are appended.  This needs a file. */
	st->spool.no_memory = true;
	if (!buf || spool_put(&st->spool, 0, head) < 0)
		goto out;
	while ((n = file_read(st->fd, buf, COPY_BYTES)) > 0) {
		budget_add(s->budget, (uint64_t)n);
		if (spool_put(&st->spool, st->spool.end, (struct str){ buf, (size_t)n }) <
		    0)
			break;
	}
	*cut = n < 0;
	if (*cut)
		diag_unread(st->opts.diag, PRSTR ": %s", STRARG(s->name),
		            strerror(errno));
	n = n > 0 ? -1 : 0;
out:
	free(buf);
	return (int)n;
}

static int report_no_room(struct source *s)
{
	struct source_state *st = s->state;

	if (errno == EFBIG)
		return diag_fatal(st->opts.diag,
		                  PRSTR
		                  ": exceeds the limit of %llu bytes in %s (--max-spool)",
		                  STRARG(s->name), (unsigned long long)st->spool.max,
		                  spool_directory());
	return diag_fatal(st->opts.diag, PRSTR ": cannot be written to %s: %s",
	                  STRARG(s->name), spool_directory(), strerror(errno));
}

/* Stores a whole pipe, so that it can be mapped or tried as an archive. */
static int open_whole_pipe(struct source *s, struct str head, bool archive,
                           const char *path)
{
	struct source_state *st = s->state;
	struct member *m;
	uint64_t size;
	bool cut = false;
	int unpacked = 0;

	if (spool_pipe(s, head, &cut) < 0)
		return report_no_room(s);
	close_fd(st);
	size = st->spool.end;
	if (archive && size)
		unpacked = try_archive(s, st->spool.fd, 0, size, path);
	if (unpacked < 0)
		return -1;
	if (unpacked) {
		spool_punch(&st->spool, size);
	} else {
		m = only_member(s, SOURCE_FILE, head);
		m->size = size;
		m->cut = cut;
	}
	return point_into_spool(s) < 0 ? report_no_room(s) : 0;
}

/*
 * Opens a pipe.  If `whole` is true, the source is a file of unknown size, as in /proc, which is
 * read completely.
 */
static int open_pipe(struct source *s, bool whole, const char *path)
{
	struct source_state *st = s->state;
	char buf[SOURCE_HEAD];
	ssize_t n = read_head(st->fd, true, 0, buf);
	enum source_look look;
	struct str head;
	bool archive;

	if (n < 0)
		return report_unusable(s);
	head = (struct str){ buf, (size_t)n };
	look = st->opts.look(s->name, str_without_mark(head));
	archive = look == LOOK_NOTHING && archive_likely(head);
	if (whole || look == LOOK_WHOLE || archive)
		return open_whole_pipe(s, head, archive, path);
	/*
	 * Enlarges the pipe, because its default size causes a task switch for each
	 * 64 KiB.  Errors do not matter.
	 */
	(void)fcntl(st->fd, F_SETPIPE_SZ, 1 << 20);
	only_member(s, SOURCE_PIPE, head);
	return 0;
}

/* Opens a plain file as a source with one member. */
static void open_plain(struct source *s, struct str head, uint64_t at, uint64_t size)
{
	struct member *m = only_member(s, SOURCE_FILE, head);

	m->off = at;
	m->size = size;
	budget_add(s->budget, size);
}

/*
 * Opens an archive, from the cache if possible.  Stores its members in the cache if no problem
 * was reported.
 */
static int open_archive(struct source *s, struct str head, uint64_t at, uint64_t size,
                        const char *path)
{
	struct source_state *st = s->state;
	const struct source_opts *o = &st->opts;
	unsigned long said = o->diag->damaged + o->diag->warned;
	bool keep = cache_is_open(o->cache) && o->cache->archives && path && !at;
	struct archive_cache_key key;
	int unpacked;

	keep = keep && !(o->is_profile && o->cache->no_profiles);
	keep = keep && archive_cache_identify(st->fd, str_of(path), o->is_profile, &key);
	if (keep && archive_cache_load(s, &key)) {
		s->kind = SOURCE_ARCHIVE;
		members_sort(s);
		keep = false;
	} else if ((unpacked = try_archive(s, st->fd, at, size, path)) <= 0) {
		open_plain(s, head, at, size);
		return unpacked;
	}
	close_fd(st);
	if (point_into_spool(s) < 0)
		return report_no_room(s);
	if (keep && said == o->diag->damaged + o->diag->warned)
		archive_cache_store(s, &key);
	return 0;
}

static int open_file(struct source *s, uint64_t size, const char *path)
{
	struct source_state *st = s->state;
	off_t here = path ? 0 : lseek(st->fd, 0, SEEK_CUR);
	uint64_t at = here > 0 ? (uint64_t)here : 0;
	char buf[SOURCE_HEAD];
	ssize_t n = read_head(st->fd, false, at, buf);
	struct str head;

	if (n < 0)
		return report_unusable(s);
	if (n && !size)
		return open_pipe(s, true, path);
	head = (struct str){ buf, (size_t)n };
	size = n && at < size ? size - at : 0;
	if (size && !st->opts.plain &&
	    st->opts.look(s->name, str_without_mark(head)) == LOOK_NOTHING &&
	    archive_likely(head))
		return open_archive(s, head, at, size, path);
	open_plain(s, head, at, size);
	return 0;
}

static int open_any(struct source *s, const char *path)
{
	struct source_state *st = s->state;
	struct stat sb;

	/*
	 * The descriptor is copied, so that closing the source does not close standard
	 * input.
	 */
	if (!path)
		st->fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	else if (st->opts.plain)
		st->fd = file_open_plain(st->opts.opened ? st->opts.opened : path);
	else
		st->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (st->fd < 0 || fstat(st->fd, &sb) < 0)
		goto fail;
	if (S_ISREG(sb.st_mode))
		return open_file(s, (uint64_t)sb.st_size, path);
	if (!S_ISDIR(sb.st_mode))
		return open_pipe(s, false, path);
	if (directory_list(s, path) < 0)
		goto fail;
	return 0;
fail:
	return report_unusable(s);
}

struct source *source_open(const char *path, const struct source_opts *opts)
{
	struct source *s = arena_new(opts->run, struct source, 1);

	s->name = path ? arena_str(opts->run, str_of(path)) : STR("standard input");
	s->budget = opts->budget;
	s->state = arena_new(opts->run, struct source_state, 1);
	s->state->opts = *opts;
	s->state->fd = -1;
	spool_init(&s->state->made, 0, opts->keeper);
	/*
	 * Only the members may be stored in memory.  The bytes that a reader adds
	 * (made.h) are stored in a file.
	 */
	s->state->made.no_memory = true;
	spool_init(&s->state->spool,
	           opts->max_spool ? opts->max_spool : spool_default_max(), opts->keeper);
	if (open_any(s, path) < 0) {
		int error = errno;

		source_close(s);
		errno = error;
		return NULL;
	}
	return s;
}

/* Unpacks the archive again.  Returns NULL if its members have changed. */
static struct source *unpack_again(struct source *s)
{
	struct source *now = source_open(s->name.p, &s->state->opts);
	bool same = now && now->kind == SOURCE_ARCHIVE && now->n == s->n;

	for (size_t i = 0; same && i < s->n; i++)
		same = str_eq(now->members[i].name, s->members[i].name) &&
		       now->members[i].size == s->members[i].size &&
		       now->members[i].map.p;
	if (same)
		return now;
	source_close(now);
	return NULL;
}

/*
 * Handles a damaged member in the cache.  Members that are not mapped yet are read from the
 * archive itself.  Mapped members stay, because they were verified.
 */
static void repair(struct source *s)
{
	struct source *now;

	now = unpack_again(s);
	s->state->repaired = now;
	for (size_t i = 0; i < s->n; i++) {
		struct member *m = &s->members[i];

		if (m->map.p)
			continue;
		if (m->kept)
			cache_unload(&m->kept->entry);
		m->kept = NULL;
		m->absent = !now;
		if (now)
			m->map = now->members[i].map;
	}
}

static struct str read_member_head(struct source *s, size_t member)
{
	struct member *m = &s->members[member];
	struct source_state *st = s->state;
	struct str none = { NULL, 0 };
	ssize_t n;
	int fd;

	if (m->map.n)
		return str_head(m->map, SOURCE_HEAD);
	if (m->kept) {
		struct str head = archive_cache_head(s, m);

		if (head.p)
			return head;
		repair(s);
		return str_head(m->map, SOURCE_HEAD);
	}
	if (s->kind != SOURCE_DIR)
		return m->head;
	free(st->head);
	st->head = NULL;
	fd = directory_open(s, m);
	n = -1;
	if (fd >= 0) {
		index_opened(s, m, fd);
		st->head = malloc(SOURCE_HEAD);
		n = st->head ? read_head(fd, false, 0, st->head) : -1;
	}
	if (n < 0)
		report_unread(s, m);
	if (fd >= 0)
		close(fd);
	return n > 0 ? (struct str){ st->head, (size_t)n } : none;
}

struct str source_head(struct source *s, size_t member)
{
	return str_without_mark(read_member_head(s, member));
}

static struct str map_member(struct source *s, size_t member)
{
	struct member *m = &s->members[member];
	struct str none = { NULL, 0 };
	int fd;

	if (m->map.p)
		return m->map;
	if (m->kept && !archive_cache_bytes(s, m).p)
		repair(s);
	if (m->map.p)
		return m->map;
	errno = m->absent ? ENODATA : s->kind == SOURCE_PIPE ? ESPIPE : ENOMEM;
	if (m->absent || s->kind == SOURCE_PIPE || s->state->spooled)
		return none;
	fd = s->kind == SOURCE_DIR ? directory_open(s, m) : s->state->fd;
	if (fd >= 0) {
		if (!m->off)
			index_opened(s, m, fd);
		m->map = m->size ? file_map(fd, m->off, m->size) : STR("");
		m->in_file = m->size && m->map.p;
		if (s->kind == SOURCE_DIR)
			budget_add(s->budget, m->size);
	}
	if (!m->map.p)
		report_unread(s, m);
	if (fd >= 0 && s->kind == SOURCE_DIR)
		close(fd);
	return m->map;
}

struct str source_map(struct source *s, size_t member)
{
	return str_without_mark(map_member(s, member));
}

void source_give_back(const struct source *s, size_t member, struct str bytes)
{
	if (s->members[member].in_file)
		pages_drop(bytes.p, bytes.n);
}

void source_expect(const struct source *s, size_t member, struct str bytes)
{
	if (s->members[member].in_file)
		pages_read(bytes.p, bytes.n);
}

bool source_identity(struct source *s, size_t member, const struct cache *c,
                     uint64_t most, struct cache_sum *out, bool *placed)
{
	const struct member *m = &s->members[member];

	if (!cache_is_open(c) || !m->map.p)
		return false;
	*placed = !m->kept && m->file && m->file->stamp.ino;
	if (m->kept)
		*out = m->kept->sum;
	else if (*placed)
		*out = ordered_stamp(c, &m->file->stamp);
	else if (s->state->spooled && m->size <= most)
		*out = cache_sum(c, m->map);
	else
		return false;
	return true;
}

int source_reopen(struct source *s, size_t member)
{
	return s->kind == SOURCE_DIR ? directory_open(s, &s->members[member])
	                             : fcntl(s->state->fd, F_DUPFD_CLOEXEC, 0);
}

const struct keeper *source_keeper(const struct source *s)
{
	return s->state->opts.keeper;
}

bool source_noted_id(const struct source *s, size_t member, struct str *id)
{
	const struct member_file *f = s->members[member].file;

	*id = f && f->id_known ? f->id : (struct str){ 0 };
	return f && f->id_known;
}

void source_note_id(struct source *s, size_t member, struct str id)
{
	struct member_file *f = s->members[member].file;

	if (!f || f->id_known || s->kind != SOURCE_DIR)
		return;
	f->id = arena_str(s->state->opts.run, id);
	f->id_known = s->state->learned = true;
}

void source_remember(struct source *s)
{
	if (s)
		index_store(s);
}

bool source_times(const struct source *s, struct statx *out)
{
	return s->kind == SOURCE_FILE && s->state->fd >= 0 &&
	       !statx(s->state->fd, "", AT_EMPTY_PATH, STATX_MTIME | STATX_BTIME, out);
}

void source_close(struct source *s)
{
	struct source_state *st = s ? s->state : NULL;

	if (!st)
		return;
	source_remember(s);
	for (size_t i = 0; i < s->n && !st->spooled; i++)
		file_unmap(s->members[i].map);
	for (unsigned p = 0; p < CACHE_PARTS; p++)
		cache_unload(&st->index[p]);
	archive_cache_close(s);
	source_close(st->repaired);
	st->repaired = NULL;
	spool_close(&st->spool);
	spool_close(&st->made);
	close_fd(st);
	free(st->head);
	st->head = NULL;
	s->n = 0;
}

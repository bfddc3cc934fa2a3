/*
 * libarchive returns the content of a member in blocks.  Each block has an offset, and the space
 * between two blocks is a hole.  The first SOURCE_HEAD bytes are collected for opts.look, which
 * decides whether the member is copied to the spool or skipped.
 */
#include "source/archive.h"

#include <errno.h>
#include <inttypes.h>
#include <locale.h>

#include "base/guard.h"
#include "base/library.h"
#include "source/decompress.h"
#include "source/libarchive.h"
#include "source/members.h"
#include "source/symlinks.h"

enum {
	ENTRY_MAX = 1000000, /* maximum number of examined members */
	/* limit of `holes`, because a sparse member may have exabytes without content */
	HOLE_MAX = 1 << 30,
	RETRY_MAX = 100,     /* maximum number of consecutive retries */
	DRAIN_MAX = 1 << 20, /* number of checked bytes after the end of a tar */
};

struct unpack {
	struct libarchive lib;
	struct archive *a;
	/* allocated here, because libarchive does not check whether its own entry is NULL */
	struct archive_entry *entry;
	/* decompresses the input of `a`, or NULL if the file is not gzip */
	struct gunzip *gunzip;
	bool said_cut; /* gunzip has found damage, and this was reported */
	struct source *s;
	struct diag *diag;
	struct spool *spool;
	struct str file_name;
	struct table by_name; /* hash and length of a name -> index of the member + 1 */
	struct symlinks links;
	size_t cap;      /* capacity of s->members */
	uint64_t holes;  /* total bytes of holes so far */
	bool stop;       /* the rest of the archive is unreadable */
	char name[1024]; /* name of the current entry, for messages */
	/* start of the current entry */
	char head[SOURCE_HEAD];
	size_t nhead;
	/* bytes that were read but are not in `head`.  Valid until the next read */
	struct str block;
	uint64_t block_at;
	/*
	 * blocks of the entry so far, if they are contiguous in the memory that spool.h lends
	 */
	struct str run;
	bool scattered; /* the blocks are not contiguous */
};

static const struct signature {
	uint16_t at;
	struct str bytes;
} signatures[] = {
	{ 0, { "\x1f\x8b", 2 } }, /* gzip */
	{ 0, { "BZh", 3 } },      /* bzip2 */
	{ 0,
	  { "\xfd"
	    "7zXZ",
	    /* xz.  The signature includes the literal's NUL */
	    6 } },
	{ 0, { "\x5d\0\0", 3 } },           /* lzma with the default properties */
	{ 0, { "\x28\xb5\x2f\xfd", 4 } },   /* zstd */
	{ 1, { "\x2a\x4d\x18", 3 } },       /* a skippable frame of zstd or lz4 */
	{ 0, { "\x04\x22\x4d\x18", 4 } },   /* lz4 */
	{ 0, { "\x02\x21\x4c\x18", 4 } },   /* lz4 -l */
	{ 0, { "PK\3\4", 4 } },             /* zip */
	{ 0, { "PK\5\6", 4 } },             /* zip without members */
	{ 0, { "PK00PK\3\4", 8 } },         /* zip that was once split */
	{ 0, { "7z\xbc\xaf\x27\x1c", 6 } }, /* 7-Zip */
};

/*
 * Returns true for a tar header.  The octal digits at offset 148 are the sum of its 512 bytes,
 * with the digits themselves counted as blanks.  Tar of Unix version 7 has no other signature.
 */
static bool is_tar(struct str head)
{
	uint64_t want = 0, sum = 0;
	size_t i = 148;

	if (head.n < 512 || !head.p[0])
		return false;
	while (i < 156 && head.p[i] == ' ')
		i++;
	for (; i < 156 && head.p[i] >= '0' && head.p[i] <= '7'; i++)
		want = want * 8 + (uint64_t)(head.p[i] - '0');
	for (i = 0; i < 512; i++)
		sum += i >= 148 && i < 156 ? ' ' : (unsigned char)head.p[i];
	return want == sum;
}

bool archive_likely(struct str head)
{
	for (size_t i = 0; i < sizeof(signatures) / sizeof(*signatures); i++)
		if (str_starts(str_from(head, signatures[i].at), signatures[i].bytes))
			return true;
	return is_tar(head);
}

/* Reports `what`, after `where` and the name of the last member. */
static void report(struct unpack *u, const char *where, const char *what)
{
	const char *between = ": ";

	if (!u->name[0])
		where = between = "";
	if (u->s->state->opts.is_profile)
		diag_damage(u->diag, PRSTR ": %s%s%s%s", STRARG(u->s->name), where,
		            u->name, between, what);
	else
		diag_warn(u->diag, PRSTR ": %s%s%s%s", STRARG(u->s->name), where, u->name,
		          between, what);
}

/* Reports that memory ran out: the archive is unreadable, but not damaged. */
static void no_memory(struct unpack *u)
{
	diag_unread(u->diag, PRSTR ": %s", STRARG(u->s->name), strerror(ENOMEM));
}

static void report_error(struct unpack *u, const char *where)
{
	const char *text = u->lib.archive_error_string(u->a);

	if (u->lib.archive_errno(u->a) == ENOMEM)
		no_memory(u);
	else
		report(u, where, text ? text : "damaged archive");
}

/*
 * Returns true if libarchive met the end of the file because gunzip found damage.  Reports the
 * damage once.
 */
static bool is_cut(struct unpack *u, const char *where)
{
	const char *error = u->gunzip ? decompress_gzip_error(u->gunzip) : NULL;

	if (!error || u->said_cut)
		return false;
	u->said_cut = true;
	report(u, where, error);
	return true;
}

/*
 * Adds the new block to u->run.  If the block does not directly follow u->run in the memory
 * that spool.h lends, sets `scattered` instead.
 */
static void follow_run(struct unpack *u)
{
	if (!u->run.n)
		u->run.p = u->block.p;
	if (!spool_is_lent(u->spool, u->block.p) || u->block_at != u->run.n ||
	    u->block.p != u->run.p + u->run.n)
		u->scattered = true;
	else
		u->run.n += u->block.n;
}

/*
 * Reads the next block into u->block.  Returns 1, 0 at the end of the member, or -1 after it has
 * reported an error.
 */
static int next_block(struct unpack *u)
{
	const void *p = NULL;
	la_int64_t at = 0;
	size_t n = 0;
	int r, tries = 0;

	do
		r = u->lib.archive_read_data_block(u->a, &p, &n, &at);
	while (r == ARCHIVE_RETRY && tries++ < RETRY_MAX);

	u->block = (struct str){ NULL, 0 };
	if (r == ARCHIVE_EOF) {
		u->block_at = at > 0 ? (uint64_t)at : 0;
		/*
		 * The raw format does not know the length of its only member, so it does
		 * not detect truncation.
		 */
		return u->lib.archive_format(u->a) == ARCHIVE_FORMAT_RAW && is_cut(u, "")
		               ? -1
		               : 0;
	}
	/* A warning here means a wrong checksum, so the member is damaged. */
	if (r != ARCHIVE_OK && !is_cut(u, ""))
		report_error(u, "");
	if (r != ARCHIVE_OK && r != ARCHIVE_WARN) {
		u->stop = r == ARCHIVE_FATAL || r == ARCHIVE_RETRY;
		return -1;
	}
	if (at < 0) {
		report(u, "", "sparse map with a negative offset");
		return -1;
	}
	u->block = (struct str){ p, n };
	u->block_at = (uint64_t)at;
	if (!u->scattered)
		follow_run(u);
	return 1;
}

/* Reads the start of an entry into `head`.  Returns the last result of next_block. */
static int peek(struct unpack *u)
{
	int got = 1;

	u->nhead = 0;
	u->run = (struct str){ 0 };
	u->scattered = false;
	memset(u->head, 0, sizeof(u->head));
	while (u->nhead < sizeof(u->head) && (got = next_block(u)) > 0) {
		size_t room = sizeof(u->head), at, n;

		at = u->block_at < room ? (size_t)u->block_at : room;
		n = u->block.n < room - at ? u->block.n : room - at;
		if (n)
			memcpy(u->head + at, u->block.p, n);
		if (u->block.n && at + n > u->nhead)
			u->nhead = at + n;
		u->block = str_from(u->block, n);
		u->block_at += n;
	}
	return got;
}

/* Copies u->block to its position in the member that begins at `off`. */
static int put(struct unpack *u, uint64_t off, uint64_t *size)
{
	uint64_t end = u->block_at + u->block.n;

	if (u->block_at > *size) {
		u->holes += u->block_at - *size;
		if (u->block_at > INT64_MAX / 4 || u->holes > HOLE_MAX) {
			errno = EOVERFLOW;
			return -1;
		}
	}
	if (spool_put(u->spool, off + u->block_at, u->block) < 0)
		return -1;
	if (end > *size)
		*size = end;
	return 0;
}

/* Keeps a contiguous member in the memory that spool.h lends, without copying it. */
static int place(struct unpack *u, struct member *m, bool cut)
{
	if (spool_keep(u->spool, u->run.n) < 0)
		return -1;
	m->map = u->run.n ? u->run : STR("");
	m->size = u->run.n;
	m->placed = true;
	m->cut = cut;
	return 0;
}

/* Reads the rest of an entry after peek.  `got` is the result of peek. */
static int keep(struct unpack *u, struct member *m, int got)
{
	struct str before = { u->head, u->nhead }, rest = u->block;
	uint64_t rest_at = u->block_at;

	if (!u->scattered) {
		while (got > 0 && !u->scattered)
			got = next_block(u);
		/* Now block_at is the size of the member, including a hole at its end. */
		if (!u->scattered && (got < 0 || u->block_at <= u->run.n))
			return place(u, m, got < 0);
		before = u->run;
		rest = u->block;
		rest_at = u->block_at;
	}
	u->block = before;
	u->block_at = 0;
	if (put(u, m->off, &m->size) < 0)
		return -1;
	spool_give_back(u->spool, before);
	u->block = rest;
	u->block_at = rest_at;
	for (; got > 0; got = next_block(u))
		if (put(u, m->off, &m->size) < 0)
			return -1;
	m->cut = got < 0;
	return m->cut || u->block_at <= m->size ? 0 : put(u, m->off, &m->size);
}

static void add(struct unpack *u, const struct member *m)
{
	struct source *s = u->s;
	struct arena *run = s->state->opts.run;
	uint32_t *at = table_at(&u->by_name, run, hash_str(m->name), m->name.n);
	struct member *same = *at ? &s->members[*at - 1] : NULL;

	/* If two members have the same name, the later member wins, as in tar x. */
	if (same && str_eq(same->name, m->name)) {
		if (same->absent || same->cut || !(m->absent || m->cut))
			*same = *m;
		return;
	}
	members_add(s, &u->cap, m);
	if (!*at)
		*at = (uint32_t)s->n;
}

static struct str relative(struct str name)
{
	while (str_skip(&name, STR("/")) || str_skip(&name, STR("./")))
		;
	return name;
}

static struct str inner_name(struct str file_name)
{
	static const char *const suffixes[] = { ".gz",   ".bz2", ".xz",
		                                ".lzma", ".zst", ".lz4" };
	struct str base = str_base(file_name);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		struct str suffix = str_of(suffixes[i]);

		if (base.n > suffix.n && str_ends(base, suffix))
			return str_head(base, base.n - suffix.n);
	}
	return base;
}

/*
 * Returns the name of an entry.  If the name is not UTF-8 and the format provides its bytes,
 * returns these bytes.
 */
static struct str entry_name(struct unpack *u, struct archive_entry *e)
{
	const char *z = u->lib.archive_entry_pathname(e);

	if (u->lib.archive_format(u->a) == ARCHIVE_FORMAT_RAW)
		return inner_name(u->file_name);
	return relative(str_of(z ? z : u->lib.archive_entry_pathname_utf8(e)));
}

static void take_link(struct unpack *u, struct str name, struct str target, bool symbolic)
{
	struct arena *run = u->s->state->opts.run;
	uint32_t at = table_get(&u->by_name, hash_str(target), target.n);
	struct member m;

	if (!at || !str_eq(u->s->members[at - 1].name, target))
		return;
	m = u->s->members[at - 1];
	m.name = arena_str(run, name);
	m.linked = symbolic;
	add(u, &m);
}

static void leave_out(struct unpack *u, struct str name, int error)
{
	struct str archive = u->s->name;

	if (error == EFBIG)
		diag_warn(u->diag,
		          PRSTR ": " PRSTR " exceeds the limit of %" PRIu64
		                " unpacked bytes (--max-spool) and is left out",
		          STRARG(archive), STRARG(name), u->spool->max);
	else
		diag_warn(u->diag, PRSTR ": " PRSTR " cannot be unpacked in %s: %s",
		          STRARG(archive), STRARG(name), spool_directory(),
		          error == EOVERFLOW ? "its holes are too large"
		                             : strerror(error));
}

/* Stores the start of a skipped file.  If no file is a profile, a message describes this file. */
static void pass(struct unpack *u, struct str name, struct str head)
{
	struct arena *run = u->s->state->opts.run;
	struct source *s = u->s;

	if (!s->state->opts.is_profile || s->npassed == SOURCE_PASSED)
		return;
	if (!s->passed)
		s->passed = arena_new(run, struct source_passed, SOURCE_PASSED);
	s->passed[s->npassed].name = arena_str(run, name);
	s->passed[s->npassed++].head = arena_str(run, str_head(head, SOURCE_PASSED_HEAD));
}

static void take_file(struct unpack *u, struct str name, uint64_t claimed)
{
	const struct source_opts *opts = &u->s->state->opts;
	struct member m = { .off = spool_begin(u->spool) };
	struct str head;
	int got = peek(u);

	head = str_without_mark((struct str){ u->head, u->nhead });
	if (opts->look(name, head) == LOOK_NOTHING) {
		pass(u, name, head);
		return;
	}
	m.name = arena_str(opts->run, name);
	errno = EFBIG;
	if (claimed > spool_room(u->spool, m.off) || keep(u, &m, got) < 0) {
		leave_out(u, m.name, errno);
		spool_drop(u->spool, m.off);
		m.absent = true;
		m.size = claimed;
	}
	add(u, &m);
}

static struct str link_target(const struct unpack *u, struct archive_entry *e)
{
	const char *z = u->lib.archive_entry_symlink(e);

	return str_of(z ? z : u->lib.archive_entry_symlink_utf8(e));
}

/* If a symbolic link refers to a member, adds the member also under the name of the link. */
static void follow_links(struct unpack *u)
{
	struct arena scratch = { 0 };

	for (size_t i = 0; i < u->links.n; i++) {
		const struct symlink *link = &u->links.link[i];
		struct str target = symlinks_follow(
		        &u->links, symlinks_target(link, &scratch), &scratch);

		if (target.n)
			take_link(u, link->name, target, true);
		arena_release(&scratch);
	}
}

static void take(struct unpack *u, struct archive_entry *e)
{
	struct str name = entry_name(u, e);
	const char *link = u->lib.archive_entry_hardlink(e);
	size_t n = name.n < sizeof(u->name) ? name.n : sizeof(u->name) - 1;

	if (n)
		memcpy(u->name, name.p, n);
	u->name[n] = '\0';
	if (!link)
		link = u->lib.archive_entry_hardlink_utf8(e);
	if (!link && u->lib.archive_entry_filetype(e) == AE_IFLNK) {
		symlinks_add(&u->links, name, link_target(u, e));
		return;
	}
	if (!link && u->lib.archive_entry_filetype(e) != AE_IFREG)
		return;
	if (!name.n)
		report(u, "", "a member whose name cannot be read is skipped");
	else if (link)
		take_link(u, name, relative(str_of(link)), false);
	else
		take_file(u, name,
		          u->lib.archive_entry_size_is_set(e) &&
		                          u->lib.archive_entry_size(e) > 0
		                  ? (uint64_t)u->lib.archive_entry_size(e)
		                  : 0);
}

/* Reads beyond the end of a tar, to detect whether the gzip stream is truncated. */
static void drain(struct unpack *u)
{
	size_t n = 0, got = u->gunzip != NULL;

	while (got && n < DRAIN_MAX)
		n += got = decompress_gzip_next(u->gunzip).n;
}

/* Returns 1 with the next entry in u->entry, or 0 after the last readable entry. */
static int next_entry(struct unpack *u)
{
	for (int tries = 0; !u->stop && tries < RETRY_MAX; tries++) {
		int r = u->lib.archive_read_next_header2(u->a, u->entry);

		/* A warning only means that the name cannot be converted to the locale. */
		if (r == ARCHIVE_OK || r == ARCHIVE_WARN)
			return 1;
		if (r == ARCHIVE_EOF) {
			drain(u);
			is_cut(u, "after ");
			return 0;
		}
		if (r == ARCHIVE_RETRY)
			continue;
		if (!u->said_cut && !is_cut(u, "after "))
			report_error(u, "after ");
		u->stop = r == ARCHIVE_FATAL;
	}
	return 0;
}

/*
 * Adds a decompressor if it is built into libarchive.  Otherwise libarchive would run an external
 * program.
 */
static void add_filter(struct unpack *u, int (*filter)(struct archive *))
{
	struct archive *trial = u->lib.archive_read_new();

	if (trial && filter(trial) == ARCHIVE_OK)
		filter(u->a);
	u->lib.archive_read_free(trial);
}

static la_ssize_t read_gunzip(struct archive *a, void *ctx, const void **out)
{
	struct unpack *u = ctx;
	struct str got = decompress_gzip_next(u->gunzip);

	(void)a;
	*out = got.p;
	return (la_ssize_t)got.n;
}

static int open_bytes(struct unpack *u, struct str bytes)
{
	struct archive *a = u->a;

	add_filter(u, u->lib.archive_read_support_filter_gzip);
	add_filter(u, u->lib.archive_read_support_filter_bzip2);
	add_filter(u, u->lib.archive_read_support_filter_xz);
	add_filter(u, u->lib.archive_read_support_filter_lzma);
	add_filter(u, u->lib.archive_read_support_filter_zstd);
	add_filter(u, u->lib.archive_read_support_filter_lz4);
	u->lib.archive_read_support_format_tar(a);
	u->lib.archive_read_support_format_zip(a);
	u->lib.archive_read_support_format_7zip(a);
	u->lib.archive_read_support_format_raw(a);
	/* accept empty files, which the raw format does not accept */
	u->lib.archive_read_support_format_empty(a);
	if (decompress_is_gzip(bytes))
		u->gunzip =
		        decompress_gzip_open(bytes, spool_lend(u->spool), SPOOL_MEMORY);
	/*
	 * Sets the callback data here, because archive_read_open does not check whether
	 * libarchive got memory for them.
	 */
	if (u->lib.archive_read_set_callback_data(a, u) != ARCHIVE_OK)
		return ARCHIVE_FATAL;
	if (u->gunzip)
		return u->lib.archive_read_open(a, u, NULL, read_gunzip, NULL);
	return u->lib.archive_read_open_memory(a, bytes.p, bytes.n);
}

/*
 * Returns true if the file is not an archive.  The raw format accepts any file, so a raw file is
 * an archive only if it was decompressed.
 */
static bool is_plain(const struct unpack *u)
{
	return u->lib.archive_format(u->a) == ARCHIVE_FORMAT_RAW && !u->gunzip &&
	       u->lib.archive_filter_count(u->a) < 2;
}

static void read_entries(struct unpack *u)
{
	size_t n = 0;

	while (next_entry(u)) {
		if (n++ == ENTRY_MAX) {
			u->name[0] = '\0';
			diag_warn(u->diag,
			          PRSTR ": more than %d members; the rest is left out",
			          STRARG(u->s->name), ENTRY_MAX);
			break;
		}
		take(u, u->entry);
	}
}

/* Adds an empty member, for an empty compressed file. */
static void add_empty(struct unpack *u)
{
	struct member m = { .off = spool_begin(u->spool) };

	m.name = arena_str(u->s->state->opts.run, inner_name(u->file_name));
	add(u, &m);
}

static bool unpack(struct unpack *u, struct str bytes)
{
	if (!u->a || !u->entry) {
		no_memory(u);
	} else if (open_bytes(u, bytes) != ARCHIVE_OK) {
		report_error(u, "");
	} else if (next_entry(u)) {
		if (is_plain(u))
			return false;
		take(u, u->entry);
		read_entries(u);
	} else if (u->lib.archive_format(u->a) == ARCHIVE_FORMAT_EMPTY && !u->said_cut) {
		add_empty(u);
	}
	return true;
}

struct unpack_call {
	struct unpack *u;
	struct str bytes;
	bool is_archive;
};

static void call_unpack(void *ctx)
{
	struct unpack_call *c = ctx;

	c->is_archive = true;
	c->is_archive = unpack(c->u, c->bytes);
}

/*
 * Unpacks under a guard.  If the library crashes, keeps the members unpacked so far, and does not
 * free the library's handles.
 */
static bool guard_unpack(struct unpack *u, struct str bytes)
{
	struct unpack_call c = { .u = u, .bytes = bytes };
	const struct guard g = { .library = "libarchive",
		                 .file = u->s->name,
		                 .diag = u->diag };

	if (guard_run(&g, call_unpack, &c) == GUARD_CRASHED) {
		u->s->crashed = true;
		u->a = NULL;
		u->entry = NULL;
		u->gunzip = NULL;
	}
	return c.is_archive;
}

const char *archive_load(void)
{
	return library_open(LIBARCHIVE, NULL, 0, NULL);
}

/* Returns false after it has reported an error. */
static bool load(struct unpack *u)
{
	static const char *const names[] = {
#define NAME_OF(name) #name,
		LIBARCHIVE_CALLS(NAME_OF)
#undef NAME_OF
	};
	const char *error =
	        library_open(LIBARCHIVE, names, sizeof(names) / sizeof(*names), &u->lib);

	if (error)
		diag_unread(u->diag, PRSTR ": %s", STRARG(u->s->name), error);
	return !error;
}

bool archive_unpack(struct source *s, struct str bytes, struct str file_name)
{
	struct unpack *u = arena_new(s->state->opts.run, struct unpack, 1);
	locale_t utf8, before = (locale_t)0;
	bool is_archive;

	u->s = s;
	u->diag = s->state->opts.diag;
	u->spool = &s->state->spool;
	u->file_name = file_name;
	u->links.run = s->state->opts.run;
	if (!load(u))
		return true;
	u->a = u->lib.archive_read_new();
	u->entry = u->lib.archive_entry_new();
	/*
	 * libarchive converts names to the locale's character set.  Therefore the thread
	 * uses a UTF-8 locale here.
	 */
	utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	if (utf8)
		before = uselocale(utf8);
	is_archive = guard_unpack(u, bytes);
	if (is_archive)
		follow_links(u);
	u->lib.archive_entry_free(u->entry);
	u->lib.archive_read_free(u->a);
	decompress_gzip_close(u->gunzip);
	if (utf8) {
		uselocale(before);
		freelocale(utf8);
	}
	return is_archive;
}

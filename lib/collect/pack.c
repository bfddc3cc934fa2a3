#include "collect/pack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { HEAD = 2048 /* maximum size of a member's header and padding */, CHUNK = 1 << 16 };

static la_ssize_t write_out(struct archive *archive, void *ctx, const void *bytes,
                            size_t n)
{
	struct out *out = ctx;

	out_write(out, bytes, n);
	if (!out->error)
		return (la_ssize_t)n;
	archive_set_error(archive, out->error, "the archive cannot be written");
	return -1;
}

int pack_open(struct pack *p, struct out *out, uint64_t limit, struct arena *a)
{
	*p = (struct pack){ .archive = archive_write_new(), .out = out, .room = limit };
	intern_init(&p->names, a);
	if (p->archive &&
	    archive_write_set_format_pax_restricted(p->archive) == ARCHIVE_OK &&
	    archive_write_add_filter_gzip(p->archive) == ARCHIVE_OK &&
	    archive_write_set_bytes_in_last_block(p->archive, 1) == ARCHIVE_OK &&
	    archive_write_open(p->archive, out, NULL, write_out, NULL) == ARCHIVE_OK)
		return 0;
	archive_write_free(p->archive);
	errno = ENOMEM;
	return -1;
}

static bool *held(struct pack *p, struct str name)
{
	str_id id = intern(&p->names, name);

	arena_fit(p->names.arena, p->held, (size_t)id + 1, p->held_cap);
	return &p->held[id];
}

bool pack_holds(struct pack *p, struct str name)
{
	return *held(p, name);
}

static enum pack_result begin(struct pack *p, struct str name, uint64_t n, bool free)
{
	struct archive_entry *entry;
	struct str path =
	        arena_fmt(p->names.arena, "./%s", arena_str(p->names.arena, name).p);

	if (p->failed || p->out->error)
		return PACK_FAILED;
	if (!free && (p->room < HEAD || p->room - HEAD < n))
		return PACK_FULL;
	entry = archive_entry_new();
	if (!entry)
		return PACK_FAILED;
	archive_entry_copy_pathname(entry, path.p);
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_perm(entry, S_IRUSR | S_IWUSR);
	archive_entry_set_size(entry, (la_int64_t)n);
	archive_entry_set_mtime(entry, time(NULL), 0);
	archive_entry_set_uid(entry, geteuid());
	archive_entry_set_gid(entry, getegid());
	p->failed = archive_write_header(p->archive, entry) < ARCHIVE_WARN;
	archive_entry_free(entry);
	p->room -= free ? 0 : n + HEAD;
	*held(p, name) = true;
	return p->failed ? PACK_FAILED : PACK_DONE;
}

static bool put(struct pack *p, const char *bytes, size_t n)
{
	while (n && !p->failed) {
		la_ssize_t put = archive_write_data(p->archive, bytes, n);

		p->failed = put <= 0;
		bytes += p->failed ? 0 : put;
		n -= p->failed ? 0 : (size_t)put;
	}
	return !p->failed;
}

static enum pack_result end(struct pack *p)
{
	if (!p->failed && archive_write_finish_entry(p->archive) < ARCHIVE_WARN)
		p->failed = true;
	return p->failed ? PACK_FAILED : PACK_DONE;
}

enum pack_result pack_bytes(struct pack *p, struct str name, struct str bytes)
{
	enum pack_result got = begin(p, name, bytes.n, false);

	if (got != PACK_DONE)
		return got;
	put(p, bytes.p, bytes.n);
	return end(p);
}

enum pack_result pack_file(struct pack *p, struct str name, int fd, uint64_t n, bool free)
{
	enum pack_result got = begin(p, name, n, free);
	char chunk[CHUNK];
	uint64_t at = 0;

	if (got != PACK_DONE)
		return got;
	while (at < n) {
		size_t most = n - at < CHUNK ? (size_t)(n - at) : CHUNK;
		ssize_t some = pread(fd, chunk, most, (off_t)at);

		if (some < 0 && errno == EINTR)
			continue;
		if (some <= 0 || !put(p, chunk, (size_t)some)) {
			p->failed = true;
			break;
		}
		at += (uint64_t)some;
	}
	return end(p);
}

int pack_close(struct pack *p)
{
	bool failed = p->failed;

	if (archive_write_close(p->archive) != ARCHIVE_OK)
		failed = true;
	p->written = (uint64_t)archive_filter_bytes(p->archive, -1);
	archive_write_free(p->archive);
	p->archive = NULL;
	return failed || p->out->error ? -1 : 0;
}

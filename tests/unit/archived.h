/*
 * archived - what tests of archives share: a folder of their own, archives made by
 * libarchive, and a look that knows files which begin with "text" or "whole".
 */
#ifndef TESTS_ARCHIVED_H
#define TESTS_ARCHIVED_H

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "source/stream.h"

/* Where each test lives; files are named in it without a directory. */
static char place[64];
static struct arena run;
static struct diag diag;
static struct source_opts opts;

/* Ours are files that begin with "text", streamed, or "whole". */
static inline enum source_look look(struct str name, struct str head)
{
	(void)name;
	if (str_starts(head, STR("text")))
		return LOOK_STREAM;
	return str_starts(head, STR("whole")) ? LOOK_WHOLE : LOOK_NOTHING;
}

static inline int enter(void **state)
{
	(void)state;
	strcpy(place, "/tmp/archive-XXXXXX");
	diag = (struct diag){ .prog = "archive", .limit = 0 };
	opts = (struct source_opts){
		.look = look, .is_profile = true, .run = &run, .diag = &diag
	};
	return mkdtemp(place) && chdir(place) == 0 ? 0 : -1;
}

static inline int unlink_one(const char *path, const struct stat *sb, int flag,
                             struct FTW *at)
{
	(void)sb, (void)flag, (void)at;
	return remove(path);
}

static inline int leave(void **state)
{
	(void)state;
	unsetenv("TMPDIR");
	arena_release(&run);
	return chdir("/") || nftw(place, unlink_one, 16, FTW_DEPTH | FTW_PHYS);
}

static inline void put_file(const char *path, struct str bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes.p ? bytes.p : "", bytes.n), bytes.n);
	close(fd);
}

static inline struct str get_file(const char *path)
{
	struct stat sb;
	int fd = open(path, O_RDONLY);
	char *p;

	assert_true(fd >= 0 && fstat(fd, &sb) == 0);
	p = arena_new(&run, char, (size_t)sb.st_size + 1);
	assert_int_equal(read(fd, p, (size_t)sb.st_size), sb.st_size);
	close(fd);
	return (struct str){ p, (size_t)sb.st_size };
}

/* n bytes of lines that all differ, so that no piece can stand for another. */
static inline struct str lines(const char *first, size_t n)
{
	char *p = arena_new(&run, char, n + 32);
	size_t at = (size_t)sprintf(p, "%s\n", first);

	for (unsigned i = 0; at < n; i++)
		at += (size_t)sprintf(p + at, "%u\n", i * 2654435761u);
	return (struct str){ p, n };
}

static inline struct archive *begin(const char *path, int (*format)(struct archive *),
                                    int (*filter)(struct archive *))
{
	struct archive *a = archive_write_new();

	assert_int_equal(format(a), ARCHIVE_OK);
	if (filter)
		assert_int_equal(filter(a), ARCHIVE_OK);
	archive_write_set_bytes_in_last_block(a, 1);
	assert_int_equal(archive_write_open_filename(a, path), ARCHIVE_OK);
	return a;
}

static inline void put(struct archive *a, const char *name, unsigned type,
                       const char *link, struct str bytes)
{
	struct archive_entry *e = archive_entry_new();

	archive_entry_set_pathname(e, name);
	archive_entry_set_filetype(e, type ? type : AE_IFREG);
	archive_entry_set_perm(e, 0644);
	archive_entry_set_size(e, (la_int64_t)bytes.n);
	if (link && type == AE_IFLNK)
		archive_entry_set_symlink(e, link);
	else if (link)
		archive_entry_set_hardlink(e, link);
	assert_int_equal(archive_write_header(a, e), ARCHIVE_OK);
	if (bytes.n)
		assert_int_equal(archive_write_data(a, bytes.p, bytes.n), bytes.n);
	archive_entry_free(e);
}

static inline void end(struct archive *a)
{
	assert_int_equal(archive_write_close(a), ARCHIVE_OK);
	archive_write_free(a);
}

static inline struct source *must_open(const char *path)
{
	struct source *s = source_open(path, &opts);

	assert_non_null(s);
	return s;
}

static inline void expect_name(struct source *s, size_t i, const char *name)
{
	assert_true(i < s->n);
	assert_string_equal(arena_str(&run, s->members[i].name).p, name);
}

/* Head, map and stream of a member agree, and are these bytes. */
static inline void expect_bytes(struct source *s, size_t i, struct str want)
{
	struct str map = source_map(s, i), got;
	struct stream *st = stream_open(s, i);

	assert_non_null(map.p);
	assert_true(str_eq(map, want));
	assert_true(str_eq(source_head(s, i), str_head(want, SOURCE_HEAD)));
	assert_int_equal(s->members[i].size, want.n);
	assert_non_null(st);
	while ((got = stream_ahead(st, 1)).n) {
		assert_true(str_starts(want, got));
		want = str_from(want, got.n);
		stream_consume(st, got.n);
	}
	assert_int_equal(want.n, 0);
	assert_null(stream_error(st));
	stream_close(st);
}

#endif

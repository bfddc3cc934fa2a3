/*
 * sessionmade - what symbol/text works with, made by the test: sources that hold files of
 * ours, and processes that map what the test says.
 */
#ifndef TESTS_SESSIONMADE_H
#define TESTS_SESSIONMADE_H

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "given.h"
#include "symbol/session.h"

enum { PID = 7, SOURCES_MADE = 8 };

static struct session session;
static struct diag diag;
static struct member member_made[SOURCES_MADE];
static struct source source_made[SOURCES_MADE];
static size_t sources_made;

static void session_made(void)
{
	session = (struct session){ .only_pid = -1, .diag = &diag };
	diag = (struct diag){ .prog = "text", .quiet = true };
	sources_made = 0;
	intern_init(&session.names, &session.run);
	locate_init(&session.locator, &session.run, &session.names);
	session.ps = process_new(&session.run, &session.names);
	session.binder = bind_new(&session.locator, &session.run, &diag);
}

static void session_over(void)
{
	bind_close(session.binder);
	locate_close(&session.locator);
	arena_release(&session.run);
}

static inline str_id name_of(const char *name)
{
	return intern(&session.names, str_of(name));
}

/* A source that is one file, called so. */
static inline struct item *add_file(const char *name, struct str bytes)
{
	size_t i = sources_made++;

	assert_true(i < SOURCES_MADE);
	member_made[i] = (struct member){
		.name = str_of(name), .size = bytes.n, .map = bytes, .head = bytes
	};
	source_made[i] = (struct source){ .name = str_of(name),
		                          .members = &member_made[i],
		                          .n = 1 };
	locate_add(&session.locator, &source_made[i], false, SIZE_MAX);
	return &session.locator.item[session.locator.n - 1];
}

/* n files in directories of their own, which are called so and begin with these bytes. */
static inline void add_files(size_t n, const char *name, struct str bytes)
{
	struct member *m = arena_new(&session.run, struct member, n);
	struct source *s = arena_new(&session.run, struct source, 1);

	for (size_t i = 0; i < n; i++)
		m[i] = (struct member){ .name = arena_fmt(&session.run, "%zu/%s", i,
			                                  name),
			                .size = bytes.n,
			                .map = bytes,
			                .head = bytes };
	*s = (struct source){ .kind = SOURCE_ARCHIVE, .members = m, .n = n };
	locate_add(&session.locator, s, false, SIZE_MAX);
}

/* From now on messages are kept, until session_said() returns them. */
static inline void session_hear(void)
{
	diag.quiet = false;
	diag.limit = 10;
	hear();
}

static inline const char *session_said(void)
{
	diag.quiet = true;
	return heard(&session.run);
}

static inline void map_file(uint64_t start, uint64_t len, uint64_t file_off,
                            const char *path)
{
	struct event ev = { .kind = EV_MMAP, .pid = PID, .tid = PID };

	ev.map = (struct mmap_event){ .start = start,
		                      .len = len,
		                      .file_off = file_off,
		                      .prot = 5,
		                      .path = str_of(path),
		                      .cpumode = MODE_USER };
	process_apply(session.ps, &ev);
}

#endif

/*
 * textmade - a reader over a text of ours, which must be of the format `wanted`.
 */
#ifndef TESTS_TEXTMADE_H
#define TESTS_TEXTMADE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "given.h"
#include "reader/perftext/perfscript.h"

static struct arena run;
static struct diag diag = { .prog = "textmade" };
static struct source *source;
static struct reader *reader;
static struct event ev;
static const struct traits *wanted;

static enum source_look look(struct str name, struct str head)
{
	(void)name;
	return reader_bid(head) == wanted ? LOOK_STREAM : LOOK_NOTHING;
}

static int enter(void **state)
{
	(void)state;
	diag = (struct diag){ .prog = "textmade" };
	return 0;
}

static void shut(void)
{
	reader_close(reader);
	source_close(source);
	given_none();
	reader = NULL;
	source = NULL;
}

static int leave(void **state)
{
	(void)state;
	shut();
	arena_release(&run);
	return 0;
}

/* NULL is standard input. */
static void over(const char *path)
{
	struct source_opts opts = {
		.look = look, .is_profile = true, .run = &run, .diag = &diag
	};

	source = source_open(path, &opts);
	assert_non_null(source);
	reader = reader_open(source, 0, &run, &diag);
	assert_non_null(reader);
	assert_ptr_equal(reader_traits(reader), wanted);
}

/* A test may look at several texts. */
static void over_bytes(struct str bytes)
{
	shut();
	over(given(&run, bytes));
}

static inline void over_text(const char *text)
{
	over_bytes(str_of(text));
}

#endif

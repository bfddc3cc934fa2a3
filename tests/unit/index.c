/* What a directory holds, from the cache: always what is there. */
#include "source/index.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "given.h"
#include "ranges.h"

static struct arena run;
static struct diag diag = { .prog = "index" };
static struct cache cache;
static char top[256];

static enum source_look nothing(struct str name, struct str head)
{
	(void)name;
	(void)head;
	return LOOK_NOTHING;
}

__attribute__((format(printf, 1, 2))) static void sh(const char *fmt, ...)
{
	char command[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(command, sizeof(command), fmt, ap);
	va_end(ap);
	assert_int_equal(system(command), 0);
}

static int enter(void **state)
{
	const char *dir = getenv("TMPDIR");

	(void)state;
	snprintf(top, sizeof(top), "%s/index-XXXXXX", dir ? dir : "/tmp");
	assert_non_null(mkdtemp(top));
	sh("cd %s && mkdir cache all all/a all/b all/a/c outside && echo 1 >all/one && "
	   "echo 22 >all/a/two && echo 333 >all/a/c/three && echo 4444 >outside/four && "
	   "ln -s a/two all/link && ln -s ../a all/b/dir && ln -s ../outside all/out && "
	   "ln -s nowhere all/dangling && ln -s %s/outside/hop all/hop && "
	   "ln -s %s/all/one outside/hop",
	   top, top, top);
	assert_true(cache_open(&cache, arena_fmt(&run, "%s/cache", top).p, 1 << 20));
	usleep(150000); /* what is younger is not kept */
	return 0;
}

static int leave(void **state)
{
	(void)state;
	cache_close(&cache);
	sh("rm -rf %s", top);
	arena_release(&run);
	return 0;
}

static struct source *open_all(bool cached)
{
	struct source_opts opts = { .look = nothing,
		                    .run = &run,
		                    .diag = &diag,
		                    .cache = cached ? &cache : NULL };
	struct source *s = source_open(arena_fmt(&run, "%s/all", top).p, &opts);

	assert_non_null(s);
	return s;
}

/* The number of bytes of a file, as who opened the source would tell what it is. */
static size_t note_all(struct source *s)
{
	size_t told = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (s->members[i].note)
			continue;
		s->members[i].note = (uint8_t)source_head(s, i).n;
		source_note_id(s, i, STR("id"));
		told++;
	}
	return told;
}

/* From the cache as without it; how many files were not known from before. */
static size_t all_is_as_it_is(void)
{
	struct source *is = open_all(false), *s = open_all(true);
	size_t told = note_all(s);

	note_all(is);
	assert_int_equal(s->n, is->n);
	for (size_t i = 0; i < s->n; i++) {
		struct str id;

		assert_true(str_eq(s->members[i].name, is->members[i].name));
		assert_int_equal(s->members[i].size, is->members[i].size);
		assert_int_equal(s->members[i].depth, is->members[i].depth);
		assert_int_equal(s->members[i].note, is->members[i].note);
		assert_true(source_noted_id(s, i, &id) && str_eq(id, STR("id")));
		assert_true(str_eq(source_map(s, i), source_map(is, i)));
	}
	source_close(s);
	source_close(is);
	return told;
}

static void settle(void)
{
	usleep(150000);
}

static void what_did_not_change_is_known(void **state)
{
	size_t n;

	(void)state;
	n = all_is_as_it_is();
	assert_int_equal(n, 7);
	assert_int_equal(all_is_as_it_is(), 0);
	assert_int_equal(all_is_as_it_is(), 0);
}

static void every_change_is_seen(void **state)
{
	static const struct {
		const char *command;
		size_t told; /* files that must be looked at again */
	} changes[] = {
		{ "echo 55555 >all/a/c/five", 2 }, /* by two ways */
		{ "echo 1 more >all/one", 2 },     /* and by the link */
		{ "echo 2 >all/one", 2 },          /* of the same length */
		{ "rm all/a/c/three", 0 },
		{ "mv all/a/two all/b/moved", 1 }, /* its time changes as well */
		{ "ln -sfn a/c all/link", 1 },
		{ "rm all/dangling && ln -s one all/dangling", 1 },
		{ "echo 6 >all/nowhere", 1 },
		{ "ln -sf ../all/b/moved outside/hop", 1 }, /* a link far away */
		{ "ln -sf four outside/hop", 0 },           /* now it leads outside */
		{ "ln -sf ../all/one outside/hop", 1 },
		{ "mv all/a/c all/b/c", 1 },
		{ "rm -r all/b", 0 },
		{ "echo 7 >all/tmp && mv all/tmp all/one", 3 },
		{ "mv all old && cp -a old all", 3 },
	};

	(void)state;
	all_is_as_it_is();
	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		size_t told;

		sh("cd %s && %s", top, changes[i].command);
		settle();
		told = all_is_as_it_is();
		if (told < changes[i].told)
			fail_msg("%s: %zu files were told again, not %zu",
			         changes[i].command, told, changes[i].told);
		assert_int_equal(all_is_as_it_is(), 0);
	}
}

/* Within one tick of the clock a second change does not show. */
static void what_is_young_is_told_each_time(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++) {
		sh("echo %d >%s/all/one && echo %d >%s/all/new%d", i, top, i, top, i);
		assert_within(all_is_as_it_is(), 3, 20);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_did_not_change_is_known, enter,
		                                leave),
		cmocka_unit_test_setup_teardown(every_change_is_seen, enter, leave),
		cmocka_unit_test_setup_teardown(what_is_young_is_told_each_time, enter,
		                                leave),
	};

	return cmocka_run_group_tests_name("index", tests, NULL, NULL);
}

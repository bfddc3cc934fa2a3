/* Kept archives: what is written is read again, and nothing else is. */
#include "source/keep.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "given.h"
#include "source/state.h"

static struct arena run;
static struct diag diag;
static struct source source;
static struct source_state state_;
static struct member members[3];
static char dir[256];
static const struct keep_key key = { 1, 2, 3, 4, 5, 6 };

static void empty_source(void)
{
	source = (struct source){ .name = STR("test"), .state = &state_ };
	state_ = (struct source_state){ .fd = -1 };
	state_.opts = (struct source_opts){
		.cache = dir, .cache_max = 1 << 20, .run = &run, .diag = &diag
	};
	spool_init(&state_.spool, 0);
}

static int enter(void **state)
{
	const char *top = getenv("TMPDIR");

	(void)state;
	snprintf(dir, sizeof(dir), "%s/keep-XXXXXX", top ? top : "/tmp");
	assert_non_null(mkdtemp(dir));
	empty_source();
	return 0;
}

static int leave(void **state)
{
	DIR *d = opendir(dir);
	struct dirent *e;

	(void)state;
	spool_close(&state_.spool);
	while ((e = readdir(d)) != NULL)
		unlinkat(dirfd(d), e->d_name, 0);
	closedir(d);
	rmdir(dir);
	arena_release(&run);
	return 0;
}

static size_t entries(void)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	size_t n = 0;

	while ((e = readdir(d)) != NULL)
		n += e->d_name[0] != '.';
	closedir(d);
	return n;
}

/* Two members and one without bytes, as an archive leaves them. */
static void fill(void)
{
	static const char *const text[] = { "first bytes", "second", "" };
	static const char *const name[] = { "a", "dir/b", "empty" };

	for (size_t i = 0; i < 3; i++) {
		struct member *m = &members[i];

		*m = (struct member){ .name = str_of(name[i]) };
		m->off = spool_begin(&state_.spool);
		m->size = strlen(text[i]);
		m->linked = i == 1;
		assert_int_equal(spool_put(&state_.spool, m->off, str_of(text[i])), 0);
	}
	assert_int_equal(spool_map(&state_.spool), 0);
	for (size_t i = 0; i < 3; i++)
		members[i].map =
		        spool_bytes(&state_.spool, members[i].off, members[i].size);
	source.members = members;
	source.n = 3;
}

static void has_members(void)
{
	const struct member *m = source.members;

	assert_int_equal(source.n, 3);
	assert_true(str_eq(m[1].name, STR("dir/b")));
	assert_true(str_eq(spool_bytes(&state_.spool, m[0].off, m[0].size),
	                   STR("first bytes")));
	assert_true(
	        str_eq(spool_bytes(&state_.spool, m[1].off, m[1].size), STR("second")));
	assert_int_equal(m[2].size, 0);
	assert_false(m[0].linked);
	assert_true(m[1].linked);
}

static void store(void)
{
	fill();
	keep_store(&source, &key);
	spool_close(&state_.spool);
	empty_source();
}

static void what_was_kept_comes_back(void **state)
{
	(void)state;
	assert_false(keep_load(&source, &key));
	store();
	assert_int_equal(entries(), 1);
	assert_true(keep_load(&source, &key));
	has_members();
}

static void another_archive_is_not_it(void **state)
{
	uint64_t other[6];

	(void)state;
	store();
	for (size_t i = 0; i < 6; i++) {
		memcpy(other, &key, sizeof(other));
		other[i]++;
		assert_false(keep_load(&source, (const struct keep_key *)other));
	}
}

static void every_damage_is_seen(void **state)
{
	struct str entry;
	char *bytes;

	(void)state;
	store();
	assert_true(keep_load(&source, &key));
	entry = arena_str(&run, state_.spool.map);
	bytes = (char *)(uintptr_t)entry.p;
	for (size_t i = 0; i < entry.n; i++) {
		/* What lies between the members is nobody's. */
		bool used = i < 400 || (i >= 4096 && i < 4096 + 11) ||
		            (i >= 8192 && i < 8192 + 6);

		bytes[i] ^= 0x41;
		if (i < 96 + 3 * 40 + 24 || (used && i >= 4096))
			assert_false(keep_read(&source, entry, &key));
		bytes[i] ^= 0x41;
	}
	for (size_t n = 0; n < entry.n; n++)
		assert_false(keep_read(&source, str_head(entry, n), &key));
	assert_true(keep_read(&source, entry, &key));
}

static void the_least_used_make_room(void **state)
{
	struct keep_key other = key;

	(void)state;
	for (other.ino = 0; other.ino < 6; other.ino++) {
		fill();
		/* An entry takes three pages or a few more. */
		state_.opts.cache_max = 4 * 16384;
		keep_store(&source, &other);
		spool_close(&state_.spool);
		empty_source();
		usleep(20000);
	}
	assert_in_range(entries(), 1, 5);
	other.ino = 5;
	assert_true(keep_load(&source, &other));
	spool_close(&state_.spool);
	empty_source();
	other.ino = 0;
	assert_false(keep_load(&source, &other));
}

static void what_is_not_whole_is_not_kept(void **state)
{
	(void)state;
	fill();
	members[1].cut = true;
	keep_store(&source, &key);
	assert_int_equal(entries(), 0);
	members[1].cut = false;
	members[2].absent = true;
	keep_store(&source, &key);
	assert_int_equal(entries(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_was_kept_comes_back, enter, leave),
		cmocka_unit_test_setup_teardown(another_archive_is_not_it, enter, leave),
		cmocka_unit_test_setup_teardown(every_damage_is_seen, enter, leave),
		cmocka_unit_test_setup_teardown(the_least_used_make_room, enter, leave),
		cmocka_unit_test_setup_teardown(what_is_not_whole_is_not_kept, enter,
		                                leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Kept archives: what is written is read again, and nothing else is. */
#include "source/archive_cache.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "given.h"
#include "ranges.h"
#include "source/source_private.h"

static struct arena run;
static struct diag diag = { .prog = "archive_cache" };
static struct source source;
static struct source_state state_;
static struct member members[3];
static char dir[256];
static struct cache cache;
static const struct archive_cache_key key = { { 1, 2, 3, 4, 5 }, 0, "name" };

static void empty_source(void)
{
	source = (struct source){ .name = STR("test"), .state = &state_ };
	state_ = (struct source_state){ .fd = -1 };
	state_.opts = (struct source_opts){ .cache = &cache, .run = &run, .diag = &diag };
	spool_init(&state_.spool, 0, NULL);
}

static int enter(void **state)
{
	const char *top = getenv("TMPDIR");

	(void)state;
	snprintf(dir, sizeof(dir), "%s/keep-XXXXXX", top ? top : "/tmp");
	assert_non_null(mkdtemp(dir));
	assert_true(cache_open(&cache, dir, 1 << 20));
	empty_source();
	return 0;
}

static int leave(void **state)
{
	DIR *d = opendir(dir);
	struct dirent *e;

	(void)state;
	spool_close(&state_.spool);
	cache_close(&cache);
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
		n += e->d_name[1] == '-';
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

static bool holds(size_t i, const char *text)
{
	struct member *m = &source.members[i];
	struct str head = archive_cache_head(&source, m);

	return str_eq(head, str_of(text)) && !m->map.p &&
	       str_eq(archive_cache_bytes(&source, m), str_of(text)) && m->map.p;
}

static void has_members(void)
{
	const struct member *m = source.members;

	assert_int_equal(source.n, 3);
	assert_true(str_eq(m[1].name, STR("dir/b")));
	assert_true(holds(0, "first bytes"));
	assert_true(holds(1, "second"));
	assert_true(holds(2, ""));
	assert_false(m[0].linked);
	assert_true(m[1].linked);
}

static void store(void)
{
	fill();
	archive_cache_store(&source, &key);
	spool_close(&state_.spool);
	empty_source();
}

static void what_was_kept_comes_back(void **state)
{
	(void)state;
	assert_false(archive_cache_load(&source, &key));
	store();
	assert_int_equal(entries(), 1);
	assert_true(archive_cache_load(&source, &key));
	has_members();
}

static void another_archive_is_not_it(void **state)
{
	struct archive_cache_key other;

	(void)state;
	store();
	for (size_t i = 0; i < sizeof(other); i++) {
		memcpy(&other, &key, sizeof(other));
		((char *)&other)[i]++;
		assert_false(archive_cache_load(&source, &other));
	}
}

static struct str read_entry(struct cache_name *name)
{
	assert_true(archive_cache_load(&source, &key));
	*name = state_.kept_as;
	return arena_str(&run, state_.spool.map);
}

static void every_damage_of_the_front_is_seen(void **state)
{
	struct cache_name name;
	struct str entry, front;
	char *bytes;

	(void)state;
	store();
	entry = read_entry(&name);
	bytes = (char *)(uintptr_t)entry.p;
	assert_true(cache_check(&cache, entry, &name, &front));
	for (size_t i = 0; i < CACHE_HEAD + front.n; i++) {
		bytes[i] ^= 0x41;
		assert_false(cache_check(&cache, entry, &name, &front));
		bytes[i] ^= 0x41;
	}
	for (size_t n = 0; n < entry.n; n++)
		assert_false(cache_check(&cache, str_head(entry, n), &name, &front));
	assert_true(cache_check(&cache, entry, &name, &front));
	for (size_t n = 0; n < front.n; n++)
		assert_false(archive_cache_read(&source, entry, str_head(front, n)));
}

/* Without the archive, which is no file here, what is damaged is not there. */
static void damage_of_a_member_is_seen(void **state)
{
	struct cache_name name;
	struct str entry;

	(void)state;
	for (size_t at = 0; at < 11; at++) {
		store();
		entry = read_entry(&name);
		assert_true(source.n == 3);
		((char *)(uintptr_t)entry.p)[source.members[0].off + at] ^= 1;
		spool_close(&state_.spool);
		state_.spool.map = entry;
		source.name = STR("/dev/null/archive");
		diag.quiet = true;
		assert_true(holds(1, "second"));
		if (at % 2)
			assert_null(source_head(&source, 0).p);
		else
			assert_null(source_map(&source, 0).p);
		assert_true(source.members[0].absent);
		assert_true(str_eq(source.members[1].map, STR("second")));
		assert_int_equal(entries(), 0);
		state_.spool.map = (struct str){ 0 };
		empty_source();
	}
}

static void the_least_used_make_room(void **state)
{
	struct archive_cache_key other = key;

	(void)state;
	/* An entry takes a page or a few more. */
	cache.max = 4 * 4096;
	for (other.file.ino = 0; other.file.ino < 6; other.file.ino++) {
		fill();
		archive_cache_store(&source, &other);
		spool_close(&state_.spool);
		empty_source();
		usleep(20000);
	}
	assert_within(entries(), 1, 5);
	other.file.ino = 5;
	assert_true(archive_cache_load(&source, &other));
	spool_close(&state_.spool);
	empty_source();
	other.file.ino = 0;
	assert_false(archive_cache_load(&source, &other));
}

static void what_is_not_whole_is_not_kept(void **state)
{
	(void)state;
	fill();
	members[1].cut = true;
	archive_cache_store(&source, &key);
	assert_int_equal(entries(), 0);
	members[1].cut = false;
	members[2].absent = true;
	archive_cache_store(&source, &key);
	assert_int_equal(entries(), 0);
}

enum { LARGE = 100000 };

/* One member, which is large, of the archive that key tells. */
static void store_large(const struct archive_cache_key *of)
{
	static char bytes[LARGE];

	memset(bytes, 'x', sizeof(bytes));
	members[0] = (struct member){ .name = STR("large"), .size = LARGE };
	members[0].off = spool_begin(&state_.spool);
	assert_int_equal(
	        spool_put(&state_.spool, members[0].off, (struct str){ bytes, LARGE }),
	        0);
	assert_int_equal(spool_map(&state_.spool), 0);
	members[0].map = spool_bytes(&state_.spool, members[0].off, LARGE);
	source.members = members;
	source.n = 1;
	archive_cache_store(&source, of);
	spool_close(&state_.spool);
	empty_source();
}

static bool has_large(const struct archive_cache_key *of)
{
	bool good = archive_cache_load(&source, of) && source.n == 1 &&
	            archive_cache_head(&source, source.members).n == SOURCE_HEAD &&
	            archive_cache_bytes(&source, source.members).n == LARGE &&
	            source.members->map.p[LARGE - 1] == 'x';

	archive_cache_close(&source);
	spool_close(&state_.spool);
	empty_source();
	return good;
}

static void what_two_archives_hold_is_kept_once(void **state)
{
	struct archive_cache_key other = key;

	(void)state;
	other.file.ino++;
	store_large(&key);
	assert_int_equal(entries(), 2);
	store_large(&other);
	assert_int_equal(entries(), 3);
	assert_true(has_large(&key));
	assert_true(has_large(&other));
}

static void large_members_may_be_damaged_or_gone(void **state)
{
	char command[400];

	(void)state;
	store_large(&key);
	snprintf(command, sizeof(command),
	         "for m in %s/m-*; do printf 0 | dd of=$m bs=1 seek=90000 conv=notrunc "
	         "2>/dev/null; done",
	         dir);
	assert_int_equal(system(command), 0);
	source.name = STR("/dev/null/archive");
	assert_false(has_large(&key));
	assert_int_equal(entries(), 0);
	store_large(&key);
	assert_true(has_large(&key));
	snprintf(command, sizeof(command), "rm %s/m-*", dir);
	assert_int_equal(system(command), 0);
	source.name = STR("/dev/null/archive");
	assert_false(has_large(&key));
}

static void another_key_is_another_cache(void **state)
{
	char path[300];

	(void)state;
	store();
	cache_close(&cache);
	snprintf(path, sizeof(path), "%s/key", dir);
	assert_int_equal(truncate(path, 100), 0);
	assert_true(cache_open(&cache, dir, 1 << 20));
	assert_false(archive_cache_load(&source, &key));
	store();
	assert_true(archive_cache_load(&source, &key));
	has_members();
}

/* Of any two bits, of any length, sums differ. */
static void sums_tell_bytes_apart(void **state)
{
	static char bytes[5000];
	struct cache_sum all = cache_sum(&cache, (struct str){ bytes, sizeof(bytes) });

	(void)state;
	for (size_t i = 0; i < sizeof(bytes); i++) {
		struct cache_sum other;

		bytes[i] ^= 1;
		other = cache_sum(&cache, (struct str){ bytes, sizeof(bytes) });
		assert_true(other.a != all.a && other.b != all.b);
		bytes[i] ^= 1;
		other = cache_sum(&cache, (struct str){ bytes, i });
		assert_true(other.a != all.a && other.b != all.b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_was_kept_comes_back, enter, leave),
		cmocka_unit_test_setup_teardown(another_archive_is_not_it, enter, leave),
		cmocka_unit_test_setup_teardown(every_damage_of_the_front_is_seen, enter,
		                                leave),
		cmocka_unit_test_setup_teardown(damage_of_a_member_is_seen, enter, leave),
		cmocka_unit_test_setup_teardown(the_least_used_make_room, enter, leave),
		cmocka_unit_test_setup_teardown(what_is_not_whole_is_not_kept, enter,
		                                leave),
		cmocka_unit_test_setup_teardown(what_two_archives_hold_is_kept_once,
		                                enter, leave),
		cmocka_unit_test_setup_teardown(large_members_may_be_damaged_or_gone,
		                                enter, leave),
		cmocka_unit_test_setup_teardown(another_key_is_another_cache, enter,
		                                leave),
		cmocka_unit_test_setup_teardown(sums_tell_bytes_apart, enter, leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

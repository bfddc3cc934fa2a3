/* Bytes in memory and in a file: where they are must not be seen. */
#include "source/spool.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"

enum { MIB = 1 << 20, OUTGROWS_MEMORY = 33 * MIB };

static struct arena run;
static struct spool sp;

static int enter(void **state)
{
	(void)state;
	unsetenv("TMPDIR");
	spool_init(&sp, 0, NULL);
	return 0;
}

static int leave(void **state)
{
	(void)state;
	spool_close(&sp);
	arena_release(&run);
	return 0;
}

static struct str made(size_t n, unsigned seed)
{
	char *p = arena_new(&run, char, n);

	for (size_t i = 0; i < n; i++)
		p[i] = (char)((i + seed) * 2654435761u >> 24);
	return (struct str){ p, n };
}

static uint64_t put(struct str bytes)
{
	uint64_t at = spool_begin(&sp);

	assert_int_equal(at % 4096, 0);
	assert_int_equal(spool_put(&sp, at, bytes), 0);
	return at;
}

static void expect(uint64_t at, struct str bytes)
{
	assert_true(str_eq(spool_bytes(&sp, at, bytes.n), bytes));
}

static void little_and_much_keep_their_bytes(void **state)
{
	struct str a = made(5000, 1), b = made(OUTGROWS_MEMORY, 2), c = made(7000, 3);
	uint64_t at[3];

	(void)state;
	at[0] = put(a);
	assert_int_equal(sp.fd, -1);
	at[1] = put(b);
	at[2] = put(c);
	assert_true(sp.fd >= 0);
	assert_int_equal(spool_map(&sp), 0);
	expect(at[0], a);
	expect(at[1], b);
	expect(at[2], c);
	/* Between them is nothing. */
	assert_int_equal(spool_bytes(&sp, at[0] + a.n, 1).p[0], 0);
}

static void much_in_pieces_moves_once(void **state)
{
	struct str piece = made(MIB, 4);

	(void)state;
	for (uint64_t i = 0; i < 40; i++)
		assert_int_equal(spool_put(&sp, i * MIB, piece), 0);
	assert_int_equal(spool_map(&sp), 0);
	for (uint64_t i = 0; i < 40; i++)
		expect(i * MIB, piece);
}

static void dropped(bool file)
{
	struct str a = made(5000, 5), b = made(6000, 6), zeros;
	uint64_t at;

	sp.no_memory = file;
	put(a);
	at = put(made(9000, 7));
	spool_drop(&sp, at);
	assert_int_equal(sp.end, at);
	/* A gap where it was reads as zeros. */
	assert_int_equal(spool_put(&sp, at + 4096, b), 0);
	assert_int_equal(spool_map(&sp), 0);
	expect(0, a);
	expect(at + 4096, b);
	zeros = (struct str){ arena_new(&run, char, 4096), 4096 };
	expect(at, zeros);
	assert_int_equal(sp.fd >= 0, file);
}

static void what_is_dropped_is_gone_from_memory(void **state)
{
	(void)state;
	dropped(false);
}

static void what_is_dropped_is_gone_from_a_file(void **state)
{
	(void)state;
	dropped(true);
}

static void only_much_needs_a_directory(void **state)
{
	struct str little = STR("text\n");

	(void)state;
	setenv("TMPDIR", "/dev/null/none", 1);
	put(little);
	assert_int_equal(spool_put(&sp, 4096, made(OUTGROWS_MEMORY, 8)), -1);
	assert_int_equal(errno, ENOTDIR);
	assert_int_equal(spool_map(&sp), 0);
	expect(0, little);
}

static void the_file_has_no_name(void **state)
{
	char dir[] = "/tmp/spool-XXXXXX";

	(void)state;
	assert_non_null(mkdtemp(dir));
	setenv("TMPDIR", dir, 1);
	sp.no_memory = true;
	put(STR("text\n"));
	assert_true(sp.fd >= 0);
	assert_int_equal(rmdir(dir), 0);
	assert_int_equal(spool_map(&sp), 0);
	expect(0, STR("text\n"));
}

static void the_bound_holds_in_memory(void **state)
{
	(void)state;
	spool_init(&sp, 5000, NULL);
	put(made(4000, 9));
	assert_int_equal(spool_put(&sp, 4096, made(905, 10)), -1);
	assert_int_equal(errno, EFBIG);
	assert_int_equal(spool_put(&sp, 4096, made(904, 10)), 0);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, enter, leave)
	const struct CMUnitTest tests[] = {
		TEST(little_and_much_keep_their_bytes),
		TEST(much_in_pieces_moves_once),
		TEST(what_is_dropped_is_gone_from_memory),
		TEST(what_is_dropped_is_gone_from_a_file),
		TEST(only_much_needs_a_directory),
		TEST(the_file_has_no_name),
		TEST(the_bound_holds_in_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Jobs in processes: what they return and say, in order, whoever runs them. */
#include "base/pool.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

enum { JOBS = 20 };

/* Later ones are done first. */
static int speak(void *ctx, size_t i)
{
	const size_t *n = ctx;
	char line[32];

	usleep((useconds_t)(2000 * (*n - i)));
	snprintf(line, sizeof(line), "%zu\n", i);
	if (write(STDERR_FILENO, line, strlen(line)) < 0)
		return 255;
	return (int)(i % 7);
}

/* What JOBS jobs say with that many workers, into text. */
static void run(unsigned workers, char *text, size_t size, int *status)
{
	int saved = dup(STDERR_FILENO);
	FILE *f = tmpfile();
	size_t n = JOBS;

	assert_non_null(f);
	assert_true(dup2(fileno(f), STDERR_FILENO) >= 0);
	pool_run(JOBS, workers, speak, &n, status);
	assert_true(dup2(saved, STDERR_FILENO) >= 0);
	close(saved);
	rewind(f);
	n = fread(text, 1, size - 1, f);
	text[n] = '\0';
	fclose(f);
}

static void any_number_of_workers_says_the_same(void **state)
{
	char want[512], got[512];
	int status[JOBS];

	(void)state;
	run(1, want, sizeof(want), status);
	assert_true(strlen(want) == 50);
	for (unsigned workers = 2; workers < 40; workers += 6) {
		memset(status, 0xff, sizeof(status));
		run(workers, got, sizeof(got), status);
		assert_string_equal(got, want);
		for (int i = 0; i < JOBS; i++)
			assert_int_equal(status[i], i % 7);
	}
}

static int die(void *ctx, size_t i)
{
	const unsigned *dying = ctx;

	if (*dying & 1u << i)
		raise(SIGKILL);
	usleep(1000);
	return 3;
}

/* Any of seven jobs die. */
static void one_that_dies_takes_no_other_along(void **state)
{
	(void)state;
	for (unsigned dying = 0; dying < 128; dying++) {
		int status[7] = { 0 };

		pool_run(7, 3, die, &dying, status);
		for (unsigned i = 0; i < 7; i++)
			assert_int_equal(status[i], dying & 1u << i ? POOL_DIED : 3);
	}
}

static int note_process(void *ctx, size_t i)
{
	pid_t *seen = ctx;

	seen[i] = getpid();
	return 0;
}

static void a_worker_does_many_jobs(void **state)
{
	pid_t *seen = mmap(NULL, 100 * sizeof(*seen), PROT_READ | PROT_WRITE,
	                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status[100];
	size_t other = 0;

	(void)state;
	assert_true(seen != MAP_FAILED);
	pool_run(100, 2, note_process, seen, status);
	for (int i = 0; i < 100; i++) {
		assert_true(seen[i] != getpid());
		other += seen[i] != seen[0] && seen[i] != seen[1];
	}
	assert_int_equal(other, 0);
	munmap(seen, 100 * sizeof(*seen));
}

static int change(void *ctx, size_t i)
{
	int *value = ctx;

	*value = (int)i;
	return 0;
}

static void jobs_leave_nothing_behind(void **state)
{
	int status[3], value = 42;

	(void)state;
	pool_run(3, 2, change, &value, status);
	assert_int_equal(value, 42);
	pool_run(0, 2, change, &value, status);
	assert_int_equal(value, 42);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_number_of_workers_says_the_same),
		cmocka_unit_test(one_that_dies_takes_no_other_along),
		cmocka_unit_test(a_worker_does_many_jobs),
		cmocka_unit_test(jobs_leave_nothing_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

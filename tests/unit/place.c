/* An output gets its name when it is complete, and leaves no other file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/place.h"

static char dir[64], path[96];

static int enter(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/place.XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/out", dir);
	return 0;
}

static int leave(void **state)
{
	(void)state;
	unlink(path);
	return rmdir(dir);
}

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

/* Writes `text` and ends.  The directory must then contain only this file. */
static void put(const char *text)
{
	char got[32] = { 0 };
	struct place p;
	struct dirent *e;
	DIR *d;
	int fd, n = 0;

	assert_int_equal(place_begin(&p, path), 0);
	assert_int_equal(write(p.fd, text, strlen(text)), strlen(text));
	assert_int_equal(place_end(&p), 0);
	assert_int_equal(p.fd, -1);
	fd = open(path, O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(read(fd, got, sizeof(got) - 1), strlen(text));
	close(fd);
	assert_string_equal(got, text);
	d = opendir(dir);
	assert_non_null(d);
	while ((e = readdir(d)) != NULL)
		n += e->d_name[0] != '.';
	closedir(d);
	assert_int_equal(n, 1);
}

static void a_new_file(void **state)
{
	(void)state;
	put("new");
}

static void an_existing_file_is_replaced(void **state)
{
	(void)state;
	write_file(path, "older and longer");
	put("new");
}

static void a_link_to_nothing_is_replaced(void **state)
{
	(void)state;
	assert_int_equal(symlink("missing", path), 0);
	put("new");
}

static void a_dropped_file_leaves_nothing(void **state)
{
	struct place p;

	(void)state;
	assert_int_equal(place_begin(&p, path), 0);
	place_drop(&p);
	/* leave() fails if another file is in the directory. */
	assert_int_not_equal(access(path, F_OK), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_new_file, enter, leave),
		cmocka_unit_test_setup_teardown(an_existing_file_is_replaced, enter,
		                                leave),
		cmocka_unit_test_setup_teardown(a_link_to_nothing_is_replaced, enter,
		                                leave),
		cmocka_unit_test_setup_teardown(a_dropped_file_leaves_nothing, enter,
		                                leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

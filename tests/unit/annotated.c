/* Weights by address, listings of functions whose code is unknown, their page, and source files. */
#include "writer/annotate/annotated_page.h"
#include "writer/annotate/annotated_rows.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "given.h"

static struct arena run;
static struct diag diag;
static struct profile *profile;
static struct spots spots;

static int enter(void **state)
{
	(void)state;
	diag = (struct diag){ .prog = "annotated", .quiet = true };
	spots_init(&spots, &run);
	return 0;
}

static int leave(void **state)
{
	(void)state;
	profile_close(profile);
	profile = NULL;
	given_none();
	arena_release(&run);
	return 0;
}

/* Adds the samples of a text.  Each weighs as much as the text states. */
static void take(const char *text, uint32_t number)
{
	const struct profile_opts opts = { .input = given_text(&run, text),
		                           .lines = true,
		                           .paths = true,
		                           .formats = READ_SAMPLES,
		                           .kinds = 1 << EV_SAMPLE,
		                           .diag = &diag };
	struct sample s;

	profile_close(profile);
	profile = profile_open(&opts);
	assert_non_null(profile);
	profile_learn(profile);
	spots_begin(&spots);
	while (profile_next(profile, &s) > 0)
		spots_take(&spots, profile, &s, s.ev->weight);
	spots_end(&spots, profile, number);
}

static const struct spot_function *function(const char *name, const char *module)
{
	for (size_t i = 0; i < spots.nfunctions; i++)
		if (str_eq(spots_str(&spots, spots.function[i].name), str_of(name)) &&
		    str_eq(spots_str(&spots, spots.function[i].module), str_of(module)))
			return &spots.function[i];
	fail_msg("%s of %s is missing", name, module);
	return NULL;
}

static void weighs(const char *name, const char *module, uint64_t samples, uint64_t self,
                   uint64_t total)
{
	const struct spot_function *f = function(name, module);
	struct spot_weight sum = { 0 };

	for (size_t i = 0; i < f->n; i++)
		spots_add_weight(&sum, &spots.spot[f->first + i].weight);
	assert_int_equal(f->weight.samples, samples);
	assert_int_equal(f->weight.self, self);
	assert_int_equal(f->weight.total, total);
	assert_memory_equal(&sum, &f->weight, sizeof(sum));
}

static const char recursive[] = "app 7/7 [000] 1.0:  5 cycles:\n"
                                "\t401010 leaf+0x10 (/srv/app/a)\n"
                                "\t401110 twice+0x10 (/srv/app/a)\n"
                                "\t401120 twice+0x20 (/srv/app/a)\n"
                                "\t401200 main+0x0 (/srv/app/a)\n\n"
                                "app 7/7 [000] 1.1:  3 cycles:\n"
                                "\t401110 twice+0x10 (/srv/app/a)\n"
                                "\t501200 main+0x0 (/srv/app/b)\n\n";

static void a_sample_counts_once_in_a_total(void **state)
{
	(void)state;
	take(recursive, 0);
	spots_settle(&spots);
	weighs("leaf", "/srv/app/a", 1, 5, 5);
	weighs("twice", "/srv/app/a", 1, 3, 8);
	weighs("main", "/srv/app/a", 0, 0, 5);
	weighs("main", "/srv/app/b", 0, 0, 3);
	assert_int_equal(spots.whole.samples, 2);
	assert_int_equal(spots.whole.total, 8);
}

static void profiles_are_added_up(void **state)
{
	(void)state;
	take(recursive, 0);
	take(recursive, 1);
	spots_settle(&spots);
	weighs("twice", "/srv/app/a", 2, 6, 16);
	assert_int_equal(function("twice", "/srv/app/a")->profile, 0);
}

/* A frame without a name counts at each of its addresses.  A line that is no frame counts nowhere. */
static void frames_count_at_their_addresses(void **state)
{
	(void)state;
	take("app 7/7 [000] 1.0:  5 cycles:\n"
	     "\tnot a frame\n"
	     "\t401010 [unknown] (/srv/app/a)\n\n"
	     "app 7/7 [000] 1.1:  3 cycles:\n"
	     "\t401018 [unknown] (/srv/app/a)\n\n"
	     "app 7/7 [000] 1.2:  2 cycles:\n"
	     "\t401018 [unknown] (/srv/app/a)\n\n",
	     0);
	spots_settle(&spots);
	weighs("[a]", "/srv/app/a", 2, 5, 10);
	assert_int_equal(function("[a]", "/srv/app/a")->n, 2);
}

static void samples_without_frames_have_no_spots(void **state)
{
	(void)state;
	take("app 7/7 [000] 1.0:  5 cycles:\n"
	     "\tnot a frame\n\n",
	     0);
	spots_settle(&spots);
	assert_int_equal(spots.n, 0);
	assert_int_equal(spots.whole.total, 5);
}

static void a_sum_does_not_overflow(void **state)
{
	struct spot_weight sum = { 1, UINT64_MAX - 1, 2 };

	(void)state;
	spots_add_weight(&sum, &(struct spot_weight){ 1, 5, 5 });
	assert_int_equal(sum.samples, 2);
	assert_int_equal(sum.self, UINT64_MAX);
	assert_int_equal(sum.total, 7);
}

/* Closes an output to a copy of fd, and returns its text. */
static struct str written(struct out *o, int fd)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	assert_int_equal(out_close(o), 0);
	return file_bytes(&run, path);
}

/* Each spot has a row, and unknown lines are one line. */
static void a_listing_without_code_has_all_weights(void **state)
{
	struct profile *profiles[1];
	struct source_files files = { 0 };
	struct disasm *disasms = NULL;
	struct listing_opts opts = {
		.profiles = profiles, .files = &files, .disasms = &disasms, .arena = &run
	};
	struct spot_weight rows = { 0 }, lines = { 0 };
	struct listing l;

	(void)state;
	take(recursive, 0);
	spots_settle(&spots);
	profiles[0] = profile;
	source_files_init(&files, &run);
	listing_make(&l, &spots, function("twice", "/srv/app/a"), &opts, &run);
	for (size_t i = 0; i < l.n; i++) {
		spots_add_weight(&rows, &l.row[i].weight);
		assert_int_equal(l.row[i].text.n, 0);
	}
	for (size_t i = 0; i < l.nlines; i++)
		spots_add_weight(&lines, &l.line[i].weight);
	assert_memory_equal(&rows, &l.function->weight, sizeof(rows));
	assert_memory_equal(&lines, &l.function->weight, sizeof(lines));
	assert_int_equal(l.nlines, 1);
	assert_int_equal(l.line[0].line, 0);
	assert_int_equal(l.ninlined, 0);
	source_files_close(&files);
}

/* The list at the beginning of a page has links to all functions. */
static void a_page_has_each_function_of_its_list(void **state)
{
	const struct annotated_look look = { .unit = { .name = STR("cycles") } };
	int fd = memfd_create("page", MFD_CLOEXEC);
	const struct spot_function *f[2];
	struct annotated_page page = { .look = &look, .spots = &spots, .f = f, .n = 2 };
	struct out *o = arena_new(&run, struct out, 1);
	struct str text;

	(void)state;
	take(recursive, 0);
	spots_settle(&spots);
	f[0] = function("leaf", "/srv/app/a");
	f[1] = function("twice", "/srv/app/a");
	out_open(o, "page", dup(fd));
	page.o = o;
	annotated_page_begin(&page);
	annotated_page_end(&page);
	text = written(o, fd);
	for (int i = 1; i <= 2; i++) {
		struct str link = arena_fmt(&run, "href=\"#f%d\"", i),
		           id = arena_fmt(&run, "<h2 id=\"f%d\">", i);

		assert_true(str_search(text, link) < text.n);
		assert_true(str_search(text, id) < text.n);
	}
	assert_true(str_search(text, STR("Left out, because")) < text.n);
	close(fd);
}

/* Returns a directory with the file a.c. */
static const char *directory(const char *text)
{
	const char *dir = getenv("TMPDIR");
	struct str path = arena_fmt(&run, "%s/annotated-XXXXXX", dir ? dir : "/tmp");
	FILE *f;

	assert_non_null(mkdtemp((char *)path.p));
	f = fopen(arena_fmt(&run, PRSTR "/a.c", STRARG(path)).p, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
	return path.p;
}

static void lines_are_those_of_a_mapped_path(void **state)
{
	struct source_files files = { 0 };
	const char *arg = arena_fmt(&run, "/build=%s", directory("one\r\n\nthree")).p;
	const struct source_text *t;

	(void)state;
	assert_true(source_path_add(&files.paths, arg, &run));
	source_files_init(&files, &run);
	t = source_files_find(&files, NULL, STR("/build/a.c"));
	assert_int_equal(t->n, 3);
	assert_true(str_eq(source_files_line(t, 1), STR("one")));
	assert_int_equal(source_files_line(t, 2).n, 0);
	assert_non_null(source_files_line(t, 2).p);
	assert_true(str_eq(source_files_line(t, 3), STR("three")));
	assert_null(source_files_line(t, 0).p);
	assert_null(source_files_line(t, 4).p);
	/* A compiler's own path is not opened, nor one that leaves the directory. */
	assert_int_equal(source_files_find(&files, NULL, STR("/etc/passwd"))->n, 0);
	assert_int_equal(
	        source_files_find(&files, NULL, STR("/build/../../etc/passwd"))->n, 0);
	source_files_close(&files);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, enter, leave)
	static const struct CMUnitTest tests[] = {
		TEST(a_sample_counts_once_in_a_total),
		TEST(profiles_are_added_up),
		TEST(frames_count_at_their_addresses),
		TEST(samples_without_frames_have_no_spots),
		TEST(a_sum_does_not_overflow),
		TEST(a_listing_without_code_has_all_weights),
		TEST(a_page_has_each_function_of_its_list),
		TEST(lines_are_those_of_a_mapped_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

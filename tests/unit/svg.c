/* svg: captions, colours, and what stands in the file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "label/mark.h"
#include "writer/flame/path.h"
#include "writer/caption.h"
#include "writer/flame/svg.h"

static void cleaned(struct str in, const char *want)
{
	struct arena a = { 0 };
	struct str s = caption_clean(&a, in);

	assert_int_equal(s.n, strlen(want));
	assert_memory_equal(s.p, want, s.n);
	arena_release(&a);
}

static void captions_are_clean_text(void **state)
{
	(void)state;
	cleaned(STR("plain <name>"), "plain <name>");
	cleaned(STR("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x94\xa5"),
	        "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x94\xa5");
	cleaned(STR("a\x1b[0m\tb\x7f\0c"), "a\\x1b[0m\\x09b\\x7f\\x00c");
	cleaned(STR("\xff\xc3"), "\\xff\\xc3");
	cleaned(STR("\xc0\xaf \xed\xa0\x80"), "\\xc0\\xaf \\xed\\xa0\\x80");
	cleaned(STR("\xe2\x80\xae\xef\xbf\xbf\xc2\x85"),
	        "\\xe2\\x80\\xae\\xef\\xbf\\xbf\\xc2\\x85");
	cleaned(STR("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
	cleaned(STR(""), "");
}

/* fixtures/labels.tsv: the script's labels are tested with the same names. */
static void labels_are_those_of_the_fixture(void **state)
{
	char path[4096], line[4096], out[4096];
	FILE *f;
	size_t n = 0;

	(void)state;
	snprintf(path, sizeof(path), "%s/fixtures/labels.tsv",
	         getenv("TOP") ? getenv("TOP") : ".");
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		struct str rest, room, name, got;
		uint64_t most;

		if (line[0] == '#')
			continue;
		rest = str_head(str_of(line), strcspn(line, "\n"));
		room = str_cut(&rest, '\t');
		name = str_cut(&rest, '\t');
		assert_true(str_is_dec(room, &most));
		got = caption_fit(name, most, false, out);
		if (!str_eq(got, rest))
			fail_msg("%.*s in %d: %.*s", (int)name.n, name.p, (int)most,
			         (int)got.n, got.p);
		n++;
	}
	fclose(f);
	assert_true(n >= 80);
}

static void marks_are_off_the_caption(void **state)
{
	unsigned kinds;
	struct str s;

	(void)state;
	s = mark_cut_all(STR("do_syscall_64_[k]"), &kinds);
	assert_true(str_eq(s, STR("do_syscall_64")) && kinds == MARK_KERNEL);
	s = mark_cut_all(STR("f_[i]_[j]"), &kinds);
	assert_true(str_eq(s, STR("f")) && kinds == (MARK_INLINED | MARK_JIT));
	s = mark_cut_all(STR("w_[w]"), &kinds);
	assert_true(str_eq(s, STR("w")) && kinds == MARK_WAKER);
	s = mark_cut_all(STR("f_[x]"), &kinds);
	assert_true(str_eq(s, STR("f_[x]")) && kinds == 0);
	s = mark_cut_all(STR("_[k]"), &kinds);
	assert_true(str_eq(s, STR("_[k]")) && kinds == 0);
}

#define DOTS "\xe2\x80\xa6"

static void fits(const char *text, size_t most, bool right, const char *want)
{
	char out[200];
	struct str s = caption_fit(str_of(text), most, right, out);

	assert_int_equal(s.n, strlen(want));
	assert_memory_equal(s.p, want, s.n);
}

static void labels_are_cut_where_it_hurts_least(void **state)
{
	const char *dotnet = "System.Collections.Generic.Dictionary`2::TryInsert";

	(void)state;
	fits("main", 4, false, "main");
	fits("main", 3, false, "ma" DOTS);
	fits("main", 2, false, "");
	fits(dotnet, 50, false, dotnet);
	fits(dotnet, 40, false, DOTS "Generic.Dictionary`2::TryInsert");
	fits(dotnet, 24, false, DOTS "Dictionary`2::TryInsert");
	fits(dotnet, 12, false, DOTS "TryInsert");
	fits(dotnet, 8, false, "TryInse" DOTS);
	fits(dotnet, 8, true, "System." DOTS);
	fits("parse.constprop.0", 12, false, "parse.const" DOTS);
	fits("net/http.(*Client).Do", 8, false, DOTS "Do");
	fits("(anonymous namespace)::bar", 8, false, DOTS "bar");
	fits("a::map<std::x, y>::at(std::z)", 12, false, DOTS "at(std::z)");
	fits("int java.util.List.size", 12, false, DOTS "List.size");
	fits("JS:*fib /srv/app/x.js:6:13", 9, false, "JS:*fib " DOTS);
	fits("end node:http:12:3", 9, false, "end node" DOTS);
	fits("a::operator new", 13, false, DOTS "operator new");
	fits("do_page_fault", 8, false, "do_page" DOTS);
	fits("\xc3\xbc\xc3\xbc\xc3\xbc\xc3\xbc", 3, false, "\xc3\xbc\xc3\xbc" DOTS);
}

static void colours_depend_on_the_name_alone(void **state)
{
	(void)state;
	assert_null(palette_find(STR("no such")));
	for (size_t i = 0; palette_name(i); i++)
		assert_non_null(palette_find(str_of(palette_name(i))));
	assert_int_equal(palette_shade(STR("main"), SHADE_BY_NAME),
	                 palette_shade(STR("main_[k]"), SHADE_BY_NAME));
	assert_int_not_equal(palette_shade(STR("parse"), SHADE_BY_NAME),
	                     palette_shade(STR("esrap"), SHADE_BY_NAME));
	assert_int_equal(palette_shade(STR("parse_x"), SHADE_BY_START),
	                 palette_shade(STR("parse_y"), SHADE_BY_START));
}

static void sorts(const char *name, enum sort want)
{
	if (palette_sort(str_of(name)) != want)
		fail_msg("%s: %s", name, palette_sort_name(palette_sort(str_of(name))));
}

static void names_tell_what_they_are(void **state)
{
	(void)state;
	sorts("main", SORT_NATIVE);
	sorts("std::vector<int>::at", SORT_NATIVE);
	sorts("core::fmt::write", SORT_NATIVE);
	sorts("f_[k]", SORT_KERNEL);
	sorts("f_[i]", SORT_INLINED);
	sorts("f_[r]", SORT_RUNTIME);
	sorts("f_[j]", SORT_USER);
	sorts("System.String::Concat", SORT_FRAMEWORK);
	sorts("System.String::Concat_[j]", SORT_FRAMEWORK);
	sorts("instance bool [System.Private.CoreLib] System.String::Concat_[j]",
	      SORT_FRAMEWORK);
	sorts("WebApi.Startup::Route", SORT_USER);
	sorts("Program::Main_[j]", SORT_USER);
	sorts("stub GenerateResolveStub<2>_[j]", SORT_STUB);
	sorts("SVR::gc_heap::mark_phase", SORT_COLLECTOR);
	sorts("WKS::gc_heap::relocate_[r]", SORT_COLLECTOR);
	sorts("JS:*fib /srv/app.js:6:13", SORT_USER);
}

/* Grey is for what has no module. */
static void a_known_module_has_its_kind(void **state)
{
	const struct palette *kind = palette_find(STR("kind"));

	(void)state;
	sorts("[unknown]", SORT_UNNAMED);
	sorts("[libc.so.6]", SORT_NATIVE);
	sorts("[vdso]", SORT_NATIVE);
	sorts("[[vdso]]", SORT_NATIVE);
	sorts("[libcoreclr.so]", SORT_RUNTIME);
	sorts("[libjvm.so]", SORT_RUNTIME);
	sorts("[app.bin]_[r]", SORT_RUNTIME);
	sorts("[[kernel.kallsyms]]", SORT_KERNEL);
	sorts("[ext4.ko]", SORT_KERNEL);
	sorts("[System.Private.CoreLib.dll]", SORT_USER);
	sorts("[memfd:doublemapper]", SORT_USER);
	assert_int_equal(palette_shade(STR("[libc.so.6]"), SHADE_BY_NAME), PALETTE_PALE);
	assert_true(palette_shade(STR("main"), SHADE_BY_NAME) < PALETTE_SHADES);
	assert_int_equal(palette_group(kind, STR("[libc.so.6]")),
	                 palette_group(kind, STR("main")));
	assert_int_not_equal(palette_group(kind, STR("[unknown]")),
	                     palette_group(kind, STR("[libc.so.6]")));
}

static void palettes_of_others_read_names(void **state)
{
	const struct palette *java = palette_find(STR("java"));
	const struct palette *rust = palette_find(STR("rust"));
	const struct palette *python = palette_find(STR("python"));

	(void)state;
	assert_int_equal(palette_group(java, STR("java/util/List.add")),
	                 palette_group(java, STR("f_[j]")));
	assert_int_not_equal(palette_group(java, STR("JavaThread::run")),
	                     palette_group(java, STR("main")));
	assert_int_not_equal(palette_group(rust, STR("core::fmt::write")),
	                     palette_group(rust, STR("app::run")));
	assert_int_not_equal(palette_group(python, STR("f (/x/site-packages/y.py)")),
	                     palette_group(python, STR("f (/srv/y.py)")));
}

/* All colours of all palettes, with the ink that is used on them. */
static void labels_can_be_read(void **state)
{
	(void)state;
	for (size_t i = 0; palette_name(i); i++)
		for (size_t g = 0; g < PALETTE_GROUPS; g++)
			for (size_t s = 0; s <= PALETTE_SHADES; s++) {
				struct rgb c = palette_color(
				        palette_find(str_of(palette_name(i))), g, s);

				assert_true(palette_contrast(c, palette_ink(c)) >= 4.5);
			}
	for (int by = -20; by <= 20; by++) {
		struct rgb c = palette_change(20, 20 + by, by % 2);

		assert_true(palette_contrast(c, palette_ink(c)) >= 4.5);
	}
}

/* In grey, and so for all who see no red or green, a runtime is much darker. */
static void runtime_and_kernel_differ_in_lightness(void **state)
{
	static const char *const names[] = { "kind", "dotnet" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		const struct palette *p = palette_find(str_of(names[i]));
		size_t runtime = palette_sort_group(p, SORT_RUNTIME);
		size_t kernel = palette_sort_group(p, SORT_KERNEL);

		for (size_t a = 0; a < PALETTE_SHADES; a++)
			for (size_t b = 0; b < PALETTE_SHADES; b++)
				assert_true(palette_contrast(
				                    palette_color(p, runtime, a),
				                    palette_color(p, kernel, b)) >= 2);
	}
}

/* The SVG of these lines, which are the last of so many series; freed by the caller. */
static char *draw_last(const struct svg_opts *opts, const char *const *lines, size_t n,
                       uint32_t nseries)
{
	const struct series series[2] = { 0 };
	const struct flame_opts layout = { .series = series, .nseries = nseries };
	struct arena arena = { 0 };
	struct interner names;
	struct rows rows;
	struct path path;
	struct flame f;
	struct out out;
	char name[64], *text;
	int fd = memfd_create("svg", 0);
	ssize_t size;

	intern_init(&names, &arena);
	rows_init(&rows, &names, &arena);
	path_init(&path, &rows, &names, &arena);
	for (size_t i = 0; i < n; i++)
		path_add(&path, str_of(lines[i]),
		         (struct row){ .series = nseries - 1, .weight = { 1, 0 } });
	flame_layout(&f, &rows, names.n, &layout, &arena);
	out = (struct out){ .fd = fd };
	svg_write(&out, &f, &names, opts);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	assert_int_equal(out.error, 0);
	/* What is left in the buffer. */
	assert_int_equal(write(fd, out.buf, out.n), (ssize_t)out.n);
	size = lseek(fd, 0, SEEK_END);
	text = calloc(1, (size_t)size + 1);
	assert_non_null(text);
	assert_int_equal(pread(fd, text, (size_t)size, 0), size);
	close(fd);
	rows_free(&rows);
	arena_release(&arena);
	return text;
}

/* The SVG of these lines alone; freed by the caller. */
static char *draw(const struct svg_opts *opts, const char *const *lines, size_t n)
{
	return draw_last(opts, lines, n, 1);
}

static struct svg_opts defaults(void)
{
	return (struct svg_opts){ .title = STR("T"),
		                  .countname = STR("samples"),
		                  .fonttype = STR("Verdana"),
		                  .width = 1200,
		                  .height = 16,
		                  .fontsize = 12,
		                  .fontwidth = 0.59,
		                  .palette = palette_find(STR("kind")),
		                  .factor = 1 };
}

static bool holds(const char *svg, const char *what)
{
	return strstr(svg, what) != NULL;
}

static void boxes_have_tooltips_and_labels(void **state)
{
	static const char *const lines[] = { "main;read_[k]", "main;parse",
		                             "main;read_[k];x", "main;read_[k];x" };
	struct svg_opts opts = defaults();
	char *svg = draw(&opts, lines, 2), *wider = draw(&opts, lines, 4);

	(void)state;
	assert_true(holds(svg, "<title>all (2 samples, 100.00%)</title>"));
	assert_true(holds(svg,
	                  "<title>read (1 sample, 50.00%; self 50.00%), kernel</title>"));
	assert_true(holds(svg, ">parse</text>"));
	assert_false(holds(svg, "_[k]<"));
	assert_true(holds(svg, "<metadata class=\"names\">!b"));
	/* Nothing ends in the root; two names up to parse; 1 more, and 23 for a sibling. */
	assert_true(holds(svg, "<metadata class=\"tree\"><![CDATA[!'!\":]]>"));
	/* On read stands one more, which weighs 2. */
	assert_true(holds(wider, "<metadata class=\"tree\"><![CDATA[!'!\":#$#]]>"));
	free(wider);
	free(svg);
}

/* The first tab is what is drawn without script. */
static void an_empty_tab_opens_no_group(void **state)
{
	static const char *const lines[] = { "main;parse" };
	struct svg_opts opts = defaults();
	char *svg = draw_last(&opts, lines, 1, 2);

	(void)state;
	assert_true(holds(svg, "<g class=\"frames\">\n</g>\n<g class=\"head\""));
	free(svg);
}

static void units_are_those_of_the_line_of_pfold(void **state)
{
	static const char *const lines[] = { "main" };
	struct svg_opts opts = defaults();
	struct arena a = { 0 };
	char *svg;

	(void)state;
	opts.countname = (struct str){ 0 };
	assert_false(unit_read(&opts.unit, STR("# by hand"), &a));
	assert_true(unit_read(&opts.unit,
	                      STR("# pfold event=cpu-clock samples=6497 x unit=ns"), &a));
	svg = draw(&opts, lines, 1);
	assert_true(holds(svg, "<title>main (1 ns, 100.00%; self 100.00%)</title>"));
	assert_true(holds(svg, "y=\"47\">1 ns of cpu-clock, 6,497 samples</text>"));
	free(svg);
	assert_true(str_eq(unit_format(&opts.unit, 13020039976.0, STR(""), &a),
	                   STR("13.0 s")));
	assert_true(
	        str_eq(unit_format(&opts.unit, 1500000, STR(""), &a), STR("1.50 ms")));
	assert_true(str_eq(unit_format(&opts.unit, 430000, STR(""), &a), STR("430 us")));
	opts.unit.name = STR("bytes");
	assert_true(str_eq(unit_format(&opts.unit, 2048, STR(""), &a), STR("2.05 kB")));
	opts.unit.name = STR("\033]0;p\007"); /* of a hostile profile */
	assert_true(str_eq(unit_format(&opts.unit, 2, STR("2"), &a),
	                   STR("2 \\x1b]0;p\\x07")));
	arena_release(&a);
}

static void names_are_escaped_everywhere(void **state)
{
	static const char *const lines[] = { "]]></script><script>alert(1)</script>",
		                             "a\"b'c&d\x01\xff" };
	struct svg_opts opts = defaults();
	char *svg;

	(void)state;
	opts.title = STR("<&\"'\x02>");
	opts.notes = STR("--> ]]>");
	opts.countname = STR("\"><x>");
	opts.fonttype = STR("\"><y>");
	svg = draw(&opts, lines, 2);
	assert_false(holds(svg, "<script>alert"));
	assert_false(holds(svg, "<x>"));
	assert_false(holds(svg, "<y>"));
	assert_true(holds(svg, "a&quot;b&#39;c&amp;d\\x01\\xff"));
	assert_true(holds(svg, "&lt;&amp;&quot;&#39;\\x02&gt;"));
	assert_true(holds(svg, "<desc>--&gt; ]]&gt;</desc>"));
	for (const char *c = svg; *c; c++)
		assert_true((signed char)*c >= ' ' || *c == '\n' || *c == '\t' ||
		            (signed char)*c < 0);
	free(svg);
}

static void nothing_is_found_by_id_or_fetched(void **state)
{
	static const char *const lines[] = { "a;b" };
	struct svg_opts opts = defaults();
	char *svg = draw(&opts, lines, 1);

	(void)state;
	assert_false(holds(svg, " id="));
	assert_false(holds(svg, "href=\""));
	assert_false(holds(svg, "url("));
	assert_false(holds(svg, "@import"));
	free(svg);
}

static void root_is_at_the_bottom_or_at_the_top(void **state)
{
	static const char *const lines[] = { "a;b" };
	struct svg_opts opts = defaults();
	const char *at =
	        "<path d=\"M12 %dh1175.5v15h-1175.5z\"><title>all (1 sample, 100.00%%)";
	char want[120], *svg = draw(&opts, lines, 1);

	(void)state;
	snprintf(want, sizeof(want), at, 60 + 2 * 16);
	assert_true(holds(svg, want));
	free(svg);
	opts.inverted = true;
	svg = draw(&opts, lines, 1);
	snprintf(want, sizeof(want), at, 60);
	assert_true(holds(svg, want));
	free(svg);
}

static void counts_are_grouped_and_scaled(void **state)
{
	static const char *lines[1500];
	struct svg_opts opts = defaults();
	char *svg;

	(void)state;
	for (size_t i = 0; i < 1500; i++)
		lines[i] = "a";
	svg = draw(&opts, lines, 1500);
	assert_true(holds(svg, "a (1,500 samples, 100.00%;"));
	free(svg);
	opts.factor = 0.001;
	svg = draw(&opts, lines, 1500);
	assert_true(holds(svg, "a (1.5 samples, 100.00%;"));
	free(svg);
}

static void backgrounds_are_names_or_hex(void **state)
{
	static const char *const good[] = { "yellow", "blue", "green", "grey",
		                            "#00fF1a" };
	static const char *const bad[] = { "",        "red",     "#fff",   "#1234567",
		                           "#12345g", "#0x1234", "url(#x)" };

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		assert_true(svg_is_background(str_of(good[i])));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(svg_is_background(str_of(bad[i])));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(captions_are_clean_text),
		cmocka_unit_test(marks_are_off_the_caption),
		cmocka_unit_test(labels_are_cut_where_it_hurts_least),
		cmocka_unit_test(colours_depend_on_the_name_alone),
		cmocka_unit_test(labels_are_those_of_the_fixture),
		cmocka_unit_test(names_tell_what_they_are),
		cmocka_unit_test(a_known_module_has_its_kind),
		cmocka_unit_test(palettes_of_others_read_names),
		cmocka_unit_test(labels_can_be_read),
		cmocka_unit_test(runtime_and_kernel_differ_in_lightness),
		cmocka_unit_test(units_are_those_of_the_line_of_pfold),
		cmocka_unit_test(boxes_have_tooltips_and_labels),
		cmocka_unit_test(an_empty_tab_opens_no_group),
		cmocka_unit_test(names_are_escaped_everywhere),
		cmocka_unit_test(nothing_is_found_by_id_or_fetched),
		cmocka_unit_test(root_is_at_the_bottom_or_at_the_top),
		cmocka_unit_test(counts_are_grouped_and_scaled),
		cmocka_unit_test(backgrounds_are_names_or_hex),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Which .NET image is mapped where: lengths, calls, MVIDs and frameworks. */
#include "bind/dotnet/match_images.h"

#include "bind/binder.h"
#include "bind/dotnet/bound_image.h"
#include "bind/dotnet/loaded.h"
#include "bind/merge.h"
#include "sessionmade.h"

enum {
	FILES = 4,
	CODE_OFF = 0x1000,
	CODE_RVA = 0x3000,
	LENGTH = 0x10000,
	FIRST_CALL = 0x1100,
	STEP = 0x20,
};

static const uint64_t start = 0x7f0000400000;
static const char guid[] = "{1f33821d-7269-4e7c-9624-2a2dd196d398}";
static const char app[] = "/app/calc.dll";

static unsigned char bytes[FILES][CODE_OFF + LENGTH];
static struct pe pe[FILES];

static int enter(void **state)
{
	(void)state;
	session_made();
	memset(bytes, 0x90, sizeof(bytes));
	memset(pe, 0, sizeof(pe));
	return 0;
}

static int leave(void **state)
{
	(void)state;
	session_over();
	return 0;
}

/* A fragile native image: one name for all its code. */
static struct pe *add_image(size_t i, const char *path)
{
	struct item *it = add_file(path, STR("MZ"));

	memcpy(bytes[i] + CODE_OFF, "NGE", 4);
	pe[i] = (struct pe){
		.bytes = { (const char *)bytes[i], sizeof(bytes[i]) },
		.native = { CODE_RVA, 64 },
		.machine = PE_X64,
		.nsections = 1,
		.section[0] = { .rva = CODE_RVA,
		                .virtual_size = LENGTH,
		                .file_off = CODE_OFF,
		                .raw_size = LENGTH,
		                .whole_size = LENGTH,
		                .executable = true },
	};
	it->kind = ITEM_PE;
	it->opened = true;
	it->pe = &pe[i];
	return &pe[i];
}

static void set_mvid(struct pe *p)
{
	p->has_mvid = perfmap_guid(str_of(guid), p->mvid);
	assert_true(p->has_mvid);
}

static void add_perfinfo(const char *path, uint64_t base)
{
	struct item *it = add_file("perfinfo-7.map",
	                           arena_fmt(&session.run, "ImageLoad;%s;%s;%llx;\n",
	                                     path, guid, (unsigned long long)base));

	it->kind = ITEM_PERFINFO;
}

/* n return addresses in m, of which the last `bad` follow no call in image i. */
static void note_calls(const struct mapping *m, size_t i, size_t n, size_t bad)
{
	for (size_t k = 0; k < n; k++) {
		uint64_t off = FIRST_CALL + k * STEP;

		if (k < n - bad)
			bytes[i][off - 5] = 0xe8;
		bind_note(session.binder, m, PID, m->bias + off, true, false);
	}
}

static const struct mapping *mapped(const char *path)
{
	map_file(start, LENGTH, CODE_OFF, path);
	return process_find(session.ps, PID, start, MODE_USER);
}

static const struct mapping *assumed(const char *path)
{
	return process_assume(session.ps, name_of(path));
}

static void is_bound(const struct mapping *m, bool bound)
{
	assert_int_equal(bind_image(session.binder, m) != NULL, bound);
}

static void decide(void)
{
	bind_decide(session.binder, session.ps, true);
}

static void is_refused(const struct mapping *m, const char *why, bool is_it)
{
	const struct refused_image *r;

	decide();
	is_bound(m, false);
	r = bind_refused(session.binder, m);
	assert_non_null(r);
	assert_non_null(strstr(r->why, why));
	assert_int_equal(r->is_it, is_it);
}

static void length_is_that_of_the_code(void **state)
{
	const struct mapping *m = mapped(app);
	const struct bound_image *im;

	(void)state;
	add_image(0, "calc.dll");
	decide();
	im = bind_image(session.binder, m);
	assert_non_null(im);
	assert_true(str_eq(im->whole, STR("[calc (ngen)]")));
	assert_false(im->beside);
}

static void another_length_is_another_version(void **state)
{
	const struct mapping *m = mapped(app);

	(void)state;
	add_image(0, "calc.dll")->section[0].raw_size = LENGTH - 0x1000;
	pe[0].section[0].whole_size = LENGTH - 0x1000;
	is_refused(m, "another length", false);
}

static void image_that_is_cut_off_is_the_one(void **state)
{
	const struct mapping *m = mapped(app);

	(void)state;
	add_image(0, "calc.dll")->section[0].raw_size = LENGTH - 0x1000;
	is_refused(m, "cut off", true);
}

static void three_in_four_addresses_follow_calls(void **state)
{
	const struct mapping *m = mapped(app);

	(void)state;
	add_image(0, "calc.dll");
	note_calls(m, 0, 4, 1);
	decide();
	is_bound(m, true);
}

static void fewer_than_three_in_four_are_another_version(void **state)
{
	const struct mapping *m = mapped(app);

	(void)state;
	add_image(0, "calc.dll");
	note_calls(m, 0, 7, 2);
	is_refused(m, "another version: sampled return addresses", false);
}

static void other_addresses_say_nothing(void **state)
{
	const struct mapping *m = mapped(app);

	(void)state;
	add_image(0, "calc.dll");
	for (uint64_t i = 0; i < 100; i++)
		bind_note(session.binder, m, PID, start + i, false, false);
	decide();
	is_bound(m, true);
}

static void unknown_instructions_say_nothing(void **state)
{
	const struct mapping *m = mapped(app);

	(void)state;
	add_image(0, "calc.dll")->machine = PE_X86;
	note_calls(m, 0, 7, 7);
	decide();
	is_bound(m, true);
}

static void image_of_that_mvid_without_calls_is_damaged(void **state)
{
	const struct mapping *m = mapped(app);

	(void)state;
	set_mvid(add_image(0, "calc.dll"));
	add_perfinfo(app, 0);
	note_calls(m, 0, 7, 2);
	is_refused(m, "damaged", true);
}

static void another_mvid_is_another_version(void **state)
{
	const struct mapping *m = mapped(app);

	(void)state;
	set_mvid(add_image(0, "calc.dll"));
	pe[0].mvid[3] ^= 1;
	add_perfinfo(app, 0);
	is_refused(m, "MVID", false);
}

static void perfinfo_of_another_path_says_nothing(void **state)
{
	const struct mapping *m = mapped(app);

	(void)state;
	set_mvid(add_image(0, "calc.dll"));
	pe[0].mvid[3] ^= 1;
	add_perfinfo("/other/calc.dll", 0);
	decide();
	is_bound(m, true);
}

/* A text has no lengths: calls alone tell. */
static void assumed_by_calls(size_t n, size_t bad, bool bound)
{
	const struct mapping *m = assumed(app);

	add_image(0, "calc.dll");
	note_calls(m, 0, n, bad);
	decide();
	is_bound(m, bound);
}

static void assumed_needs_8_calls(void **state)
{
	(void)state;
	assumed_by_calls(8, 0, true);
}

static void assumed_with_7_calls_is_none(void **state)
{
	(void)state;
	assumed_by_calls(7, 0, false);
}

static void assumed_needs_9_calls_in_10(void **state)
{
	(void)state;
	assumed_by_calls(10, 1, true);
}

static void assumed_with_fewer_is_none(void **state)
{
	(void)state;
	assumed_by_calls(19, 2, false);
}

static void assumed_of_that_mvid_needs_one_call(void **state)
{
	(void)state;
	add_perfinfo(app, 0);
	set_mvid(add_image(0, "calc.dll"));
	note_calls(assumed(app), 0, 1, 0);
	decide();
	is_bound(assumed(app), true);
}

static void assumed_of_that_mvid_without_a_call_is_none(void **state)
{
	(void)state;
	add_perfinfo(app, 0);
	set_mvid(add_image(0, "calc.dll"));
	bind_note(session.binder, assumed(app), PID, FIRST_CALL, false, false);
	is_refused(assumed(app), "its load address was not", false);
}

/* One image of a directory is verified, another has a single call. */
static bool verifies_beside(const char *directory, const char *first)
{
	struct str path[] = { arena_fmt(&session.run, "%s/%s", directory, first),
		              arena_fmt(&session.run, "%s/b.dll", directory) };
	const struct bound_image *im;

	for (size_t i = 0; i < 2; i++) {
		struct item *it;

		add_image(i, path[i].p);
		memcpy(bytes[i] + CODE_OFF, "RTR", 4);
		it = &session.locator.item[session.locator.n - 1];
		it->source = &source_made[0];
		it->member = 0;
		note_calls(assumed(path[i].p), i, i ? 1 : 8, 0);
	}
	decide();
	is_bound(assumed(path[0].p), true);
	im = bind_image(session.binder, assumed(path[1].p));
	assert_true(!im || im->beside);
	return im != NULL;
}

static void framework_is_one_build(void **state)
{
	(void)state;
	assert_true(verifies_beside("/d/shared/Microsoft.NETCore.App/10.0.1", "a.dll"));
}

static void another_directory_is_no_framework(void **state)
{
	(void)state;
	assert_false(verifies_beside("/d/shared/Microsoft.NETCore.App/x", "a.dll"));
}

static void framework_is_called_app(void **state)
{
	(void)state;
	assert_false(verifies_beside("/d/shared/Microsoft.NETCore/10.0.1", "a.dll"));
}

static void core_library_without_a_version_verifies_none(void **state)
{
	(void)state;
	assert_false(verifies_beside("/app", "System.Private.CoreLib.dll"));
}

static void version_beside_it_may_not_fail_a_call(void **state)
{
	const char *path[] = { "/d/X.App/1.0/a.dll", "/d/X.App/1.0/b.dll" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		add_image(i, path[i]);
		memcpy(bytes[i] + CODE_OFF, "RTR", 4);
		session.locator.item[i].source = &source_made[0];
		session.locator.item[i].member = 0;
		note_calls(assumed(path[i]), i, i ? 2 : 8, i);
	}
	decide();
	is_bound(assumed(path[0]), true);
	is_bound(assumed(path[1]), false);
}

static void longest_common_path_wins(void **state)
{
	const struct mapping *m = mapped("/srv/app/calc.dll");

	(void)state;
	add_image(0, "x/calc.dll");
	add_image(1, "y/app/calc.dll");
	add_image(2, "z/calc.dll");
	decide();
	assert_ptr_equal(bind_image(session.binder, m)->pe, &pe[1]);
}

static void last_source_of_equal_paths_wins(void **state)
{
	const struct mapping *m = mapped(app);

	(void)state;
	add_image(0, "x/calc.dll");
	add_image(1, "y/calc.dll");
	decide();
	assert_ptr_equal(bind_image(session.binder, m)->pe, &pe[1]);
}

static void frame_may_ask_later(void **state)
{
	const struct mapping *m = mapped(app);
	struct bind_query q = { .m = m, .pid = PID, .ip = start + 0x80 };
	struct bound_name name;

	(void)state;
	add_image(0, "calc.dll");
	bind_decide(session.binder, session.ps, false);
	is_bound(m, false);
	assert_true(bind_find(session.binder, &q, &name));
	assert_true(str_eq(name.func, STR("[calc (ngen)]")));
	assert_int_equal(name.off, CODE_RVA + 0x80);
	is_bound(m, true);
}

static void sampled_image_is_looked_for_at_once(void **state)
{
	const struct mapping *m = mapped(app);

	(void)state;
	add_image(0, "calc.dll");
	bind_note(session.binder, m, PID, start + 0x80, false, false);
	bind_decide(session.binder, session.ps, false);
	is_bound(m, true);
}

static void refusal_is_known_later(void **state)
{
	const struct mapping *m = mapped(app);
	struct bind_query q = { .m = m, .pid = PID, .ip = start + 0x80 };
	struct bound_name name;

	(void)state;
	add_image(0, "calc.dll")->section[0].raw_size = LENGTH - 0x1000;
	bind_decide(session.binder, session.ps, false);
	assert_null(bind_refused(session.binder, m));
	assert_false(bind_find(session.binder, &q, &name));
	assert_non_null(bind_refused(session.binder, m));
	/* It is looked for once. */
	assert_false(bind_find(session.binder, &q, &name));
	assert_int_equal(session.binder->image_matches->nrefused, 1);
}

/* What says where an image lay, when there is only its map. */
static void add_map(const char *text)
{
	struct str name = arena_fmt(&session.run, "calc.ni.%s.map", guid);
	struct item *it = add_file(name.p, str_of(text));

	assert_int_equal(it->kind, ITEM_PERFMAP);
}

static bool map_says(const struct mapping *m, uint64_t ip, const char *func, uint64_t off)
{
	struct bind_query q = { .m = m, .pid = PID, .ip = ip };
	struct bound_name name;

	return bind_find(session.binder, &q, &name) && str_eq(name.func, str_of(func)) &&
	       name.off == off && name.how == VERIFIED_MVID;
}

static void next_base_below_counts(void **state)
{
	const struct mapping *m = mapped(app);

	(void)state;
	add_map("00003000 00000010 one\n00005000 00000010 two\n");
	add_perfinfo(app, start + LENGTH);
	add_perfinfo(app, start - 0x3000);
	add_perfinfo(app, start - 0x5000);
	decide();
	is_bound(m, true);
	assert_int_equal(bind_image(session.binder, m)->base, start - 0x3000);
	assert_true(map_says(m, start + 8, "one", 8));
	assert_true(map_says(m, start + 0x2000, "two", 0));
	assert_false(map_says(m, start + 0x10, "one", 0x10));
}

static void base_is_at_most_4_gib_below(void **state)
{
	const struct image_load *load;

	(void)state;
	add_perfinfo(app, start);
	load = loaded_find_below(session.binder, name_of(app), start + UINT32_MAX);
	assert_non_null(load);
	assert_int_equal(load->base, start);
	assert_non_null(loaded_find_below(session.binder, name_of(app), start));
	assert_null(loaded_find_below(session.binder, name_of(app),
	                              start + UINT32_MAX + 1ull));
	assert_null(loaded_find_below(session.binder, name_of(app), start - 1));
	assert_null(loaded_find_below(session.binder, name_of("/app/x.dll"), start));
}

static void of_two_bases_the_nearer_counts(void **state)
{
	(void)state;
	add_perfinfo(app, start);
	add_perfinfo(app, start + 0x10000);
	add_perfinfo(app, start - 0x10000);
	assert_int_equal(loaded_find_below(session.binder, name_of(app), start + 5)->base,
	                 start);
	assert_int_equal(
	        loaded_find_below(session.binder, name_of(app), start + 0x10000)->base,
	        start + 0x10000);
}

/* Of two images at one base the one that perfinfo says last counts. */
static void of_equal_bases_the_last_counts(void **state)
{
	struct item *it;

	(void)state;
	add_perfinfo(app, start);
	it = add_file("perfinfo-8.map",
	              STR("ImageLoad;/app/calc.dll;"
	                  "{00000000-7269-4e7c-9624-2a2dd196d398};00007f0000400000;\n"));
	it->kind = ITEM_PERFINFO;
	assert_int_equal(loaded_find_below(session.binder, name_of(app), start)->mvid[0],
	                 0);
}

static void image_without_a_base_is_nowhere(void **state)
{
	(void)state;
	add_perfinfo(app, 0);
	assert_null(loaded_find_below(session.binder, name_of(app), 5));
}

static void one_mvid_is_that_of_a_path(void **state)
{
	unsigned char want[MVID_BYTES];

	(void)state;
	assert_true(perfmap_guid(str_of(guid), want));
	add_perfinfo(app, 0);
	add_perfinfo(app, start);
	assert_null(loaded_find_mvid(session.binder, name_of(app)));
	loaded_read(session.binder);
	assert_memory_equal(loaded_find_mvid(session.binder, name_of(app)), want,
	                    MVID_BYTES);
	assert_null(loaded_find_mvid(session.binder, name_of("/app/x.dll")));
}

static void two_mvids_are_none(void **state)
{
	struct item *it;

	(void)state;
	add_perfinfo(app, 0);
	it = add_file("perfinfo-8.map",
	              STR("ImageLoad;/app/calc.dll;"
	                  "{00000000-7269-4e7c-9624-2a2dd196d398};00007F3802320000;\n"));
	it->kind = ITEM_PERFINFO;
	loaded_read(session.binder);
	assert_null(loaded_find_mvid(session.binder, name_of(app)));
}

/* The image says where RVAs lie; its map may be in them or in offsets. */
static void map_names(uint64_t first, uint64_t second, uint64_t sampled, uint64_t at,
                      const char *want)
{
	const struct mapping *before = process_find(session.ps, PID, start, MODE_USER);
	const struct mapping *m = before ? before : mapped(app);
	struct bind_query q = { .m = m, .pid = PID, .ip = start + at + 8 };
	struct bound_name name;

	set_mvid(add_image(0, "calc.dll"));
	add_map(arena_fmt(&session.run, "%08llx 00000010 one\n%08llx 00000010 two\n",
	                  (unsigned long long)first, (unsigned long long)second)
	                .p);
	if (sampled)
		bind_note(session.binder, m, PID, start + sampled, false, false);
	decide();
	is_bound(m, true);
	assert_true(bind_find(session.binder, &q, &name));
	assert_true(str_eq(name.func, str_of(want)));
	assert_int_equal(name.off, *want == '[' ? CODE_RVA + at + 8 : 8);
}

static void map_in_rvas(void **state)
{
	(void)state;
	map_names(CODE_RVA + 0x200, CODE_RVA + LENGTH - 0x10, 0, 0x200, "one");
}

static void map_in_offsets(void **state)
{
	(void)state;
	map_names(CODE_OFF, CODE_OFF + LENGTH - 0x10, 0, LENGTH - 0x10, "two");
}

static void map_that_fits_both_ways_is_in_rvas(void **state)
{
	(void)state;
	map_names(CODE_RVA + 0x200, CODE_RVA + 0x800, 0, 0x200, "one");
}

static void unless_samples_tell_otherwise(void **state)
{
	(void)state;
	map_names(CODE_RVA + 0x200, CODE_RVA + 0x800, 0x2208, 0x2200, "one");
}

static void most_samples_tell(void **state)
{
	const struct mapping *m = mapped(app);

	(void)state;
	bind_note(session.binder, m, PID, start + 0x208, false, false);
	bind_note(session.binder, m, PID, start + 0x2808, false, false);
	map_names(CODE_RVA + 0x200, CODE_RVA + 0x800, 0x2208, 0x2200, "one");
}

static void what_the_map_does_not_have_is_named_by_the_image(void **state)
{
	(void)state;
	map_names(CODE_RVA + 0x200, CODE_RVA + 0x800, 0, 0x210, "[calc (ngen)]");
}

static struct merge merged(int32_t pid)
{
	struct merge mg;

	merge_process(session.binder, pid, &session.run, &mg);
	return mg;
}

static void image_without_methods_is_one_symbol(void **state)
{
	struct merge mg;

	(void)state;
	mapped(app);
	add_image(0, "calc.dll");
	decide();
	mg = merged(PID);
	assert_int_equal(mg.nparts, 1);
	assert_int_equal(mg.part[0].symbols, 1);
	assert_int_equal(mg.part[0].outside, 0);
	assert_int_equal(mg.part[0].at, start);
	assert_int_equal(mg.symbols.n, 1);
	assert_int_equal(mg.symbols.sym[0].start, start);
	assert_int_equal(mg.symbols.sym[0].end, start + LENGTH);
}

/* The first symbol begins before the mapping, the third behind it, the last one ends there. */
static void what_lies_outside_of_a_mapping_is_left_out(void **state)
{
	const struct symbol *last;
	struct merge mg;

	(void)state;
	mapped(app);
	add_map("00002fff 00000010 before\n00003000 00000010 first\n"
	        "00012000 00000010 a\n00012010 00000010 b\n00013040 00000010 "
	        "behind\n00012ff0 00000040 last\n");
	add_perfinfo(app, start - CODE_RVA);
	decide();
	mg = merged(PID);
	assert_int_equal(mg.nparts, 1);
	assert_int_equal(mg.part[0].symbols, 4);
	assert_int_equal(mg.part[0].outside, 2);
	assert_int_equal(mg.part[0].at, start);
	last = symtab_find(&mg.symbols, start + LENGTH - 1);
	assert_true(str_eq(last->name, STR("last")));
	assert_int_equal(last->end, start + LENGTH);
	assert_true(str_eq(symtab_find(&mg.symbols, start)->name, STR("first")));
	assert_null(symtab_find(&mg.symbols, start - 1));
}

/* By its sections the image says where an RVA of the map is, and where an offset. */
static void merged_map(uint64_t at, uint64_t in_image)
{
	struct merge mg;

	mapped(app);
	set_mvid(add_image(0, "calc.dll"));
	add_map(arena_fmt(&session.run, "%08llx 00000010 one\n", (unsigned long long)at)
	                .p);
	decide();
	mg = merged(PID);
	assert_true(str_eq(symtab_find(&mg.symbols, start + in_image)->name, STR("one")));
	assert_true(str_eq(symtab_find(&mg.symbols, start + in_image + 16)->name,
	                   STR("[calc (ngen)]")));
}

static void map_in_rvas_is_merged(void **state)
{
	(void)state;
	merged_map(CODE_RVA + LENGTH - 0x20, LENGTH - 0x20);
}

static void map_in_offsets_is_merged(void **state)
{
	(void)state;
	merged_map(CODE_OFF + 0x20, 0x20);
}

static void processes_are_listed_once_and_ascend(void **state)
{
	const int32_t *pid;
	struct event ev = { .kind = EV_MMAP };

	(void)state;
	add_image(0, "calc.dll");
	for (int32_t who = 9; who >= 7; who--)
		for (uint64_t i = 0; i < 2; i++) {
			ev.pid = ev.tid = who;
			ev.map = (struct mmap_event){ .start = start + i * LENGTH,
				                      .len = LENGTH,
				                      .file_off = CODE_OFF,
				                      .prot = 5,
				                      .path = str_of(app),
				                      .cpumode = MODE_USER };
			process_apply(session.ps, &ev);
		}
	note_calls(assumed("/other/calc.dll"), 0, 8, 0);
	decide();
	assert_int_equal(merge_processes(session.binder, &session.run, &pid), 3);
	assert_int_equal(pid[0], 7);
	assert_int_equal(pid[1], 8);
	assert_int_equal(pid[2], 9);
	assert_int_equal(merged(8).nparts, 2);
	assert_int_equal(merged(6).nparts, 0);
}

/* A perf map that names code in images as well: there the image's own names win. */
static void map_gives_way_in_images(void **state)
{
	static const uint64_t jit = 0x7f0000800000;
	struct merge mg;
	struct event ev = { .kind = EV_MMAP,
		            .pid = PID,
		            .tid = PID,
		            .map = { .start = jit,
		                     .len = 0x1000,
		                     .prot = 7,
		                     .path = STR("//anon"),
		                     .cpumode = MODE_USER } };

	(void)state;
	mapped(app);
	process_apply(session.ps, &ev);
	set_mvid(add_image(0, "calc.dll"));
	add_map(arena_fmt(&session.run, "%08llx 00000010 one\n",
	                  (unsigned long long)CODE_RVA + LENGTH - 0x20)
	                .p);
	add_file("perf-7.map", arena_fmt(&session.run, "%llx 40 image\n%llx 40 jit\n",
	                                 (unsigned long long)start + LENGTH - 0x30,
	                                 (unsigned long long)jit));
	bind_note(session.binder, process_find(session.ps, PID, jit, MODE_USER), PID, jit,
	          false, false);
	decide();
	mg = merged(PID);
	assert_int_equal(mg.nparts, 4);
	assert_true(str_eq(symtab_find(&mg.symbols, jit)->name, STR("jit")));
	assert_true(str_eq(symtab_find(&mg.symbols, start + LENGTH - 0x20)->name,
	                   STR("one")));
	assert_true(str_eq(symtab_find(&mg.symbols, start + LENGTH - 0x30)->name,
	                   STR("image")));
	assert_true(str_eq(symtab_find(&mg.symbols, start)->name, STR("[calc (ngen)]")));
}

static void precompiled_images_go_before_others(void **state)
{
	const struct mapping *m = mapped(app);

	(void)state;
	add_image(0, "x/calc.dll");
	memcpy(bytes[0] + CODE_OFF, "RTR", 4);
	add_image(1, "y/calc.dll");
	decide();
	assert_ptr_equal(bind_image(session.binder, m)->pe, &pe[0]);
}

/* Nobody was sampled in the image that verifies the other one. */
static void image_is_looked_for_at_once_where_another_is_assumed(void **state)
{
	static const char *const path[] = { "/d/X.App/1.0/b.dll", "/d/X.App/1.0/a.dll" };
	const struct mapping *m = assumed(path[0]);

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		add_image(i, path[i]);
		memcpy(bytes[i] + CODE_OFF, "RTR", 4);
		session.locator.item[i].source = &source_made[0];
		session.locator.item[i].member = 0;
	}
	mapped(path[1]);
	note_calls(m, 0, 1, 0);
	bind_decide(session.binder, session.ps, false);
	is_bound(m, true);
	assert_true(bind_image(session.binder, m)->beside);
}

static void refused_images_are_said(void **state)
{
	(void)state;
	for (size_t n = 1; n < 3; n++) {
		const char *text;

		session_over();
		session_made();
		for (size_t i = 0; i < n; i++) {
			const char *path = i ? "/app/b.dll" : "/app/a.dll";

			map_file(start * (i + 1), LENGTH - 0x1000, CODE_OFF, path);
			add_image(i, path + 5);
		}
		session_hear();
		decide();
		text = session_said();
		if (n == 1)
			assert_string_equal(text,
			                    "text: a.dll: not used: the image is another "
			                    "version: its code has another length\n");
		else
			assert_string_equal(
			        text, "text: 2 images not used; a.dll: the image is "
			              "another version: its code has another length\n");
	}
}

/* Maps of images that no process has: one by one if -m names them, else together. */
static void maps_that_are_not_placed_are_said(void **state)
{
	const char *text;

	(void)state;
	add_map("00003000 00000010 f\n");
	mapped("/app/other.dll");
	session_hear();
	decide();
	assert_string_equal(
	        session_said(),
	        "text: calc.ni.{1f33821d-7269-4e7c-9624-2a2dd196d398}.map: not "
	        "placed: no process mapped its image\n");
	for (size_t n = 1; n < 3; n++) {
		session_over();
		session_made();
		mapped("/app/other.dll");
		add_files(n, "calc.ni.{1f33821d-7269-4e7c-9624-2a2dd196d398}.map",
		          STR("00003000 00000010 f\n"));
		session.locator.item[0].source->kind = SOURCE_DIR;
		for (size_t i = 0; i < n; i++)
			locate_perfmap(&session.locator, &session.locator.item[i]);
		session_hear();
		decide();
		text = session_said();
		assert_non_null(strstr(text, n == 1 ? "text: 0/calc.ni."
		                                    : "text: 2 maps not placed; "
		                                      "0/calc.ni."));
		assert_non_null(strstr(text, "no process mapped its image\n"));
	}
}

static void images_of_one_name_are_tried(void **state)
{
	(void)state;
	for (size_t n = 255; n <= 256; n++) {
		const struct mapping *m;

		session_over();
		session_made();
		m = mapped(app);
		add_image(0, "calc.dll");
		add_files(n, "calc.dll", STR("text"));
		decide();
		is_bound(m, n < 256);
	}
}

/* The only right load, or the only other one, is the first of a path. */
static void loads_of_one_path_are_tried(void **state)
{
	(void)state;
	for (size_t n = 255; n <= 256; n++) {
		struct str other = STR("{2f33821d-7269-4e7c-9624-2a2dd196d398}"), text;
		const struct mapping *m;
		struct item *it;

		session_over();
		session_made();
		m = mapped(app);
		text = arena_fmt(&session.run, "ImageLoad;%s;%s;0;\n", app, guid);
		for (size_t i = 0; i < n; i++)
			text = arena_fmt(&session.run,
			                 "%sImageLoad;%s;" PRSTR ";%zx0000;\n", text.p,
			                 app, STRARG(other), i + 1);
		it = add_file("perfinfo-7.map", text);
		it->kind = ITEM_PERFINFO;
		set_mvid(add_image(0, "calc.dll"));
		decide();
		is_bound(m, n < 256);
		assert_int_equal(loaded_find_mvid(session.binder, m->path) == NULL,
		                 n < 256);
	}
}

/* By perfinfo and map alone: the base of the first load is the only one below. */
static void bases_of_one_path_are_tried(void **state)
{
	(void)state;
	for (size_t n = 255; n <= 256; n++) {
		const struct mapping *m;
		struct item *it;
		struct str text;

		session_over();
		session_made();
		m = mapped(app);
		text = arena_fmt(&session.run, "ImageLoad;%s;%s;%llx;\n", app, guid,
		                 (unsigned long long)(start - CODE_RVA));
		for (size_t i = 0; i < n; i++)
			text = arena_fmt(&session.run, "%sImageLoad;%s;%s;%llx;\n",
			                 text.p, app, guid,
			                 (unsigned long long)(2 * start + (i << 16)));
		add_map("00003000 00000010 f\n");
		it = add_file("perfinfo-7.map", text);
		it->kind = ITEM_PERFINFO;
		decide();
		is_bound(m, n < 256);
	}
}

static void maps_of_one_name_are_tried(void **state)
{
	(void)state;
	for (size_t n = 255; n <= 256; n++) {
		const struct mapping *m;

		session_over();
		session_made();
		m = mapped(app);
		add_map("00003000 00000010 f\n");
		add_files(n, arena_fmt(&session.run, "calc.ni.%s.map", guid).p,
		          STR("\177ELF"));
		add_perfinfo(app, start - CODE_RVA);
		decide();
		is_bound(m, n < 256);
	}
}

/* A file that is called like a map, and is none. */
static void file_called_like_a_map_is_passed_over(void **state)
{
	const struct mapping *m = mapped(app);

	(void)state;
	add_image(0, "calc.dll");
	add_file("calc.ni.r2rmap", STR("\177ELF"));
	decide();
	is_bound(m, true);
	assert_null(bind_image(session.binder, m)->map);
}

#define test(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(length_is_that_of_the_code),
		test(another_length_is_another_version),
		test(image_that_is_cut_off_is_the_one),
		test(three_in_four_addresses_follow_calls),
		test(fewer_than_three_in_four_are_another_version),
		test(other_addresses_say_nothing),
		test(unknown_instructions_say_nothing),
		test(image_of_that_mvid_without_calls_is_damaged),
		test(another_mvid_is_another_version),
		test(perfinfo_of_another_path_says_nothing),
		test(assumed_needs_8_calls),
		test(assumed_with_7_calls_is_none),
		test(assumed_needs_9_calls_in_10),
		test(assumed_with_fewer_is_none),
		test(assumed_of_that_mvid_needs_one_call),
		test(assumed_of_that_mvid_without_a_call_is_none),
		test(framework_is_one_build),
		test(another_directory_is_no_framework),
		test(framework_is_called_app),
		test(core_library_without_a_version_verifies_none),
		test(version_beside_it_may_not_fail_a_call),
		test(longest_common_path_wins),
		test(last_source_of_equal_paths_wins),
		test(frame_may_ask_later),
		test(sampled_image_is_looked_for_at_once),
		test(refusal_is_known_later),
		test(next_base_below_counts),
		test(base_is_at_most_4_gib_below),
		test(of_two_bases_the_nearer_counts),
		test(of_equal_bases_the_last_counts),
		test(image_without_a_base_is_nowhere),
		test(one_mvid_is_that_of_a_path),
		test(two_mvids_are_none),
		test(map_in_rvas),
		test(map_in_offsets),
		test(map_that_fits_both_ways_is_in_rvas),
		test(unless_samples_tell_otherwise),
		test(most_samples_tell),
		test(what_the_map_does_not_have_is_named_by_the_image),
		test(image_without_methods_is_one_symbol),
		test(what_lies_outside_of_a_mapping_is_left_out),
		test(map_in_rvas_is_merged),
		test(map_in_offsets_is_merged),
		test(processes_are_listed_once_and_ascend),
		test(map_gives_way_in_images),
		test(precompiled_images_go_before_others),
		test(image_is_looked_for_at_once_where_another_is_assumed),
		test(refused_images_are_said),
		test(maps_that_are_not_placed_are_said),
		test(images_of_one_name_are_tried),
		test(loads_of_one_path_are_tried),
		test(bases_of_one_path_are_tried),
		test(maps_of_one_name_are_tried),
		test(file_called_like_a_map_is_passed_over),
	};

	return cmocka_run_group_tests_name("match_images", tests, NULL, NULL);
}

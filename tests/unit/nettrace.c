#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "given.h"
#include "netmade.h"
#include "reader/fields.h"
#include "reader/reader.h"

enum { SAMPLE = 1, METHOD, MODULE, COMMAND, MAPPING, FILE_ID, SYMBOL, PROCESS, IL_MAP };

static struct arena run;
static struct diag diag;
static struct source *source;
static struct netmade file, block, payload;

static enum source_look look(struct str name, struct str head)
{
	(void)name;
	(void)head;
	return LOOK_WHOLE;
}

static void close_bytes(void)
{
	source_close(source);
	source = NULL;
	given_none();
}

/* One reader at a time: the tests open hundreds, and descriptors are few. */
static struct reader *open_bytes(struct str bytes)
{
	struct source_opts opts = {
		.look = look, .is_profile = true, .run = &run, .diag = &diag
	};

	close_bytes();
	diag = (struct diag){ .prog = "test", .quiet = true };
	source = source_open(given(&run, bytes), &opts);
	assert_non_null(source);
	return reader_open(source, 0, &run, &diag);
}

static int leave(void **state)
{
	(void)state;
	close_bytes();
	arena_release(&run);
	return 0;
}

/* Version 4: a metadata row is an event whose payload says what it means. */
static void define4(struct netmade *b, unsigned id, const char *provider, unsigned event)
{
	static struct netmade row;

	row.n = 0;
	net_u32(&row, id);
	net_wide(&row, provider);
	net_u32(&row, event);
	net_wide(&row, "");
	net_event(b, 0, 0, 0, 0, &row);
}

static void put_metadata4(void)
{
	net_events(&block);
	define4(&block, SAMPLE, "Microsoft-DotNETCore-SampleProfiler", 0);
	define4(&block, METHOD, "Microsoft-Windows-DotNETRuntimeRundown", 144);
	define4(&block, MODULE, "Microsoft-Windows-DotNETRuntimeRundown", 154);
	define4(&block, COMMAND, "Microsoft-DotNETCore-EventPipe", 1);
	net_block4(&file, "MetadataBlock", &block);
}

static void put_stacks4(void)
{
	block.n = 0;
	net_u32(&block, 5);
	net_u32(&block, 2);
	net_u32(&block, 16);
	net_u64(&block, 0x1010);
	net_u64(&block, 0x2020);
	net_u32(&block, 0);
	net_block4(&file, "StackBlock", &block);
}

static const struct netmade *kind_of_sample(unsigned kind)
{
	payload.n = 0;
	net_u32(&payload, kind);
	return &payload;
}

static const struct netmade *method(unsigned flags, const char *signature)
{
	payload.n = 0;
	net_u64(&payload, 1);
	net_u64(&payload, 9);
	net_u64(&payload, 0x1000);
	net_u32(&payload, 0x40);
	net_u32(&payload, 0);
	net_u32(&payload, flags);
	net_wide(&payload, "App.Program+<Main>d__3");
	net_wide(&payload, "Run");
	net_wide(&payload, signature);
	return &payload;
}

static const struct netmade *module(const char *path)
{
	payload.n = 0;
	net_u64(&payload, 9);
	net_u64(&payload, 0);
	net_u64(&payload, 0);
	net_wide(&payload, path);
	return &payload;
}

/* Two blocks whose events take turns, then what names the code. */
static void make4(void)
{
	net_begin4(&file);
	put_metadata4();
	put_stacks4();
	net_events(&block);
	payload.n = 0;
	net_wide(&payload, "/srv/app/web --port 1");
	net_event(&block, COMMAND, 77, 0, 1, &payload);
	net_event(&block, SAMPLE, 78, 5, 9, kind_of_sample(2));
	net_event(&block, SAMPLE, 78, 6, 20, kind_of_sample(1));
	net_block4(&file, "EventBlock", &block);
	net_events(&block);
	net_event(&block, SAMPLE, 79, 5, 20, kind_of_sample(2));
	net_event(&block, METHOD, 77, 0, 80,
	          method(8 | 3 << 7, "instance void  (int32)"));
	net_event(&block, MODULE, 77, 0, 0, module("C:\\app\\My.Web.dll"));
	net_block4(&file, "EventBlock", &block);
	net_u8(&file, 1);
}

/* Buffers of two threads in one block, and the end of the second in another. */
static void make_unordered(void)
{
	net_begin4(&file);
	put_metadata4();
	net_events(&block);
	net_event(&block, SAMPLE, 78, 0, 20, kind_of_sample(2));
	net_event(&block, SAMPLE, 78, 0, 20, kind_of_sample(2));
	net_event(&block, SAMPLE, 79, 0, (uint64_t)-30, kind_of_sample(2));
	net_event(&block, SAMPLE, 79, 0, 20, kind_of_sample(2));
	net_block4(&file, "EventBlock", &block);
	net_events(&block);
	net_event(&block, SAMPLE, 79, 0, 35, kind_of_sample(2));
	net_lose(79);
	net_lose(79);
	net_event(&block, SAMPLE, 79, 0, 15, kind_of_sample(2));
	net_block4(&file, "EventBlock", &block);
	net_u8(&file, 1);
}

static struct event next(struct reader *r)
{
	struct event ev;

	assert_int_equal(reader_next(r, &ev), 1);
	return ev;
}

static void assert_str(struct str got, const char *want)
{
	assert_int_equal(got.n, strlen(want));
	assert_memory_equal(got.p, want, got.n);
}

static void check4(struct reader *r)
{
	struct event ev = next(r);

	assert_int_equal(ev.kind, EV_MMAP);
	assert_int_equal(ev.pid, 77);
	ev = next(r);
	assert_int_equal(ev.kind, EV_SAMPLE);
	assert_int_equal(ev.tid, 78);
	assert_int_equal(ev.time_ns, 10000);
	assert_str(ev.comm, "web");
	assert_str(ev.attr->name, "managed");
	assert_int_equal(ev.nframes, 2);
	assert_int_equal(ev.frames[0].ip, 0x1010);
	assert_false(ev.frames[0].caller);
	assert_int_equal(ev.frames[1].ip, 0x2020);
	assert_true(ev.frames[1].caller);
	ev = next(r);
	assert_int_equal(ev.tid, 79);
	assert_int_equal(ev.time_ns, 20000);
	ev = next(r);
	assert_int_equal(ev.tid, 78);
	assert_int_equal(ev.time_ns, 30000);
	assert_str(ev.attr->name, "external");
	assert_int_equal(ev.nframes, 0);
	ev = next(r);
	assert_int_equal(ev.kind, EV_CODE);
	assert_int_equal(ev.pid, 77);
	assert_int_equal(ev.map.start, 0x1000);
	assert_int_equal(ev.map.len, 0x40);
	assert_str(ev.map.path, "instance void [My.Web] "
	                        "App.Program+<Main>d__3::Run(int32)[QuickJitted]");
	assert_int_equal(reader_next(r, &ev), 0);
}

static void test_version_4(void **state)
{
	struct reader *r;

	(void)state;
	make4();
	r = open_bytes(net_bytes(&file));
	assert_non_null(r);
	assert_true(reader_traits(r)->is_runtime);
	check4(r);
	reader_rewind(r);
	check4(r);
	assert_int_equal(diag.damaged, 0);
	reader_close(r);
}

/* The table of a method: u64 method, u64 rejit, u8, u16 count, IL offsets, native offsets. */
static const struct netmade *il_map(unsigned rejit, uint32_t il)
{
	payload.n = 0;
	net_u64(&payload, 1);
	net_u64(&payload, rejit);
	net_u8(&payload, 0);
	net_u16(&payload, 2);
	net_u32(&payload, 0);
	net_u32(&payload, il);
	net_u32(&payload, 4);
	net_u32(&payload, 8);
	net_u16(&payload, 1);
	net_u64(&payload, 0);
	return &payload;
}

static const struct netmade *method_of(uint32_t token, unsigned rejit)
{
	payload.n = 0;
	net_u64(&payload, 1);
	net_u64(&payload, 9);
	net_u64(&payload, 0x1000);
	net_u32(&payload, 0x40);
	net_u32(&payload, token);
	net_u32(&payload, 8);
	net_wide(&payload, "App");
	net_wide(&payload, "Run");
	net_wide(&payload, "void  ()");
	net_u16(&payload, 1);
	net_u64(&payload, rejit);
	return &payload;
}

static const struct netmade *module_with_pdb(void)
{
	module("/srv/app/web.dll");
	net_wide(&payload, "");
	net_u16(&payload, 1);
	net_put(&payload, "0123456789abcdef", 16);
	net_u32(&payload, 1);
	net_wide(&payload, "/build/web.pdb");
	return &payload;
}

/* A method with several versions has a table for each. */
static void test_il_maps(void **state)
{
	const struct code_fields *code;
	struct reader *r;
	struct event ev;

	(void)state;
	net_begin4(&file);
	net_events(&block);
	define4(&block, METHOD, "Microsoft-Windows-DotNETRuntimeRundown", 144);
	define4(&block, MODULE, "Microsoft-Windows-DotNETRuntimeRundown", 154);
	define4(&block, IL_MAP, "Microsoft-Windows-DotNETRuntimeRundown", 150);
	net_block4(&file, "MetadataBlock", &block);
	net_events(&block);
	net_event(&block, IL_MAP, 77, 0, 1, il_map(0, 5));
	net_event(&block, IL_MAP, 77, 0, 1, il_map(2, 7));
	net_event(&block, METHOD, 77, 0, 1, method_of(0x06000003, 2));
	net_event(&block, METHOD, 77, 0, 1, method_of(0x06000003, 1));
	net_event(&block, METHOD, 77, 0, 1, method_of(0x0a000003, 2));
	net_event(&block, MODULE, 77, 0, 0, module_with_pdb());
	net_block4(&file, "EventBlock", &block);
	net_u8(&file, 1);
	r = open_bytes(net_bytes(&file));
	for (int pass = 0; pass < 2; pass++) {
		next(r); /* the mapping */
		ev = next(r);
		code = ev.other->code;
		assert_int_equal(code->method, 3);
		assert_str(code->image, "/srv/app/web.dll");
		assert_str(code->pdb, "/build/web.pdb");
		assert_str(code->guid, "0123456789abcdef");
		assert_int_equal(code->il.n, 8);
		assert_int_equal(code->il.p[4], 7);
		assert_int_equal(code->native.p[4], 8);
		ev = next(r);
		assert_int_equal(ev.other->code->il.n, 0);
		assert_null(next(r).other);
		reader_rewind(r);
	}
	reader_close(r);
}

static void check_unordered(struct reader *r)
{
	static const struct {
		int tid;
		uint64_t ns;
	} want[] = { { 79, 10000 }, { 78, 20000 }, { 79, 30000 },
		     { 79, 35000 }, { 78, 40000 }, { 79, 50000 } };
	struct event ev = next(r);

	assert_int_equal(ev.kind, EV_MMAP);
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		ev = next(r);
		if (i == 5) {
			assert_int_equal(ev.kind, EV_LOST);
			assert_int_equal(ev.weight, 2);
			assert_int_equal(ev.tid, 79);
			ev = next(r);
		}
		assert_int_equal(ev.kind, EV_SAMPLE);
		assert_int_equal(ev.tid, want[i].tid);
		assert_int_equal(ev.time_ns, want[i].ns);
	}
	assert_int_equal(reader_next(r, &ev), 0);
}

/* Events come in the order of time, and those that are missing are told of. */
static void test_order(void **state)
{
	struct reader *r;

	(void)state;
	make_unordered();
	r = open_bytes(net_bytes(&file));
	check_unordered(r);
	reader_rewind(r);
	check_unordered(r);
	reader_close(r);
}

/* At each length: never more than there is, damage is said once, samples stay. */
static void test_cut_anywhere(void **state)
{
	size_t samples_before = 0;

	(void)state;
	make4();
	for (size_t n = 102; n < file.n; n++) {
		struct reader *r = open_bytes((struct str){ file.bytes, n });
		size_t samples = 0;
		struct event ev;
		int got;

		assert_non_null(r);
		while ((got = reader_next(r, &ev)) != 0)
			samples += got == 1 && ev.kind == EV_SAMPLE;
		assert_true(samples >= samples_before && samples <= 3);
		assert_int_equal(diag.damaged, 1);
		samples_before = samples;
		reader_close(r);
		leave(NULL);
	}
	assert_int_equal(samples_before, 3);
}

static void read_flipped(size_t at)
{
	struct reader *r;
	struct event ev;
	size_t n = 0;

	file.bytes[at] = (char)~file.bytes[at];
	r = open_bytes(net_bytes(&file));
	while (r && reader_next(r, &ev) != 0)
		assert_true(++n < file.n);
	reader_close(r);
	file.bytes[at] = (char)~file.bytes[at];
	leave(NULL);
}

static void make6(void);

/* Any byte wrong: it ends, and under the sanitizers reads nothing that is not its own. */
static void test_flipped_anywhere(void **state)
{
	(void)state;
	make4();
	for (size_t i = 0; i < file.n; i++)
		read_flipped(i);
	make6();
	for (size_t i = 0; i < file.n; i++)
		read_flipped(i);
}

static void test_damaged_object(void **state)
{
	struct reader *r;
	struct event ev;
	size_t samples = 0;
	int got, damage = 0;

	(void)state;
	make4();
	/* The second block's first byte; the rest of the file is found again. */
	for (size_t i = 100; i < file.n; i++)
		if (memcmp(file.bytes + i, "\5\5\1\2", 4) == 0) {
			file.bytes[i] = 9;
			break;
		}
	r = open_bytes(net_bytes(&file));
	while ((got = reader_next(r, &ev)) != 0) {
		samples += got == 1 && ev.kind == EV_SAMPLE;
		damage += got < 0;
	}
	/* Its metadata is gone, and so is what the events mean; but nothing breaks. */
	assert_int_equal(samples, 0);
	assert_int_equal(damage, 1);
	reader_close(r);
}

static void field6(struct netmade *m, const char *name, unsigned type)
{
	net_u16(m, (unsigned)strlen(name) + 2);
	net_text8(m, name);
	net_u8(m, type);
}

enum { VARUINT = 21, UTF8 = 23 };

static bool is_text(const char *field)
{
	return strcmp(field, "Name") == 0 || strcmp(field, "FileName") == 0 ||
	       strcmp(field, "SymbolMetadata") == 0;
}

static void define6(unsigned id, const char *provider, const char *name, size_t n,
                    const char *const fields[])
{
	static struct netmade row;

	row.n = 0;
	net_var(&row, id);
	net_text8(&row, provider);
	net_var(&row, id);
	net_text8(&row, name);
	net_u16(&row, (unsigned)n);
	for (size_t i = 0; i < n; i++)
		field6(&row, fields[i], is_text(fields[i]) ? UTF8 : VARUINT);
	net_u16(&block, (unsigned)row.n);
	net_put(&block, row.bytes, row.n);
}

static void put_metadata6(void)
{
	static const char *const value[] = { "Value" };
	static const char *const mapping[] = {
		"Id", "StartAddress", "EndAddress", "FileOffset", "FileName", "MetadataId"
	};
	static const char *const ids[] = { "Id", "SymbolMetadata" };
	static const char *const symbol[] = { "Id", "MappingId", "StartAddress",
		                              "EndAddress", "Name" };
	static const char *const process[] = { "NamespaceId", "Name" };

	block.n = 0;
	net_u16(&block, 0);
	define6(SAMPLE, "Universal.Events", "cpu", 1, value);
	define6(MAPPING, "Universal.System", "ProcessMapping", 6, mapping);
	define6(FILE_ID, "Universal.System", "ProcessMappingMetadata", 2, ids);
	define6(SYMBOL, "Universal.System", "ProcessSymbol", 5, symbol);
	define6(PROCESS, "Universal.System", "ExistingProcess", 2, process);
	net_block6(&file, 3, &block);
}

static void put_events6(void)
{
	net_events(&block);
	payload.n = 0;
	net_var(&payload, 1);
	netevent_kind_text(&payload, "worker");
	net_event(&block, PROCESS, 1, 0, 10, &payload);
	payload.n = 0;
	net_var(&payload, 4);
	netevent_kind_text(&payload, "{\"type\": \"ELF\",\"build_id\": \"00ff7e\"}");
	net_event(&block, FILE_ID, 1, 0, 0, &payload);
	payload.n = 0;
	net_var(&payload, 3);
	net_var(&payload, 0x400000);
	net_var(&payload, 0x402000);
	net_var(&payload, 0x1000);
	netevent_kind_text(&payload, "/srv/app/lib.so");
	net_var(&payload, 4);
	net_event(&block, MAPPING, 1, 0, 0, &payload);
	payload.n = 0;
	net_var(&payload, 1);
	net_var(&payload, 3);
	net_var(&payload, 0x400100);
	net_var(&payload, 0x40010f);
	netevent_kind_text(&payload, "work");
	net_event(&block, SYMBOL, 1, 0, 0, &payload);
	payload.n = 0;
	net_var(&payload, 250);
	net_event(&block, SAMPLE, 1, 1, 5, &payload);
	net_block6(&file, 2, &block);
}

static void make6(void)
{
	net_begin6(&file);
	put_metadata6();
	block.n = 0;
	net_u16(&block, 7);
	net_u8(&block, 1);
	net_u8(&block, 2);
	net_var(&block, 300);
	net_u8(&block, 3);
	net_var(&block, 301);
	net_block6(&file, 6, &block);
	block.n = 0;
	net_u32(&block, 1);
	net_u32(&block, 1);
	net_u32(&block, 24);
	net_u64(&block, 0xffffffff81000010);
	net_u64(&block, 0x400104);
	net_u64(&block, 0x400108);
	net_block6(&file, 5, &block);
	put_events6();
	net_u32(&file, 0);
}

static void test_version_6(void **state)
{
	struct reader *r;
	struct event ev;

	(void)state;
	make6();
	r = open_bytes(net_bytes(&file));
	assert_non_null(r);
	ev = next(r);
	assert_int_equal(ev.kind, EV_MMAP);
	assert_int_equal(ev.pid, 300);
	assert_int_equal(ev.map.start, 0x400000);
	assert_int_equal(ev.map.len, 0x2000);
	assert_int_equal(ev.map.file_off, 0x1000);
	assert_str(ev.map.path, "/srv/app/lib.so");
	assert_int_equal(ev.map.build_id.n, 3);
	assert_memory_equal(ev.map.build_id.p, "\0\xff\x7e", 3);
	ev = next(r);
	assert_int_equal(ev.kind, EV_CODE);
	assert_int_equal(ev.map.start, 0x400100);
	assert_int_equal(ev.map.len, 0x10);
	assert_str(ev.map.path, "work");
	ev = next(r);
	assert_int_equal(ev.kind, EV_SAMPLE);
	assert_int_equal(ev.pid, 300);
	assert_int_equal(ev.tid, 301);
	assert_int_equal(ev.time_ns, 15);
	assert_int_equal(ev.weight, 250);
	assert_str(ev.comm, "worker");
	assert_str(ev.attr->name, "cpu");
	assert_int_equal(ev.nframes, 3);
	assert_int_equal(ev.frames[0].cpumode, MODE_KERNEL);
	assert_int_equal(ev.frames[1].cpumode, MODE_USER);
	assert_false(ev.frames[1].caller);
	assert_true(ev.frames[2].caller);
	assert_int_equal(reader_next(r, &ev), 0);
	assert_int_equal(diag.damaged, 0);
	reader_close(r);
}

static void test_other_versions(void **state)
{
	(void)state;
	make6();
	file.bytes[12] = 7;
	assert_null(open_bytes(net_bytes(&file)));
	file.bytes[12] = 6;
	file.bytes[24 + 36 - 4] = 3; /* bytes of a pointer */
	assert_null(open_bytes(net_bytes(&file)));
	assert_null(open_bytes(STR("Nettrace")));
}

/* What the method is called when its signature is that. */
static void check_spelling(const char *signature, unsigned flags, const char *want)
{
	struct reader *r;
	struct event ev;
	int got;

	net_begin4(&file);
	put_metadata4();
	net_events(&block);
	net_event(&block, METHOD, 77, 0, 1, method(flags, signature));
	net_block4(&file, "EventBlock", &block);
	net_u8(&file, 1);
	r = open_bytes(net_bytes(&file));
	while ((got = reader_next(r, &ev)) != 0)
		if (got == 1 && ev.kind == EV_CODE)
			assert_str(ev.map.path, want);
	reader_close(r);
	leave(NULL);
}

static void test_spelling(void **state)
{
	(void)state;
	check_spelling(
	        "unsigned int8&  (value class System.Span`1<wchar>,int,unsigned int)",
	        8 | 4 << 7,
	        "uint8& App.Program+<Main>d__3::Run(valuetype System.Span`1<char>,"
	        "native int,native uint)[OptimizedTier1]");
	check_spelling(
	        "class System.Object  (class System.String,class System.StringBuilder)",
	        0,
	        "object App.Program+<Main>d__3::Run(string,class "
	        "System.StringBuilder)[PreJIT]");
	check_spelling("instance int32  (int32,Point)", 8,
	               "instance int32 App.Program+<Main>d__3::Run(int32,Point)");
	check_spelling("void", 8, "void App.Program+<Main>d__3::Run");
}

#define test(name) cmocka_unit_test_teardown(name, leave)

static void process_is(struct reader *r, const char *wanted)
{
	const struct str name = str_of(wanted);
	const struct event_names names = { &name, 1, false };
	struct trace_value v;
	struct event ev;

	reader_rewind(r);
	reader_want_events(r, &names);
	do
		ev = next(r);
	while (ev.kind != EV_SAMPLE);
	assert_str(ev.attr->name, "Universal.System/ExistingProcess");
	assert_int_equal(ev.weight, 1);
	assert_true(reader_trace_value(r, &ev, STR("Name"), &v));
	assert_str(v.text, "worker");
	assert_true(reader_trace_value(r, &ev, STR("NamespaceId"), &v));
	assert_int_equal(v.text.n, 0);
	assert_false(reader_trace_value(r, &ev, STR("Value"), &v));
}

static size_t count_samples(struct reader *r)
{
	struct event ev;
	size_t n = 0;

	reader_rewind(r);
	while (reader_next(r, &ev) > 0)
		n += ev.kind == EV_SAMPLE;
	return n;
}

/* An event is delivered by its name, with its provider or without, and no other is. */
static void test_wanted_events(void **state)
{
	static const struct event_names every = { .all = true };
	static const struct str none = { "System/ExistingProcess", 22 };
	static const struct event_names other = { &none, 1, false };
	struct reader *r;
	size_t samples;

	(void)state;
	make6();
	r = open_bytes(net_bytes(&file));
	samples = count_samples(r);
	process_is(r, "ExistingProcess");
	assert_int_equal(count_samples(r), samples + 1);
	process_is(r, "Universal.System/ExistingProcess");
	reader_want_events(r, &other);
	assert_int_equal(count_samples(r), samples);
	reader_want_events(r, &every);
	assert_int_equal(count_samples(r), samples + 2); /* and ProcessMappingMetadata */
	reader_want_events(r, NULL);
	assert_int_equal(count_samples(r), samples);
	reader_close(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(test_version_4),      test(test_il_maps),
		test(test_cut_anywhere),   test(test_flipped_anywhere),
		test(test_damaged_object), test(test_version_6),
		test(test_other_versions), test(test_spelling),
		test(test_wanted_events),  test(test_order),
	};

	return cmocka_run_group_tests_name("nettrace", tests, NULL, NULL);
}

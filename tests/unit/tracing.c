/* Tracepoint formats: which are trusted, and what a payload becomes. */
#include "reader/tracepoint/tracing.h"

#include <endian.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "reader/reader.h"
#include "reader/tracepoint/array_length.h"
#include "reader/tracepoint/format_check.h"

#define HEAD                                                                             \
	"name: made\nID: 7\nformat:\n"                                                   \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"           \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"           \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"   \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"                       \
	"\n"                                                                             \
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"                       \
	"\tfield:__data_loc char[] text;\toffset:24;\tsize:4;\tsigned:0;\n"              \
	"\tfield:u32 n;\toffset:28;\tsize:4;\tsigned:0;\n"                               \
	"\tfield:unsigned long state;\toffset:32;\tsize:8;\tsigned:0;\n"                 \
	"\nprint fmt: "

static struct arena run;
static struct out out;
static char blob[1 << 17], payload[64];
static size_t blob_n;

static int enter(void **state)
{
	(void)state;
	memset(payload, 0, sizeof(payload));
	return 0;
}

static int leave(void **state)
{
	(void)state;
	arena_release(&run);
	return 0;
}

static void put(const void *p, size_t n)
{
	memcpy(blob + blob_n, p, n);
	blob_n += n;
}

static void put_number(uint64_t v, size_t size, bool big)
{
	for (size_t i = 0; i < size; i++)
		blob[blob_n++] = (char)(v >> 8 * (big ? size - 1 - i : i));
}

static struct str make_blob(const char *format, bool big)
{
	blob_n = 0;
	put("\x17\x08\x44tracing0.6", 14);
	blob[13] = 0;
	put_number(big, 1, false);
	put_number(8, 1, false);
	put_number(4096, 4, big);
	put("header_page", 12);
	put_number(0, 8, big);
	put("header_event", 13);
	put_number(0, 8, big);
	put_number(0, 4, big);
	put_number(1, 4, big);
	put("sys", 4);
	put_number(1, 4, big);
	put_number(strlen(format), 8, big);
	put(format, strlen(format));
	return (struct str){ blob, blob_n };
}

static void fill_payload(uint32_t n, uint64_t state)
{
	const uint32_t text = htole32(6 << 16 | 40);

	n = htole32(n);
	state = htole64(state);
	payload[0] = 7;
	memcpy(payload + 8, "worker", 6);
	memcpy(payload + 24, &text, 4);
	memcpy(payload + 28, &n, 4);
	memcpy(payload + 32, &state, 8);
	memcpy(payload + 40, "hello", 6);
}

/* NULL: refused. */
static const char *print(const char *format)
{
	struct tracing *t = tracing_open(make_blob(format, false), &run);
	static char text[1 << 16];
	bool known;

	assert_non_null(t);
	out = (struct out){ .fd = -1 };
	known = tracing_text(t, 7, 0, (struct str){ payload, 46 }, &out);
	tracing_close(t);
	assert_true(out.n < sizeof(text));
	if (out.n)
		memcpy(text, out.buf, out.n);
	text[out.n] = 0;
	return known ? text : NULL;
}

static void payload_is_printed_by_its_format(void **state)
{
	(void)state;
	fill_payload(5, 2);
	assert_string_equal(print(HEAD "\"comm=%s n=%d\", REC->comm, REC->n\n"),
	                    "comm=worker n=5");
	assert_string_equal(print(HEAD "\"%s %lx\", __get_str(text), REC->state << 4\n"),
	                    "hello 20");
	assert_string_equal(print(HEAD
	                          "\"s=%s%s\", __print_symbolic(REC->n, { 4, \"four\" }, "
	                          "{ 5, \"five\" }), REC->state & 1 ? \"+\" : \"\"\n"),
	                    "s=five");
	assert_string_equal(
	        print(HEAD "\"f=%s\", __print_flags(REC->n, \"|\", { 0x1, \"A\" }, "
	                   "{ (unsigned long)(((1UL)) << (2)), \"C\" })\n"),
	        "f=A|C");
	assert_string_equal(print(HEAD "\"%s\", __print_hex(__get_dynamic_array(text), "
	                               "REC->n)\n"),
	                    "68 65 6c 6c 6f");
}

static void fields_that_are_numbers_are_read_and_listed(void **state)
{
	struct str whole = { payload, 46 };
	struct tracing *t;
	int64_t v = 0;

	(void)state;
	fill_payload(0xfffffff0, UINT64_MAX - 10);
	payload[4] = payload[5] = payload[6] = payload[7] = (char)0xff;
	t = tracing_open(make_blob(HEAD "\"n=%u\", REC->n\n", false), &run);
	assert_non_null(t);
	assert_true(tracing_number(t, 7, whole, STR("n"), &v) && v == 0xfffffff0);
	assert_true(tracing_number(t, 7, whole, STR("common_pid"), &v) && v == -1);
	/* 64 bits are read as signed. */
	assert_true(tracing_number(t, 7, whole, STR("state"), &v) && v == -11);
	assert_false(tracing_number(t, 7, whole, STR("comm"), &v));
	assert_false(tracing_number(t, 7, whole, STR("text"), &v));
	assert_false(tracing_number(t, 7, whole, STR("nonesuch"), &v));
	assert_false(tracing_number(t, 8, whole, STR("n"), &v));
	assert_true(str_eq(tracing_fields(t, 7, &run), STR("n, state")));
	assert_false(tracing_fields(t, 8, &run).n);
	tracing_close(t);
}

/* As the library prints what it cannot evaluate. */
static void what_cannot_be_evaluated_is_shown_as_fields(void **state)
{
	static const char *const prints[] = { "\"%u\", jiffies_to_msecs(REC->n)",
		                              "\"%d\", ({ int x; x; })", "" };

	(void)state;
	fill_payload(5, 2);
	for (size_t i = 0; i < sizeof(prints) / sizeof(*prints); i++) {
		char text[2048];

		snprintf(text, sizeof(text), HEAD "%s\n", prints[i]);
		assert_string_equal(print(text), "[FAILED TO PARSE] comm=worker "
		                                 "text=hello n=5 state=0x2");
	}
	assert_null(print("name: made\nID: 7\nformat:\n\tfield:int x;\n"
	                  "\nprint fmt: \"%d\", ({ 1; })\n"));
}

static struct str name_one(void *ctx, uint64_t ip, uint64_t *begin, struct str *module)
{
	(void)ctx;
	(void)module;
	*begin = 0x1000;
	return ip < 0x1100 ? STR("do_work") : (struct str){ 0 };
}

static void addresses_are_named(void **state)
{
	static const struct trace_names names = { .name = name_one };
	struct tracing *t = tracing_open(
	        make_blob(HEAD "\"%ps %pS\", (void *)(REC)->state, (void *)REC->state\n",
	                  false),
	        &run);

	(void)state;
	for (uint64_t ip = 0x1004; ip < 0x1300; ip += 0x200) {
		out = (struct out){ .fd = -1 };
		tracing_names(t, &names);
		fill_payload(5, ip);
		assert_true(tracing_text(t, 7, 0, (struct str){ payload, 46 }, &out));
		if (ip == 0x1004)
			assert_memory_equal(out.buf, "do_work do_work+0x4", 19);
		else
			assert_memory_equal(out.buf, "0x1204 0x1204", 13);
	}
	tracing_close(t);
}

static void numbers_may_be_of_the_other_byte_order(void **state)
{
	struct tracing *t;

	(void)state;
	fill_payload(0, 0);
	payload[0] = 0;
	payload[1] = 7;
	payload[31] = 9;
	t = tracing_open(make_blob(HEAD "\"n=%u\", REC->n\n", true), &run);
	out = (struct out){ .fd = -1 };
	assert_true(tracing_text(t, 7, 0, (struct str){ payload, 46 }, &out));
	assert_true(str_eq((struct str){ out.buf, out.n }, STR("n=9")));
	tracing_close(t);
}

static void formats_name_their_events(void **state)
{
	struct tracing *t = tracing_open(make_blob(HEAD "\"\"\n", false), &run);

	(void)state;
	assert_true(str_eq(tracing_name(t, 7), STR("sys:made")));
	assert_int_equal(tracing_name(t, 8).n, 0);
	tracing_close(t);
}

/* What is not there reads as 0; lengths and places in the payload stay inside. */
static void payload_may_be_anything(void **state)
{
	const uint32_t places[] = { UINT32_MAX, 0xffff0000, 0x0000ffff };
	struct tracing *t;

	(void)state;
	fill_payload(UINT32_MAX, 0);
	assert_null(
	        print(HEAD "\"%s\", __print_hex(__get_dynamic_array(text), REC->n)\n"));
	for (size_t i = 0; i < 3; i++) {
		memcpy(payload + 24, &places[i], 4);
		assert_non_null(print(HEAD "\"%s\", __get_str(text)\n"));
		assert_non_null(print(HEAD
		                      "\"%s\", __print_hex(__get_dynamic_array(text), "
		                      "__get_dynamic_array_len(text))\n"));
	}
	t = tracing_open(make_blob(HEAD "\"n=%u\", REC->n\n", false), &run);
	for (size_t n = 0; n < 46; n++) {
		char *exact = malloc(n ? n : 1); /* ASan sees the end */

		memcpy(exact, payload, n);
		out = (struct out){ .fd = -1 };
		assert_int_equal(tracing_text(t, 7, 0, (struct str){ exact, n }, &out),
		                 n >= 2);
		free(exact);
	}
	tracing_close(t);
}

static void hostile_formats_are_refused(void **state)
{
	static const char *const prints[] = {
		"",
		"REC->n",
		"\"%d\", REC->absent",
		"\"%d\", REC->comm[REC->n]",
		"\"%d\", REC->n / REC->n",
		"\"%d\", REC->n / 0",
		"\"%d\", REC->n / 0080",
		"\"%d\", REC->n / 000",
		"\"%d\", REC->n & 09",
		"\"%d\", REC->n & 07777777777777777777777",
		"\"%d\", REC->n % (0080)",
		"\"%d\", REC->n % (1 - 1)",
		"\"%*d\", REC->n, REC->n",
		"\"%99999d\", REC->n",
		"\"%s\", __print_hex(REC->comm, 99999)",
		"\"%s\", __print_hex(REC->comm, REC->n * 8)",
		"\"%s\", __print_hex(REC->n + 1, 4)",
		"\"%s\", __get_str(absent)",
		"\"%s\", __get_dynamic_array(text)[REC->n]",
		"\"%d\", call_me(REC->n)",
		"\"%d\", ({ int x; x; })",
		"\"%d\", REC->n +",
		"\"%d\", (REC->n",
		"\"%d\", REC->n)",
		"\"%d",
		"\"%s\", __print_flags(REC->n, \"|\", { 1 })",
		"\"%s\", __print_symbolic(REC->n",
	};
	char text[2048];
	struct format_lengths lengths;

	(void)state;
	for (size_t i = 0; i < sizeof(prints) / sizeof(*prints); i++) {
		snprintf(text, sizeof(text), HEAD "%s\n", prints[i]);
		if (format_check(str_of(text), &lengths))
			fail_msg("taken: %s", prints[i]);
	}
}

static void deep_formats_are_refused(void **state)
{
	static const char *const deep[] = { "(", "!", "REC->n ? ", "REC->n + ", "(int)" };
	static char text[20000];
	struct format_lengths lengths;

	(void)state;
	for (size_t i = 0; i < sizeof(deep) / sizeof(*deep); i++) {
		strcpy(text, HEAD "\"%d\", ");
		while (strlen(text) < 15000)
			strcat(text, deep[i]);
		strcat(text, "1");
		assert_false(format_check(str_of(text), &lengths));
	}
}

static void fields_are_checked(void **state)
{
	static const char *const fields[] = {
		"field:int x;\toffset:0;\tsize:4;\tsigned:1;\n",
		"field:int x;\toffset:99999999999;\tsize:4;\tsigned:1;\n",
		"field:int x[99999999999];\toffset:0;\tsize:4;\tsigned:1;\n",
		"field:int x;\toffset:-4;\tsize:4;\tsigned:1;\n",
		"field:[4];\toffset:0;\tsize:4;\tsigned:1;\n",
		"field:int x;\toffset:0;\tsize:4;\n",
		"int x;\toffset:0;\tsize:4;\tsigned:1;\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		assert_int_equal(format_check_fields(str_of(fields[i])), i == 0);
}

#define FIELD(type, name, length, size)                                                  \
	"\tfield:" type " " name "[" length "];\toffset:8;\tsize:" size ";\tsigned:0;\n"

static void array_lengths_become_numbers(void **state)
{
	static const struct {
		const char *type, *length, *size, *number;
	} rows[] = {
		{ "char", "TASK_COMM_LEN", "16", "16" },
		{ "char", "INVENTED", "16", "16" },
		{ "__u8", "sizeof(struct sockaddr_in6)", "28", "28" },
		{ "u8", "sizeof(((struct x *)0)->y[0])", "6", "6" },
		{ "unsigned short", "LEN", "16", "8" },
		{ "__be32", "2 * 2", "16", "4" },
		{ "uint64_t", "LEN", "16", "2" },
		{ "int", "LEN", "16", "4" },
		{ "unsigned int", "LEN", "16", "4" },
		{ "unsigned long", "LEN", "16", "2" },
		{ "long long", "LEN", "16", "2" },
		{ "unsigned long int", "LEN", "16", "2" },
		{ "const char *", "LEN", "16", "2" },
		{ "struct in6_addr", "LEN", "32", "1" },
		{ "int", "LEN", "15", "1" },
		{ "char", "32", "64", "32" },
		{ "__data_loc char[]", "LEN", "4", "1" },
	};
	char text[256], want[256];
	struct str got;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *form =
		        "name: x\n" FIELD("%s", "n", "%s", "%s") "\nprint fmt: \"%%d\"\n";

		snprintf(text, sizeof(text), form, rows[i].type, rows[i].length,
		         rows[i].size);
		snprintf(want, sizeof(want), form, rows[i].type, rows[i].number,
		         rows[i].size);
		got = array_length_numbers(str_of(text), 8, &run);
		if (!str_eq(got, str_of(want)))
			fail_msg("%s[%s]: " PRSTR, rows[i].type, rows[i].length,
			         STRARG(got));
	}
	got = array_length_numbers(STR(FIELD("unsigned long", "n", "LEN", "16")), 4,
	                           &run);
	assert_true(str_eq(got, STR(FIELD("unsigned long", "n", "4", "16"))));
	got = array_length_numbers(STR(FIELD("long long", "n", "LEN", "16")), 4, &run);
	assert_true(str_eq(got, STR(FIELD("long long", "n", "2", "16"))));
}

/* What is no field stays, and so does a field without a size. */
static void other_lines_keep_their_brackets(void **state)
{
	static const char *const lines[] = {
		"",
		"\tfield:",
		"\tfield:;",
		"\tfield:]",
		"\tfield:[",
		"\tfield:char x[];\toffset:8;\tsize:16;",
		"\tfield:char x[LEN;\toffset:8;\tsize:16;",
		"\tfield:char x[LEN] y;\toffset:8;\tsize:16;",
		"\tfield:char x[LEN];\toffset:8;",
		"\tfield:char x[LEN];\toffset:8;\tsize:;",
		"field:char x[LEN];\toffset:8;\tsize:16;",
		"print fmt: \"%d\", REC->x[LEN]; size:16;",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct str line = str_of(lines[i]);
		char *exact = malloc(line.n ? line.n : 1); /* ASan sees the end */
		struct str got;

		memcpy(exact, line.p, line.n);
		got = array_length_numbers((struct str){ exact, line.n }, 8, &run);
		assert_ptr_equal(got.p, exact);
		free(exact);
	}
}

/* The library divides the size of the field by the number to find an element. */
static void elements_of_symbolic_arrays_are_printed(void **state)
{
	static const char head[] =
	        "name: made\nID: 7\nformat:\n"
	        "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	        "\tfield:char comm[TASK_COMM_LEN];\toffset:8;\tsize:16;\tsigned:0;\n"
	        "\tfield:u32 n[NUMBERS];\toffset:24;\tsize:16;\tsigned:0;\n"
	        "\nprint fmt: \"%s %u\", REC->comm, REC->n[1]\n";

	(void)state;
	fill_payload(5, 2);
	assert_string_equal(print(head), "worker 5");
}

static void formats_that_cannot_be_read_are_known(void **state)
{
	struct tracing *t =
	        tracing_open(make_blob(HEAD "\"%d\", ({ 1; })\n", false), &run);

	(void)state;
	assert_true(tracing_reads(t, 7));
	assert_false(tracing_reads(t, 8));
	tracing_close(t);
	t = tracing_open(make_blob("name: made\nID: 7\nformat:\n\tfield:int x;\n"
	                           "\nprint fmt: \"%d\", REC->x\n",
	                           false),
	                 &run);
	assert_false(tracing_reads(t, 7));
	tracing_close(t);
}

static void blob_may_be_cut_anywhere(void **state)
{
	struct str whole = make_blob(HEAD "\"n=%u\", REC->n\n", false);

	(void)state;
	fill_payload(5, 0);
	for (size_t n = 0; n <= whole.n; n++) {
		char *exact = malloc(n ? n : 1);
		struct tracing *t;

		memcpy(exact, whole.p, n);
		t = tracing_open((struct str){ exact, n }, &run);
		out = (struct out){ .fd = -1 };
		if (t)
			assert_int_equal(
			        tracing_text(t, 7, 0, (struct str){ payload, 46 }, &out),
			        n == whole.n);
		tracing_close(t);
		free(exact);
		arena_release(&run);
	}
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, enter, leave)
	const struct CMUnitTest tests[] = {
		TEST(payload_is_printed_by_its_format),
		TEST(fields_that_are_numbers_are_read_and_listed),
		TEST(what_cannot_be_evaluated_is_shown_as_fields),
		TEST(addresses_are_named),
		TEST(numbers_may_be_of_the_other_byte_order),
		TEST(formats_name_their_events),
		TEST(payload_may_be_anything),
		TEST(hostile_formats_are_refused),
		TEST(deep_formats_are_refused),
		TEST(fields_are_checked),
		TEST(array_lengths_become_numbers),
		TEST(other_lines_keep_their_brackets),
		TEST(elements_of_symbolic_arrays_are_printed),
		TEST(formats_that_cannot_be_read_are_known),
		TEST(blob_may_be_cut_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

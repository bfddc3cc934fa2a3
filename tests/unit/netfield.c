/* netfield: the fields of a payload, however they are described. */
#include "reader/nettrace/netfield.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "netmade.h"

enum { BOOL32 = 3, I16 = 7, I32 = 9, F64 = 14, GUID = 17, UTF16 = 18, ARRAY = 19 };

static struct arena run;
static struct netmade row, payload, tag, field;

static int leave(void **state)
{
	(void)state;
	arena_release(&run);
	return 0;
}

/* Begins the part of a metadata event behind the name of its event. */
static void begin_row(unsigned fields)
{
	row.n = 0;
	net_u64(&row, 0);
	net_u32(&row, 0);
	net_u32(&row, 4);
	net_u32(&row, fields);
}

static void field1(unsigned type, const char *name)
{
	net_u32(&row, type);
	net_wide(&row, name);
}

static struct netfields described(void)
{
	struct str bytes = net_bytes(&row);

	return netfield_read_metadata(cur_little(bytes));
}

static int64_t number(const struct netfields *f, const char *name)
{
	struct netfield_value v;

	assert_true(netfield_find(f, 8, net_bytes(&payload), str_of(name), &v));
	assert_int_equal(v.kind, NETFIELD_NUMBER);
	return v.number;
}

static void wide_text_is(const struct netfields *f, const char *name, const char *want)
{
	struct netfield_value v;
	struct str text;

	assert_true(netfield_find(f, 8, net_bytes(&payload), str_of(name), &v));
	assert_int_equal(v.kind, NETFIELD_UTF16);
	text = netfield_utf8(&run, v.text);
	assert_true(str_eq(text, str_of(want)));
}

static void lacks(const struct netfields *f, const char *name)
{
	struct netfield_value v;

	assert_false(netfield_find(f, 8, net_bytes(&payload), str_of(name), &v));
}

static void put_f64(double d)
{
	net_f64(&payload, d);
}

static void test_version_1(void **state)
{
	struct netfields f;

	(void)state;
	begin_row(5);
	field1(UTF16, "item");
	field1(I32, "amount");
	field1(F64, "price");
	field1(BOOL32, "gift");
	field1(I16, "Gr\xf6\xdf"
	            "e");
	payload.n = 0;
	net_wide(&payload, "tea");
	net_u32(&payload, (uint32_t)-7);
	put_f64(2.6);
	net_u32(&payload, 1);
	f = described();
	assert_true(netfield_any(&f));
	wide_text_is(&f, "item", "tea");
	assert_int_equal(number(&f, "amount"), -7);
	assert_int_equal(number(&f, "price"), 3);
	assert_int_equal(number(&f, "gift"), 1);
	lacks(&f, "Größe"); /* the payload ends before it */
	net_u16(&payload, (unsigned)-2 & 0xffff);
	assert_int_equal(number(&f, "Größe"), -2);
	lacks(&f, "Item");
	lacks(&f, "amoun");
	lacks(&f, "amounts");
}

/* A double that no integer holds is 0. */
static void test_odd_numbers(void **state)
{
	static const double odd[] = { 1e300, -1e300, 0.0 / 0.0 };
	struct netfields f;

	(void)state;
	begin_row(1);
	field1(F64, "x");
	f = described();
	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		payload.n = 0;
		put_f64(odd[i]);
		assert_int_equal(number(&f, "x"), 0);
	}
}

static void field2(const char *name, unsigned type, unsigned element)
{
	struct netmade *m = &field;

	m->n = 0;
	net_wide(m, name);
	net_u32(m, type);
	if (type == ARRAY)
		net_u32(m, element);
	net_u32(m, 0); /* padding that the size covers */
	net_u32(&tag, (uint32_t)m->n + 4);
	net_put(&tag, m->bytes, m->n);
}

/* Arrays stand in a tag behind an empty list of fields. */
static void test_version_2(void **state)
{
	struct netfields f;

	(void)state;
	begin_row(0);
	net_u32(&row, 1);
	net_u8(&row, 1); /* the tag of an opcode */
	net_u8(&row, 9);
	tag.n = 0;
	net_u32(&tag, 3);
	field2("ids", ARRAY, I16);
	field2("sum", I32, 0);
	field2("last", I32, 0);
	net_u32(&row, (uint32_t)tag.n);
	net_u8(&row, 2);
	net_put(&row, tag.bytes, tag.n);
	payload.n = 0;
	net_u16(&payload, 3);
	for (unsigned i = 0; i < 3; i++)
		net_u16(&payload, i);
	net_u32(&payload, 42);
	f = described();
	assert_int_equal(f.form, NETFIELD_V2);
	assert_int_equal(number(&f, "sum"), 42);
	payload.n = 2; /* the array says that it is longer */
	lacks(&f, "sum");
}

static void test_letters(void **state)
{
	const struct netfields f = {
		NETFIELD_LETTERS,
		STR("bKind hId iCount qBytes pType sName dNs IBelow QFar")
	};

	(void)state;
	payload.n = 0;
	net_u8(&payload, 200);
	net_u16(&payload, 60000);
	net_u32(&payload, 4000000000u);
	net_u64(&payload, 1ull << 40);
	net_u64(&payload, 0x7f00);
	net_wide(&payload, "System.Int32[]");
	put_f64(-1.5);
	net_u32(&payload, (uint32_t)-3);
	net_u64(&payload, (uint64_t)-4);
	assert_int_equal(number(&f, "Kind"), 200);
	assert_int_equal(number(&f, "Id"), 60000);
	assert_int_equal(number(&f, "Count"), 4000000000u);
	assert_int_equal(number(&f, "Bytes"), 1ull << 40);
	assert_int_equal(number(&f, "Type"), 0x7f00);
	wide_text_is(&f, "Name", "System.Int32[]");
	assert_int_equal(number(&f, "Ns"), -2);
	assert_int_equal(number(&f, "Below"), -3);
	assert_int_equal(number(&f, "Far"), -4);
	lacks(&f, "sName");
	assert_true(str_eq(netfield_numbers(&f, 8, net_bytes(&payload), &run),
	                   STR("Kind, Id, Count, Bytes, Type, Ns, Below, Far")));
}

/* A pointer of a 32-bit process has four bytes. */
static void test_pointers(void **state)
{
	const struct netfields f = { NETFIELD_LETTERS, STR("pType iCount") };
	struct netfield_value v;

	(void)state;
	payload.n = 0;
	net_u32(&payload, 1);
	net_u32(&payload, 77);
	assert_true(netfield_find(&f, 4, net_bytes(&payload), STR("Count"), &v));
	assert_int_equal(v.number, 77);
	lacks(&f, "Count");
}

static void test_other_types(void **state)
{
	struct netfields f;
	struct netfield_value v;

	(void)state;
	begin_row(3);
	field1(GUID, "id");
	field1(I32, "n");
	field1(1, "object"); /* its size is not known, nor is what follows */
	payload.n = 0;
	net_u64(&payload, 1);
	net_u64(&payload, 2);
	net_u32(&payload, 5);
	f = described();
	assert_true(netfield_find(&f, 8, net_bytes(&payload), STR("id"), &v));
	assert_int_equal(v.kind, NETFIELD_OTHER);
	assert_int_equal(number(&f, "n"), 5);
	lacks(&f, "object");
}

/* Cut anywhere: what is left is read, and nothing behind it. */
static void test_cut(void **state)
{
	static const size_t text = 2 * sizeof("tea"), amount = text + 4;

	(void)state;
	begin_row(2);
	field1(UTF16, "item");
	field1(I32, "amount");
	payload.n = 0;
	net_wide(&payload, "tea");
	net_u32(&payload, 3);
	for (size_t n = 0; n <= amount; n++) {
		struct netfields f = described();
		struct netfield_value v;
		struct str part = { payload.bytes, n };

		assert_int_equal(netfield_find(&f, 8, part, STR("item"), &v), n >= text);
		assert_int_equal(netfield_find(&f, 8, part, STR("amount"), &v),
		                 n >= amount);
	}
	for (size_t n = row.n; n-- > 0;) {
		struct netfields f = netfield_read_metadata(
		        cur_over((struct str){ row.bytes, n }, false));

		lacks(&f, "amount");
	}
}

static void test_utf8(void **state)
{
	static const char utf16[] =
	        "a\0\xe9\0\xac\x20\x3d\xd8\x00\xde\x00\xd8z\0\x00\xdc";
	struct str got = netfield_utf8(&run, (struct str){ utf16, sizeof(utf16) });

	(void)state;
	assert_true(str_eq(got, STR("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xef\xbf\xbdz"
	                            "\xef\xbf\xbd")));
}

/* EventSourceSettings.EtwSelfDescribingEventFormat: the row is the same, the bool has a byte. */
static void a_bool_may_have_one_byte(void **state)
{
	struct netfields f;

	(void)state;
	begin_row(2);
	field1(BOOL32, "gift");
	field1(I32, "amount");
	f = described();
	payload.n = 0;
	net_u8(&payload, 1);
	net_u32(&payload, 2003);
	assert_int_equal(number(&f, "gift"), 1);
	assert_int_equal(number(&f, "amount"), 2003);
	payload.n = 0;
	net_u32(&payload, 1);
	net_u32(&payload, 2003);
	assert_int_equal(number(&f, "gift"), 1);
	assert_int_equal(number(&f, "amount"), 2003);
	/* Cut off: nothing tells, and four bytes are the rule. */
	payload.n = 4;
	assert_int_equal(number(&f, "gift"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_version_1),
		cmocka_unit_test(test_odd_numbers),
		cmocka_unit_test(test_version_2),
		cmocka_unit_test(test_letters),
		cmocka_unit_test(test_pointers),
		cmocka_unit_test(test_other_types),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_utf8),
		cmocka_unit_test(a_bool_may_have_one_byte),
	};

	return cmocka_run_group_tests(tests, NULL, leave);
}

#include "reader/nettrace/netfield.h"

#include <endian.h>
#include <math.h>

/* Values of TypeCode in NetTraceFormat.md. */
enum {
	TYPE_BOOL32 = 3,
	TYPE_UTF16_UNIT = 4,
	TYPE_I8 = 5,
	TYPE_U8 = 6,
	TYPE_I16 = 7,
	TYPE_U16 = 8,
	TYPE_I32 = 9,
	TYPE_U32 = 10,
	TYPE_I64 = 11,
	TYPE_U64 = 12,
	TYPE_F32 = 13,
	TYPE_F64 = 14,
	TYPE_DATE = 16,
	TYPE_GUID = 17,
	TYPE_UTF16 = 18,
	TYPE_ARRAY = 19,
	TYPE_VARINT = 20,
	TYPE_VARUINT = 21,
	TYPE_UTF8 = 23, /* a u16 length precedes the text, as in arrays */
	TYPE_BOOL8 = 26,
	TYPE_POINTER = 254, /* not in the format: used only in this program */
	TYPE_UNKNOWN = 255, /* not in the format: used only in this program */
};

enum {
	UTF8_MOST = 4 /* maximum bytes of a character */,
	NUMBERS_MOST = 400 /* maximum length of a list of field names, in bytes */
};

enum { TAG_V2_FIELDS = 2, SIZE_FIELD = 4 /* the size includes its own four bytes */ };

/* Size in bytes of each type, or 0 if the size varies. */
static const uint8_t fixed_size[] = {
	[TYPE_BOOL32] = 4, [TYPE_UTF16_UNIT] = 2, [TYPE_I8] = 1,    [TYPE_U8] = 1,
	[TYPE_I16] = 2,    [TYPE_U16] = 2,        [TYPE_I32] = 4,   [TYPE_U32] = 4,
	[TYPE_I64] = 8,    [TYPE_U64] = 8,        [TYPE_F32] = 4,   [TYPE_F64] = 8,
	[TYPE_DATE] = 16,  [TYPE_GUID] = 16,      [TYPE_BOOL8] = 1,
};

struct field {
	struct str name;
	bool wide; /* the name is UTF-16 */
	uint8_t type, element;
};

/* The descriptions of fields that were not read yet. */
struct walk {
	enum netfield_form form;
	struct cursor in;
	uint32_t left;
};

struct str netfield_utf16(struct cursor *in)
{
	const char *begin = in->p;

	while (cur_u16(in) && !in->bad)
		;
	return (struct str){ begin, (size_t)(in->p - begin) - (in->bad ? 0 : 2) };
}

struct netfields netfield_read_metadata(struct cursor in)
{
	struct netfields f = { 0 };
	uint32_t n;

	netfile_take(&in, 8 + 4 + 4); /* skip keywords, version and level */
	f.bytes = str_span(in.p, in.end);
	n = cur_u32(&in);
	if (n && !in.bad)
		f.form = NETFIELD_V1;
	while (!n && cur_left(&in) && !in.bad) {
		uint32_t bytes = cur_u32(&in);
		uint8_t tag = cur_u8(&in);
		struct str row = netfile_take(&in, bytes);

		if (tag == TAG_V2_FIELDS && !in.bad)
			f = (struct netfields){ NETFIELD_V2, row };
	}
	return f;
}

static struct walk begin_walk(const struct netfields *f)
{
	struct walk w = { .form = f->form, .in = cur_little(f->bytes) };

	if (f->form == NETFIELD_LETTERS)
		w.left = UINT32_MAX;
	else if (f->form == NETFIELD_V6)
		w.left = cur_u16(&w.in);
	else if (f->form != NETFIELD_NONE)
		w.left = cur_u32(&w.in);
	return w;
}

bool netfield_any(const struct netfields *f)
{
	return begin_walk(f).left != 0;
}

static uint8_t type_of_letter(char letter)
{
	static const uint8_t types[UINT8_MAX + 1] = {
		['b'] = TYPE_U8,  ['h'] = TYPE_U16,     ['i'] = TYPE_U32,
		['q'] = TYPE_U64, ['I'] = TYPE_I32,     ['Q'] = TYPE_I64,
		['d'] = TYPE_F64, ['p'] = TYPE_POINTER, ['s'] = TYPE_UTF16,
	};
	uint8_t type = types[(unsigned char)letter];

	return type ? type : TYPE_UNKNOWN;
}

static uint8_t take_type(struct cursor *in)
{
	uint32_t type = cur_u32(in);

	return type < TYPE_POINTER ? (uint8_t)type : TYPE_UNKNOWN;
}

static void take_letters(struct cursor *in, struct field *f)
{
	struct str rest = str_span(in->p, in->end), word = str_cut(&rest, ' ');

	in->bad = !word.n;
	in->p = rest.n ? rest.p : in->end;
	f->type = word.n ? type_of_letter(*word.p) : TYPE_UNKNOWN;
	f->name = str_from(word, 1);
}

static void take_v2(struct cursor *in, struct field *f)
{
	uint32_t bytes = cur_u32(in);
	struct cursor row =
	        cur_little(netfile_take(in, bytes < SIZE_FIELD ? 0 : bytes - SIZE_FIELD));

	f->name = netfield_utf16(&row);
	f->type = take_type(&row);
	if (f->type == TYPE_ARRAY)
		f->element = take_type(&row);
	in->bad |= row.bad;
}

static void take_v6(struct cursor *in, struct field *f)
{
	struct cursor row = cur_little(netfile_take(in, cur_u16(in)));

	f->name = netfile_string(&row);
	f->type = cur_u8(&row);
	if (f->type == TYPE_ARRAY)
		f->element = cur_u8(&row);
	in->bad |= row.bad;
}

/* Reads the next description.  Returns false at the end, or if the description is damaged. */
static bool next_field(struct walk *w, struct field *f)
{
	if (!w->left || w->in.bad || !cur_left(&w->in))
		return false;
	w->left--;
	*f = (struct field){ .wide = w->form == NETFIELD_V1 || w->form == NETFIELD_V2 };
	if (w->form == NETFIELD_LETTERS) {
		take_letters(&w->in, f);
	} else if (w->form == NETFIELD_V6) {
		take_v6(&w->in, f);
	} else if (w->form == NETFIELD_V2) {
		take_v2(&w->in, f);
	} else {
		f->type = take_type(&w->in);
		f->name = netfield_utf16(&w->in);
	}
	return !w->in.bad;
}

static unsigned size_of(uint8_t type, unsigned pointer)
{
	if (type == TYPE_POINTER)
		return pointer;
	return type < sizeof(fixed_size) ? fixed_size[type] : 0;
}

static int64_t rounded(double d)
{
	return d > -4e18 && d < 4e18 ? llrint(d) : 0;
}

/* Converts a value of fixed size to a number. */
static int64_t number_of(uint8_t type, struct str bytes)
{
	uint64_t raw = 0;
	uint32_t half;
	double d;
	float f;

	memcpy(&raw, bytes.p, bytes.n);
	raw = le64toh(raw);
	switch (type) {
	case TYPE_I8:
		return (int8_t)raw;
	case TYPE_I16:
		return (int16_t)raw;
	case TYPE_I32:
		return (int32_t)raw;
	case TYPE_F32:
		half = (uint32_t)raw;
		memcpy(&f, &half, sizeof(f));
		return rounded((double)f);
	case TYPE_F64:
		memcpy(&d, &raw, sizeof(d));
		return rounded(d);
	default:
		return (int64_t)raw;
	}
}

/*
 * Reads a value.  Returns false if its size is unknown, because later fields then cannot be
 * found.
 */
static bool read_value(struct cursor *in, const struct field *f, unsigned pointer,
                       struct netfield_value *v)
{
	unsigned size = size_of(f->type, pointer), element = size_of(f->element, pointer);
	bool array = f->type == TYPE_ARRAY;

	*v = (struct netfield_value){ .kind = NETFIELD_OTHER };
	if (f->type == TYPE_VARUINT || f->type == TYPE_VARINT) {
		v->kind = NETFIELD_NUMBER;
		v->number = (int64_t)cur_uleb(in);
	} else if (f->type == TYPE_UTF8 || (array && f->element == TYPE_UTF8)) {
		v->kind = NETFIELD_UTF8;
		v->text = netfile_take(in, cur_u16(in));
	} else if (f->type == TYPE_UTF16) {
		v->kind = NETFIELD_UTF16;
		v->text = netfield_utf16(in);
	} else if (array && element) {
		netfile_take(in, (uint64_t)cur_u16(in) * element);
	} else if (size) {
		struct str bytes = netfile_take(in, size);

		if (bytes.n && bytes.n <= sizeof(v->number)) {
			v->kind = NETFIELD_NUMBER;
			v->number = number_of(f->type, bytes);
		}
	} else {
		return false;
	}
	return !in->bad;
}

/* Reads a UTF-16 character.  A lone surrogate becomes U+FFFD. */
static uint32_t take_character(struct cursor *in)
{
	uint32_t c = cur_u16(in);
	struct cursor ahead = *in;
	uint16_t low;

	if (c < 0xd800 || c >= 0xe000)
		return c;
	low = cur_u16(&ahead);
	if (c >= 0xdc00 || low < 0xdc00 || low >= 0xe000)
		return 0xfffd;
	*in = ahead;
	return 0x10000 + ((c & 0x3ff) << 10) + (low & 0x3ff);
}

static char *put_utf8(char *to, struct cursor *in)
{
	uint32_t c = take_character(in);

	if (c < 0x80) {
		*to++ = (char)c;
		return to;
	}
	if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
	} else {
		if (c < 0x10000) {
			*to++ = (char)(0xe0 | c >> 12);
		} else {
			*to++ = (char)(0xf0 | c >> 18);
			*to++ = (char)(0x80 | (c >> 12 & 0x3f));
		}
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
	}
	*to++ = (char)(0x80 | (c & 0x3f));
	return to;
}

static bool is_called(const struct field *f, struct str name)
{
	struct cursor in = cur_little(f->name);
	size_t i = 0;

	if (!f->wide)
		return str_eq(f->name, name);
	while (cur_left(&in)) {
		char text[UTF8_MOST];
		struct str c = str_span(text, put_utf8(text, &in));

		if (!str_starts(str_from(name, i), c))
			return false;
		i += c.n;
	}
	return i == name.n;
}

/* Iterates over the values of a payload. */
struct values {
	const struct netfields *of;
	struct str payload;
	unsigned pointer;
	struct walk walk;
	struct cursor in;
	uint8_t boolean; /* the actual type of bools, or 0 if unknown */
};

static struct values begin_values(const struct netfields *f, unsigned pointer,
                                  struct str payload)
{
	return (struct values){ .of = f,
		                .payload = payload,
		                .pointer = pointer,
		                .walk = begin_walk(f),
		                .in = cur_little(payload) };
}

static bool has_bool(const struct field *f)
{
	return f->type == TYPE_BOOL32 || f->element == TYPE_BOOL32;
}

static bool read_with_bool(struct values *vs, struct field *f, struct netfield_value *v)
{
	if (f->type == TYPE_BOOL32)
		f->type = vs->boolean;
	if (f->element == TYPE_BOOL32)
		f->element = vs->boolean;
	return read_value(&vs->in, f, vs->pointer, v);
}

/* Returns true if the fields fill the payload exactly.  `boolean` is the type of bools. */
static bool fills(const struct values *of, uint8_t boolean)
{
	struct values vs = begin_values(of->of, of->pointer, of->payload);
	struct netfield_value v;
	struct field f;

	vs.boolean = boolean;
	while (next_field(&vs.walk, &f))
		if (!read_with_bool(&vs, &f, &v))
			return false;
	return !cur_left(&vs.in);
}

/*
 * Reads the next value.  A bool normally has four bytes.  It has one byte if an EventSource
 * describes its own events (EventSourceSettings.EtwSelfDescribingEventFormat).  The description
 * of the fields does not contain this size, so the size that fills the payload exactly is used.
 * Measured on .NET 10.
 */
static bool next_value(struct values *vs, struct field *f, struct netfield_value *v)
{
	if (!next_field(&vs->walk, f))
		return false;
	if (has_bool(f) && !vs->boolean)
		vs->boolean = !fills(vs, TYPE_BOOL32) && fills(vs, TYPE_BOOL8)
		                      ? TYPE_BOOL8
		                      : TYPE_BOOL32;
	return read_with_bool(vs, f, v);
}

bool netfield_find(const struct netfields *f, unsigned pointer, struct str payload,
                   struct str name, struct netfield_value *out)
{
	struct values vs = begin_values(f, pointer, payload);
	struct field field;

	while (next_value(&vs, &field, out))
		if (is_called(&field, name))
			return true;
	return false;
}

struct str netfield_utf8(struct arena *a, struct str utf16)
{
	struct cursor in = cur_little(str_head(utf16, utf16.n & ~(size_t)1));
	char *text = arena_alloc(a, utf16.n / 2 * 3 + 1, 1), *to = text;

	while (cur_left(&in))
		to = put_utf8(to, &in);
	return str_span(text, to);
}

struct str netfield_numbers(const struct netfields *f, unsigned pointer,
                            struct str payload, struct arena *a)
{
	struct values vs = begin_values(f, pointer, payload);
	struct netfield_value v;
	struct str list = { 0 };
	struct field field;

	while (next_value(&vs, &field, &v)) {
		struct str name = field.wide ? netfield_utf8(a, field.name) : field.name;

		if (v.kind == NETFIELD_NUMBER && list.n < NUMBERS_MOST)
			list = arena_fmt(a, PRSTR "%s" PRSTR, STRARG(list),
			                 list.n ? ", " : "", STRARG(name));
	}
	return list;
}

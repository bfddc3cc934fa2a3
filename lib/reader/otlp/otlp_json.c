#include "reader/otlp/otlp_json.h"

#include <errno.h>

#include "reader/json.h"
#include "reader/located.h"
#include "reader/otlp/otlp.h"
#include "reader/otlp/otlp_fields.h"
#include "reader/wireput.h"
#include "source/made.h"

enum {
	BID = 60,
	PIECE = 1 << 20,    /* bytes that are read at once */
	BUFFER = 256 << 10, /* bytes that are stored at once */
	PREFIX = 4,
	PADDED = 5,              /* bytes reserved for a length */
	MESSAGE_MOST = 127 << 20 /* maximum size of a message without its length field */
};

/*
 * The kinds of objects.  The kinds up to DICTIONARY may contain all samples or tables, so they
 * may be large.
 */
enum {
	DATA,
	RESOURCE_PROFILES,
	SCOPE_PROFILES_KIND,
	PROFILE,
	DICTIONARY,
	RESOURCE,
	ENTITY,
	SCOPE,
	KEY_VALUE,
	KEY_VALUE_UNIT,
	ANY_VALUE,
	VALUE_LIST,
	KEY_VALUES,
	VALUE_TYPE,
	SAMPLE,
	MAPPING,
	LOCATION,
	LINE,
	FUNCTION,
	LINK,
	STACK,
	LEAF /* not an object */
};

/* The encoding of a value in protobuf. */
enum form {
	MESSAGE,
	INTEGER,
	PACKED,
	FIXED,
	PACKED_FIXED,
	REAL,
	BOOL,
	TEXT,
	HEX,
	BASE64,
	OLDER
};

enum { FORM_BITS = 4 };

#define RULE(in, key, field, form, kind)                                                 \
	{                                                                                \
		(in), (kind), (uint16_t)((field) << FORM_BITS | (form)), STR(key)        \
	}

static const struct json_rule rules[] = {
	RULE(DATA, "resourceProfiles", 1, MESSAGE, RESOURCE_PROFILES),
	RULE(DATA, "dictionary", 2, MESSAGE, DICTIONARY),
	RULE(RESOURCE_PROFILES, "resource", 1, MESSAGE, RESOURCE),
	RULE(RESOURCE_PROFILES, "scopeProfiles", 2, MESSAGE, SCOPE_PROFILES_KIND),
	RULE(RESOURCE_PROFILES, "schemaUrl", 3, TEXT, LEAF),
	RULE(SCOPE_PROFILES_KIND, "scope", 1, MESSAGE, SCOPE),
	RULE(SCOPE_PROFILES_KIND, "profiles", 2, MESSAGE, PROFILE),
	RULE(SCOPE_PROFILES_KIND, "schemaUrl", 3, TEXT, LEAF),
	RULE(PROFILE, "sampleType", 1, MESSAGE, VALUE_TYPE),
	RULE(PROFILE, "samples", 2, MESSAGE, SAMPLE),
	RULE(PROFILE, "sample", 2, MESSAGE, SAMPLE), /* 1.8 */
	RULE(PROFILE, "timeUnixNano", 3, FIXED, LEAF),
	RULE(PROFILE, "durationNano", 4, INTEGER, LEAF),
	RULE(PROFILE, "periodType", 5, MESSAGE, VALUE_TYPE),
	RULE(PROFILE, "period", 6, INTEGER, LEAF),
	RULE(PROFILE, "profileId", 7, BASE64, LEAF),
	RULE(PROFILE, "droppedAttributesCount", 8, INTEGER, LEAF),
	RULE(PROFILE, "originalPayloadFormat", 9, TEXT, LEAF),
	RULE(PROFILE, "originalPayload", 10, BASE64, LEAF),
	RULE(PROFILE, "attributeIndices", 11, PACKED, LEAF),
	RULE(PROFILE, "locationIndices", 0, OLDER, LEAF), /* 1.7 and earlier */
	RULE(DICTIONARY, "mappingTable", OTLP_MAPPING, MESSAGE, MAPPING),
	RULE(DICTIONARY, "locationTable", OTLP_LOCATION, MESSAGE, LOCATION),
	RULE(DICTIONARY, "functionTable", OTLP_FUNCTION, MESSAGE, FUNCTION),
	RULE(DICTIONARY, "linkTable", OTLP_LINK, MESSAGE, LINK),
	RULE(DICTIONARY, "stringTable", OTLP_STRING, TEXT, LEAF),
	RULE(DICTIONARY, "attributeTable", OTLP_ATTRIBUTE, MESSAGE, KEY_VALUE_UNIT),
	RULE(DICTIONARY, "stackTable", OTLP_STACK, MESSAGE, STACK),
	RULE(RESOURCE, "attributes", 1, MESSAGE, KEY_VALUE),
	RULE(RESOURCE, "droppedAttributesCount", 2, INTEGER, LEAF),
	RULE(RESOURCE, "entityRefs", 3, MESSAGE, ENTITY),
	RULE(ENTITY, "schemaUrl", 1, TEXT, LEAF),
	RULE(ENTITY, "type", 2, TEXT, LEAF),
	RULE(ENTITY, "idKeys", 3, TEXT, LEAF),
	RULE(ENTITY, "descriptionKeys", 4, TEXT, LEAF),
	RULE(SCOPE, "name", 1, TEXT, LEAF),
	RULE(SCOPE, "version", 2, TEXT, LEAF),
	RULE(SCOPE, "attributes", 3, MESSAGE, KEY_VALUE),
	RULE(SCOPE, "droppedAttributesCount", 4, INTEGER, LEAF),
	RULE(KEY_VALUE, "key", 1, TEXT, LEAF),
	RULE(KEY_VALUE, "value", 2, MESSAGE, ANY_VALUE),
	RULE(KEY_VALUE, "keyStrindex", 3, INTEGER, LEAF),
	RULE(KEY_VALUE_UNIT, "keyStrindex", 1, INTEGER, LEAF),
	RULE(KEY_VALUE_UNIT, "value", 2, MESSAGE, ANY_VALUE),
	RULE(KEY_VALUE_UNIT, "unitStrindex", 3, INTEGER, LEAF),
	RULE(ANY_VALUE, "stringValue", 1, TEXT, LEAF),
	RULE(ANY_VALUE, "boolValue", 2, BOOL, LEAF),
	RULE(ANY_VALUE, "intValue", 3, INTEGER, LEAF),
	RULE(ANY_VALUE, "doubleValue", 4, REAL, LEAF),
	RULE(ANY_VALUE, "arrayValue", 5, MESSAGE, VALUE_LIST),
	RULE(ANY_VALUE, "kvlistValue", 6, MESSAGE, KEY_VALUES),
	RULE(ANY_VALUE, "bytesValue", 7, BASE64, LEAF),
	RULE(ANY_VALUE, "stringValueStrindex", 8, INTEGER, LEAF),
	RULE(VALUE_LIST, "values", 1, MESSAGE, ANY_VALUE),
	RULE(KEY_VALUES, "values", 1, MESSAGE, KEY_VALUE),
	RULE(VALUE_TYPE, "typeStrindex", 1, INTEGER, LEAF),
	RULE(VALUE_TYPE, "unitStrindex", 2, INTEGER, LEAF),
	RULE(SAMPLE, "stackIndex", SAMPLE_STACK, INTEGER, LEAF),
	RULE(SAMPLE, "attributeIndices", SAMPLE_ATTRIBUTES, PACKED, LEAF),
	RULE(SAMPLE, "linkIndex", SAMPLE_LINK, INTEGER, LEAF),
	RULE(SAMPLE, "values", SAMPLE_VALUES, PACKED, LEAF),
	RULE(SAMPLE, "timestampsUnixNano", SAMPLE_TIMES, PACKED_FIXED, LEAF),
	RULE(SAMPLE, "locationsLength", 0, OLDER, LEAF), /* 1.7 and earlier */
	RULE(MAPPING, "memoryStart", MAPPING_START, INTEGER, LEAF),
	RULE(MAPPING, "memoryLimit", MAPPING_LIMIT, INTEGER, LEAF),
	RULE(MAPPING, "fileOffset", MAPPING_OFFSET, INTEGER, LEAF),
	RULE(MAPPING, "filenameStrindex", MAPPING_FILE, INTEGER, LEAF),
	RULE(MAPPING, "attributeIndices", MAPPING_ATTRIBUTES, PACKED, LEAF),
	RULE(LOCATION, "mappingIndex", LOCATION_MAPPING, INTEGER, LEAF),
	RULE(LOCATION, "address", LOCATION_ADDRESS, INTEGER, LEAF),
	RULE(LOCATION, "lines", LOCATION_LINE, MESSAGE, LINE),
	RULE(LOCATION, "line", LOCATION_LINE, MESSAGE, LINE), /* 1.8 */
	RULE(LOCATION, "attributeIndices", 4, PACKED, LEAF),
	RULE(LINE, "functionIndex", LINE_FUNCTION, INTEGER, LEAF),
	RULE(LINE, "line", LINE_NUMBER, INTEGER, LEAF),
	RULE(LINE, "column", 3, INTEGER, LEAF),
	RULE(FUNCTION, "nameStrindex", FUNCTION_NAME, INTEGER, LEAF),
	RULE(FUNCTION, "systemNameStrindex", FUNCTION_SYSTEM_NAME, INTEGER, LEAF),
	RULE(FUNCTION, "filenameStrindex", FUNCTION_FILE, INTEGER, LEAF),
	RULE(FUNCTION, "startLine", FUNCTION_BEGINS, INTEGER, LEAF),
	RULE(LINK, "traceId", 1, HEX, LEAF),
	RULE(LINK, "spanId", 2, HEX, LEAF),
	RULE(STACK, "locationIndices", STACK_LOCATIONS, PACKED, LEAF),
};

/*
 * A message or packed list that is not complete.  Its tag and length are inserted when it ends.
 * For a large message, bytes are reserved for the length, because the buffer may already be
 * stored when the message ends.
 */
struct open_message {
	uint64_t
	        /*
	         * offset of the message's contents: in the output for a large message,
	         * in the buffer for other messages
	         */
	        at;
	/* field number, or 0 for the outermost message and for a dropped message */
	uint32_t field;
	bool large, packed; /* packed: a list of numbers */
};

struct intake {
	struct json *json;
	struct source *source;
	struct reader *reader; /* for reports */
	struct open_message open[JSON_DEPTH];
	size_t depth, messages, wrong; /* wrong: number of values with a wrong type */
	size_t large;                  /* number of open large messages */
	/* bytes moved from the buffer to `source` so far */
	uint64_t stored;
	struct buffer out; /* the buffer */
	int error;         /* errno if bytes could not be stored, or 0 */
	bool older;        /* the text has the layout of 1.7 or earlier */
	bool huge;         /* a message has more than MESSAGE_MOST bytes */
};

static void store(struct intake *in)
{
	if (!in->error && made_put(in->source, buffer_str(&in->out)) < 0)
		in->error = errno;
	in->stored += in->out.n;
	in->out.n = 0;
}

/*
 * Overwrites n bytes at offset `at` of the output.  These bytes are either in the buffer or
 * already in `source`.
 */
static void change(struct intake *in, uint64_t at, const char *p, size_t n)
{
	if (at >= in->stored)
		memcpy(in->out.p + (at - in->stored), p, n);
	else if (!in->error && made_set(in->source, at, (struct str){ p, n }) < 0)
		in->error = errno;
}

static void begin(struct intake *in, uint32_t field, bool large)
{
	struct open_message *m = &in->open[in->depth++];

	*m = (struct open_message){ .field = field, .large = large, .at = in->out.n };
	if (!large)
		return;
	in->large++;
	if (in->out.n > BUFFER)
		store(in);
	if (field)
		wireput_tag(&in->out, field, WIRE_BYTES);
	buffer_put(&in->out,
	           (struct str){ (char[PADDED]){ 0 }, field ? PADDED : PREFIX });
	m->at = in->stored + in->out.n;
}

/* Writes the length of a large message in front of the message. */
static void end_large(struct intake *in, const struct open_message *m)
{
	uint64_t n = in->stored + in->out.n - m->at;
	char length[PADDED];
	size_t size = m->field ? PADDED : PREFIX;

	for (size_t i = 0; i < size; i++) {
		uint64_t more = i + 1 < size ? 0x80 : 0;
		uint64_t bits =
		        m->field ? (n >> 7 * i & 0x7f) | more : n >> 8 * (PREFIX - 1 - i);

		length[i] = (char)bits;
	}
	in->large--;
	in->huge |= !m->field && n > MESSAGE_MOST;
	change(in, m->at - size, length, size);
}

/* Ends the innermost message. */
static void end(struct intake *in)
{
	const struct open_message *m = &in->open[--in->depth];
	size_t n = in->out.n - m->at, size;
	char head[2 * WIREPUT_NUMBER];

	if (m->large) {
		end_large(in, m);
		return;
	}
	if (!m->field) {
		in->out.n = m->at;
		return;
	}
	/* The tag and the length are written after the message, and then moved in front of it. */
	wireput_tag(&in->out, m->field, WIRE_BYTES);
	wireput_varint(&in->out, n);
	size = in->out.n - m->at - n;
	memcpy(head, in->out.p + m->at + n, size);
	memmove(in->out.p + m->at + size, in->out.p + m->at, n);
	memcpy(in->out.p + m->at, head, size);
	if (in->depth == in->large && in->out.n > BUFFER)
		store(in);
}

static bool put_hex(struct intake *in, uint32_t field, struct str text)
{
	char id[32];

	if (text.n > 2 * sizeof(id) || !str_hex_bytes(text, id))
		return false;
	wireput_bytes(&in->out, field, (struct str){ id, text.n / 2 });
	return true;
}

/* Returns the value of a base64 digit (of the standard or the URL alphabet), or -1. */
static int base64_digit(char c)
{
	if (str_is_letter(c))
		return c >= 'a' ? c - 'a' + 26 : c - 'A';
	if (str_is_digit(c))
		return c - '0' + 52;
	if (c == '+' || c == '-')
		return 62;
	return c == '/' || c == '_' ? 63 : -1;
}

static bool put_base64(struct intake *in, uint32_t field, struct str text)
{
	uint32_t bits = 0, n = 0;

	while (text.n && text.p[text.n - 1] == '=')
		text.n--;
	for (size_t i = 0; i < text.n; i++)
		if (base64_digit(text.p[i]) < 0)
			return false;
	wireput_tag(&in->out, field, WIRE_BYTES);
	wireput_varint(&in->out, text.n * 6 / 8);
	for (size_t i = 0; i < text.n; i++) {
		bits = bits << 6 | (uint32_t)base64_digit(text.p[i]);
		n += 6;
		if (n < 8)
			continue;
		n -= 8;
		buffer_put(&in->out, (struct str){ &(char){ (char)(bits >> n) }, 1 });
	}
	return true;
}

static bool put_real(struct intake *in, uint32_t field, struct str text)
{
	double real;
	uint64_t bits;

	if (!json_real(text, &real))
		return false;
	memcpy(&bits, &real, sizeof(bits));
	wireput_tag(&in->out, field, WIRE_FIXED64);
	wireput_fixed64(&in->out, bits);
	return true;
}

static bool put_integer(struct intake *in, uint32_t field, enum form form,
                        struct str text)
{
	bool fixed = form == FIXED || form == PACKED_FIXED;
	uint64_t v;

	if (!json_integer(text, &v))
		return false;
	if (form == FIXED || form == INTEGER)
		wireput_tag(&in->out, field, fixed ? WIRE_FIXED64 : WIRE_VARINT);
	if (fixed)
		wireput_fixed64(&in->out, v);
	else
		wireput_varint(&in->out, v);
	return true;
}

static bool is_packed(enum form form)
{
	return form == PACKED || form == PACKED_FIXED;
}

/* Writes a value that is not an object.  Returns false if its type is wrong. */
static bool put_scalar(struct intake *in, const struct json_value *v)
{
	uint32_t field = v->rule->use >> FORM_BITS;
	enum form form = v->rule->use & ((1 << FORM_BITS) - 1);
	bool text = v->type == JSON_STRING, number = v->type == JSON_NUMBER;

	switch (form) {
	case PACKED:
	case PACKED_FIXED:
		if (!in->open[in->depth - 1].packed)
			return false;
		return (text || number) && put_integer(in, field, form, v->text);
	case INTEGER:
	case FIXED:
		return (text || number) && put_integer(in, field, form, v->text);
	case REAL:
		return (text || number) && put_real(in, field, v->text);
	case BOOL:
		if (v->type != JSON_TRUE && v->type != JSON_FALSE)
			return false;
		wireput_tag(&in->out, field, WIRE_VARINT);
		wireput_varint(&in->out, v->type == JSON_TRUE);
		return true;
	case TEXT:
		if (text)
			wireput_bytes(&in->out, field, v->text);
		return text;
	case HEX:
		return text && put_hex(in, field, v->text);
	case BASE64:
		return text && put_base64(in, field, v->text);
	case OLDER:
		in->older = true;
		return true;
	default:
		return false;
	}
}

/* Reports the first value of a wrong type. */
static void note_wrong(struct intake *in)
{
	if (!in->wrong++)
		diag_at(in->reader->diag, in->reader->name, json_place(in->json),
		        "a value has a type that its key does not allow");
}

/* Begins a list of numbers.  A list inside another list is dropped. */
static void begin_packed(struct intake *in, uint32_t field)
{
	bool inner = in->open[in->depth - 1].packed;

	if (inner)
		note_wrong(in);
	begin(in, inner ? 0 : field, false);
	in->open[in->depth - 1].packed = true;
}

static bool take(void *ctx, const struct json_value *v)
{
	struct intake *in = ctx;
	enum form form = v->rule ? v->rule->use & ((1 << FORM_BITS) - 1) : MESSAGE;
	uint32_t field = v->rule ? v->rule->use >> FORM_BITS : 0;

	switch (v->type) {
	case JSON_NULL:
		return true;
	case JSON_OBJECT:
		in->messages += !v->rule;
		if (form != MESSAGE)
			note_wrong(in);
		begin(in, form == MESSAGE ? field : 0,
		      !v->rule || v->rule->is <= DICTIONARY);
		return true;
	case JSON_OBJECT_END:
		end(in);
		return !in->error;
	case JSON_ARRAY:
		if (!v->rule)
			note_wrong(in);
		else if (is_packed(form))
			begin_packed(in, field);
		return v->rule;
	case JSON_ARRAY_END:
		if (is_packed(form))
			end(in);
		return true;
	default:
		if (!v->rule || !put_scalar(in, v))
			note_wrong(in);
		return true;
	}
}

/* Ends the messages that a damaged text leaves open.  Small messages are dropped. */
static void end_all(struct intake *in)
{
	while (in->depth > in->large)
		in->out.n = in->open[--in->depth].at;
	while (in->depth)
		end(in);
	store(in);
}

static void read_text(struct intake *in, struct source *s, size_t member)
{
	struct str rest = source_map(s, member), piece;
	bool good = true;

	for (; good && rest.n && !budget_check(s->budget);
	     rest = str_from(rest, piece.n)) {
		piece = str_head(rest, PIECE);
		good = json_read(in->json, piece);
		source_give_back(s, member, piece);
	}
	if (good && !rest.n)
		good = json_end(in->json);
	if (!good && !in->error && json_reason(in->json))
		diag_at(in->reader->diag, in->reader->name, json_place(in->json), "%s",
		        json_reason(in->json));
	end_all(in);
}

static struct reader *open_json(struct source *s, size_t member, struct arena *run,
                                struct diag *diag)
{
	struct reader r = { .name = s->members[member].name, .run = run, .diag = diag };
	struct intake *in = arena_new(run, struct intake, 1);
	struct str bytes = { 0 };

	*in = (struct intake){ .source = s, .reader = &r, .out = { .arena = run } };
	in->json = json_open(rules, sizeof(rules) / sizeof(*rules), take, in);
	read_text(in, s, member);
	json_close(in->json);
	if (in->huge && in->messages > 1)
		in->error = EFBIG;
	if (!in->error)
		bytes = made_map(s);
	if (!bytes.p) {
		diag_fatal(diag, PRSTR ": cannot be stored: %s", STRARG(r.name),
		           strerror(in->error ? in->error : errno));
		return NULL;
	}
	/* Skip the length before the only message. */
	if (in->messages == 1)
		bytes = str_from(bytes, PREFIX);
	arena_drop(run, in->out.p, in->out.cap, 1);
	return otlp_over(s, member, bytes, in->older, run, diag);
}

/* Recognises an object whose first key is a key of ProfilesData. */
static int bid(struct str head)
{
	static const char *const keys[] = { "\"resourceProfiles\"", "\"dictionary\"" };

	head = str_trim(head);
	if (!str_starts(head, STR("{")))
		return 0;
	head = str_trim(str_from(head, 1));
	return STR_ANY(head, str_starts, keys) ? BID : 0;
}

const struct format otlp_json_format = {
	.name = "otlp_json",
	.traits = { LOCATED_TRAITS, .again = STR("otlp") },
	.bid = bid,
	.open = open_json,
};

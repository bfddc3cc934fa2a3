#include "reader/nettrace/netkind.h"

/* TypeCode of NetTraceFormat.md, those whose size in a payload is known. */
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
	TYPE_UTF8 = 23, /* written with 16 bits of length in front, as an array is */
	TYPE_BOOL8 = 26,
};

/* Bytes of a type, or 0. */
static const uint8_t fixed_size[] = {
	[TYPE_BOOL32] = 4, [TYPE_UTF16_UNIT] = 2, [TYPE_I8] = 1,    [TYPE_U8] = 1,
	[TYPE_I16] = 2,    [TYPE_U16] = 2,        [TYPE_I32] = 4,   [TYPE_U32] = 4,
	[TYPE_I64] = 8,    [TYPE_U64] = 8,        [TYPE_F32] = 4,   [TYPE_F64] = 8,
	[TYPE_DATE] = 16,  [TYPE_GUID] = 16,      [TYPE_BOOL8] = 1,
};

static unsigned size_of(uint8_t type)
{
	return type < sizeof(fixed_size) ? fixed_size[type] : 0;
}

struct value {
	uint8_t type;
	uint64_t number; /* of integers */
	struct str text; /* of UTF-8 */
};

/* False: the size is unknown, and so is the place of the next field. */
static bool read_value(struct cursor *in, uint8_t type, uint8_t element, struct value *v)
{
	*v = (struct value){ .type = type };
	if (type == TYPE_VARUINT || type == TYPE_VARINT) {
		v->number = cur_uleb(in);
	} else if (type == TYPE_UTF8 || (type == TYPE_ARRAY && element == TYPE_UTF8)) {
		v->type = TYPE_UTF8;
		v->text = netfile_take(in, cur_u16(in));
	} else if (type == TYPE_ARRAY && size_of(element)) {
		netfile_take(in, (size_t)cur_u16(in) * size_of(element));
	} else if (type == TYPE_UTF16) {
		while (cur_u16(in) && !in->bad)
			;
	} else if (size_of(type)) {
		struct str bytes = netfile_take(in, size_of(type));

		if (bytes.n && bytes.n <= sizeof(v->number))
			memcpy(&v->number, bytes.p, bytes.n);
	} else {
		return false;
	}
	return !in->bad;
}

/* Finds the field by its name: those before it must be skipped one by one. */
static bool find(const struct netkind *k, struct str payload, struct str name,
                 struct value *out)
{
	struct cursor fields = cur_over(k->fields, false), in = cur_over(payload, false);
	uint16_t n = cur_u16(&fields);

	for (uint16_t i = 0; i < n && !fields.bad; i++) {
		struct cursor field =
		        cur_over(netfile_take(&fields, cur_u16(&fields)), false);
		struct str called = netfile_string(&field);
		uint8_t type = cur_u8(&field);
		uint8_t element = type == TYPE_ARRAY ? cur_u8(&field) : 0;

		if (field.bad || !read_value(&in, type, element, out))
			return false;
		if (str_eq(called, name))
			return true;
	}
	return false;
}

bool netkind_number(const struct netkind *k, struct str payload, struct str name,
                    uint64_t *out)
{
	struct value v;

	if (!find(k, payload, name, &v) || v.type == TYPE_UTF8)
		return false;
	*out = v.number;
	return true;
}

bool netkind_text(const struct netkind *k, struct str payload, struct str name,
                  struct str *out)
{
	struct value v;

	if (!find(k, payload, name, &v) || v.type != TYPE_UTF8)
		return false;
	*out = v.text;
	return true;
}

/* One character of UTF-8; a lone surrogate becomes U+FFFD. */
static char *put_utf8(char *to, uint32_t c)
{
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

struct str netkind_utf16(struct cursor *in, struct arena *a)
{
	struct cursor ahead = *in;
	size_t units = 0;
	char *text, *to;
	uint16_t unit;

	while (cur_u16(&ahead) && !ahead.bad)
		units++;
	text = to = arena_alloc(a, units * 3 + 1, 1);
	while ((unit = cur_u16(in)) != 0) {
		uint32_t c = unit;

		if (c >= 0xd800 && c < 0xe000) {
			ahead = *in;
			unit = cur_u16(&ahead);
			if (c < 0xdc00 && unit >= 0xdc00 && unit < 0xe000) {
				c = 0x10000 + ((c & 0x3ff) << 10) + (unit & 0x3ff);
				*in = ahead;
			} else {
				c = 0xfffd;
			}
		}
		to = put_utf8(to, c);
	}
	return str_span(text, to);
}

/* The role of an event by its provider, its id (versions 4 and 5) and its name (6). */
static enum netkind_role role_of(struct str provider, uint32_t id, struct str name)
{
	static const struct {
		const char *provider;
		const char *name; /* NULL: any, or it has none */
		uint32_t id;
		enum netkind_role role;
	} roles[] = {
		{ "Microsoft-DotNETCore-SampleProfiler", NULL, 0, NET_THREAD_SAMPLE },
		{ "Microsoft-DotNETCore-EventPipe", NULL, 1, NET_COMMAND },
		/* MethodLoadVerbose and MethodUnloadVerbose; ModuleLoad and Unload. */
		{ "Microsoft-Windows-DotNETRuntime", NULL, 143, NET_METHOD_LOAD },
		{ "Microsoft-Windows-DotNETRuntime", NULL, 144, NET_METHOD },
		{ "Microsoft-Windows-DotNETRuntime", NULL, 152, NET_MODULE },
		{ "Microsoft-Windows-DotNETRuntime", NULL, 153, NET_MODULE },
		/* MethodDCStartVerbose and MethodDCEndVerbose; ModuleDCStart and End. */
		{ "Microsoft-Windows-DotNETRuntimeRundown", NULL, 143, NET_METHOD },
		{ "Microsoft-Windows-DotNETRuntimeRundown", NULL, 144, NET_METHOD },
		{ "Microsoft-Windows-DotNETRuntimeRundown", NULL, 153, NET_MODULE },
		{ "Microsoft-Windows-DotNETRuntimeRundown", NULL, 154, NET_MODULE },
		{ "Universal.System", "ExistingProcess", 0, NET_PROCESS },
		{ "Universal.System", "ProcessCreate", 0, NET_PROCESS },
		{ "Universal.System", "ProcessMapping", 0, NET_MAPPING },
		{ "Universal.System", "ProcessMappingMetadata", 0, NET_FILE },
		{ "Universal.System", "ProcessSymbol", 0, NET_SYMBOL },
	};

	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++)
		if (str_eq(provider, str_of(roles[i].provider)) &&
		    (roles[i].name ? str_eq(name, str_of(roles[i].name))
		                   : id == roles[i].id))
			return roles[i].role;
	return str_eq(provider, STR("Universal.Events")) && name.n ? NET_VALUE
	                                                           : NET_IGNORED;
}

/* A row that a rewound reader meets again is kept: events point to its attr. */
static void define(struct netkinds *ks, uint32_t metadata, enum netkind_role role,
                   struct str name, struct str fields)
{
	uint32_t *at = table_at(&ks->by_id, ks->run, metadata, 0);
	const struct netkind *old = *at ? &ks->kind[*at - 1] : NULL;
	struct attr *attr;

	if (old && old->role == role && old->fields.p == fields.p)
		return;
	attr = arena_new(ks->run, struct attr, 1);
	attr->name = arena_str(ks->run, name);
	attr->sample_type = NET_SAMPLE_TYPE | HAS_CPU;
	attr->has_callchain = true;
	attr->monotonic = true; /* EventPipe's clock is that one on Linux */
	ks->kind = arena_grow(ks->run, ks->kind, &ks->cap, ks->n + 1, sizeof(*ks->kind));
	ks->kind[ks->n++] = (struct netkind){ role, attr, fields };
	*at = (uint32_t)ks->n;
	if (role != NET_VALUE)
		return;
	ks->sampled = arena_grow(ks->run, ks->sampled, &ks->sampled_cap, ks->nsampled + 1,
	                         sizeof(struct attr *));
	ks->sampled[ks->nsampled++] = attr;
}

/* Version 6: a row's size, then id, provider, event id, event name, fields. */
static bool read_rows(struct netkinds *ks, struct cursor *in)
{
	netfile_take(in, cur_u16(in));
	while (cur_left(in) && !in->bad) {
		struct cursor row = cur_over(netfile_take(in, cur_u16(in)), false);
		uint32_t metadata = (uint32_t)cur_uleb(&row);
		struct str provider = netfile_string(&row);
		uint32_t id = (uint32_t)cur_uleb(&row);
		struct str name = netfile_string(&row);

		if (row.bad)
			return false;
		define(ks, metadata, role_of(provider, id, name), name,
		       str_span(row.p, row.end));
	}
	return !in->bad;
}

/* Versions 4 and 5: the payload of an event says id, provider, event id, event name. */
static bool read_events(struct netkinds *ks, const struct netfile *nf,
                        const struct netblock *block)
{
	struct arena scratch = { 0 };
	struct netevents it;
	struct netevent ev;

	if (!netfile_events(&it, nf, block))
		return false;
	while (netfile_next_event(&it, &ev)) {
		struct cursor in = cur_over(ev.payload, false);
		uint32_t metadata = cur_u32(&in);
		struct str provider = netkind_utf16(&in, &scratch);
		uint32_t id = cur_u32(&in);

		if (!in.bad)
			define(ks, metadata, role_of(provider, id, (struct str){ 0 }),
			       (struct str){ 0 }, (struct str){ 0 });
	}
	arena_release(&scratch);
	return !it.in.bad;
}

bool netkind_read(struct netkinds *ks, const struct netfile *nf,
                  const struct netblock *block)
{
	struct cursor in = cur_over(block->bytes, false);

	return nf->version < 6 ? read_events(ks, nf, block) : read_rows(ks, &in);
}

const struct netkind *netkind_find(const struct netkinds *ks, uint32_t id)
{
	uint32_t at = table_get(&ks->by_id, id, 0);

	return at ? &ks->kind[at - 1] : NULL;
}

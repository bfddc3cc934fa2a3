#include "reader/otlp/otlp.h"

#include <errno.h>

#include "reader/fields.h"
#include "reader/located.h"
#include "reader/wire.h"

/* The fields of each message, by their names in profiles.proto. */
enum { DATA_RESOURCE_PROFILES = 1, DATA_DICTIONARY };
enum { RESOURCE_PROFILES_RESOURCE = 1, RESOURCE_PROFILES_SCOPE };
enum { SCOPE_PROFILES = 2 };
enum {
	TABLE_MAPPING = 1,
	TABLE_LOCATION,
	TABLE_FUNCTION,
	TABLE_LINK,
	TABLE_STRING,
	TABLE_ATTRIBUTE,
	TABLE_STACK
};
enum { PROFILE_TYPE = 1, PROFILE_SAMPLE, PROFILE_TIME };
enum { TYPE_TYPE = 1, TYPE_UNIT };
enum { SAMPLE_STACK = 1, SAMPLE_SECOND, SAMPLE_THIRD, SAMPLE_FOURTH, SAMPLE_TIMES };
enum { STACK_LOCATIONS = 1 };
enum {
	MAPPING_START = 1,
	MAPPING_LIMIT,
	MAPPING_OFFSET,
	MAPPING_FILE,
	MAPPING_ATTRIBUTES
};
enum { LOCATION_MAPPING = 1, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_NUMBER };
enum { FUNCTION_NAME = 1, FUNCTION_SYSTEM_NAME, FUNCTION_FILE, FUNCTION_BEGINS };
enum { KEY_VALUE_KEY = 1, KEY_VALUE_VALUE, KEY_VALUE_STRINDEX };
enum { VALUE_STRING = 1, VALUE_INT = 3, VALUE_STRINDEX = 8 };

enum {
	BID = 36,
	BUILD_ID_TEXT = 128, /* digits: a longer build-id is not used */
	PREFIX = 4,          /* bytes of the length before a message */
	GIVE_BACK =
	        4 << 20, /* bytes after which the memory of earlier samples is released */
};

struct function {
	struct str name, file;
	uint32_t begins;
};

struct attribute {
	struct str key, text;
	int64_t number; /* if text is empty */
};

/* A message with its dictionary.  Its tables begin at these indices. */
struct part {
	struct str bytes;
	size_t maps, places, functions, strings, attributes, stacks;
};

/* A Profile, with the process of its resource. */
struct scoped {
	struct str bytes, comm;
	size_t part, column;
	int32_t pid;
};

struct otlp {
	struct located l;
	struct source *source;
	size_t member;
	struct str bytes;
	struct part *part; /* one more than nparts: the ends of the tables */
	struct scoped *profile;
	struct function *function;
	struct str *string, *stack;
	struct attribute *attribute;
	struct location_line *line;
	size_t nparts, parts_cap, nprofiles, profiles_cap, nfunctions, functions_cap,
	        nstrings, strings_cap, nstacks, stacks_cap, nattributes, attributes_cap,
	        lines_cap;
	size_t attrs_cap;
	bool old;   /* samples have the layout of 1.8 and 1.9 */
	bool timed; /* some sample has times */
	bool cut;   /* the last message is truncated */
	size_t at;  /* the current profile */
	struct cursor in;
	size_t given_back;
	/* The current sample: its values and times, and the next one of them. */
	struct str values, times;
	size_t turn, turns;
	bool split; /* the values are in several fields, so they cannot be used */
};

static struct otlp *of(struct reader *r)
{
	return (struct otlp *)r;
}

static struct str string(const struct otlp *o, size_t part, uint64_t i)
{
	size_t first = o->part[part].strings;

	return i < o->part[part + 1].strings - first ? o->string[first + i]
	                                             : (struct str){ 0 };
}

static int damaged(struct otlp *o, struct str field, const char *what)
{
	struct reader *r = &o->l.base;

	return diag_at(r->diag, r->name, (uint64_t)(field.p - o->bytes.p), "%s", what);
}

/* Returns true if packed numbers end inside a number. */
static bool is_cut(struct str packed)
{
	return packed.n && (unsigned char)packed.p[packed.n - 1] >> 7;
}

/* Returns true if a message is not damaged.  packed: bit i is set if field i has packed numbers. */
static bool is_whole(struct str message, uint32_t packed)
{
	struct cursor in = cur_little(message);
	bool whole = true;
	struct wire w;

	while (wire_next(&in, &w))
		if (w.field < 32 && packed >> w.field & 1)
			whole &= !is_cut(w.bytes);
	return whole && !in.bad;
}

static void take_value(struct otlp *o, size_t part, struct str bytes,
                       struct attribute *out)
{
	struct cursor in = cur_little(bytes);
	struct wire w;

	while (wire_next(&in, &w))
		if (w.field == VALUE_STRING && w.type == WIRE_BYTES)
			out->text = w.bytes;
		else if (w.field == VALUE_STRINDEX && w.type == WIRE_VARINT)
			out->text = string(o, part, w.n);
		else if (w.field == VALUE_INT && w.type == WIRE_VARINT)
			out->number = (int64_t)w.n;
}

/* Reads a KeyValue, or a KeyValueAndUnit, in which the key is the index of a string. */
static struct attribute read_attribute(struct otlp *o, size_t part, struct str bytes)
{
	struct attribute out = { .number = -1 };
	struct cursor in = cur_little(bytes);
	struct wire w;

	while (wire_next(&in, &w))
		if (w.field == KEY_VALUE_KEY && w.type == WIRE_BYTES)
			out.key = w.bytes;
		else if ((w.field == KEY_VALUE_KEY || w.field == KEY_VALUE_STRINDEX) &&
		         w.type == WIRE_VARINT)
			out.key = string(o, part, w.n);
		else if (w.field == KEY_VALUE_VALUE && w.type == WIRE_BYTES)
			take_value(o, part, w.bytes, &out);
	return out;
}

static const struct attribute *attribute_at(const struct otlp *o, size_t part, uint64_t i)
{
	static const struct attribute none = { .number = -1 };
	size_t first = o->part[part].attributes;

	return i < o->part[part + 1].attributes - first ? &o->attribute[first + i]
	                                                : &none;
}

static void take_mapping(struct otlp *o, struct str bytes)
{
	uint64_t field[MAPPING_FILE + 1];
	struct located *l = &o->l;

	wire_read(bytes, field, MAPPING_FILE + 1);
	l->map = arena_grow(l->base.run, l->map, &l->maps_cap, l->nmaps + 1,
	                    sizeof(*l->map));
	l->map[l->nmaps++] = (struct located_map){ .start = field[MAPPING_START],
		                                   .limit = field[MAPPING_LIMIT],
		                                   .file_off = field[MAPPING_OFFSET],
		                                   /* until settle */
		                                   .path = { NULL, field[MAPPING_FILE] },
		                                   .build_id = bytes,
		                                   .pid = -1 };
}

static void take_location(struct otlp *o, struct str bytes)
{
	uint64_t field[LOCATION_ADDRESS + 1];
	struct located *l = &o->l;

	wire_read(bytes, field, LOCATION_ADDRESS + 1);
	if (field[LOCATION_MAPPING] > UINT32_MAX)
		field[LOCATION_MAPPING] = 0;
	l->place = arena_grow(l->base.run, l->place, &l->places_cap, l->nplaces + 1,
	                      sizeof(*l->place));
	l->place[l->nplaces++] =
	        (struct located_place){ .id = o->nparts,
		                        .addr = field[LOCATION_ADDRESS],
		                        .map = (uint32_t)field[LOCATION_MAPPING],
		                        .rest = bytes };
}

static void take_string(struct otlp *o, struct str **list, size_t *n, size_t *cap,
                        struct str bytes)
{
	*list = arena_grow(o->l.base.run, *list, cap, *n + 1, sizeof(**list));
	(*list)[(*n)++] = bytes;
}

/* Adds an entry of the dictionary.  Entries that refer to strings are completed by settle. */
static void take_entry(struct otlp *o, const struct wire *w)
{
	static const uint32_t packed[] = { [TABLE_MAPPING] = 1 << MAPPING_ATTRIBUTES,
		                           [TABLE_STACK] = 1 << STACK_LOCATIONS };
	struct arena *run = o->l.base.run;

	if (w->type != WIRE_BYTES)
		return;
	if (w->field <= TABLE_STACK && w->field != TABLE_STRING &&
	    !is_whole(w->bytes, packed[w->field]))
		damaged(o, w->whole, "a damaged entry of a table");
	switch (w->field) {
	case TABLE_MAPPING:
		take_mapping(o, w->bytes);
		break;
	case TABLE_LOCATION:
		take_location(o, w->bytes);
		break;
	case TABLE_FUNCTION:
		o->function = arena_grow(run, o->function, &o->functions_cap,
		                         o->nfunctions + 1, sizeof(*o->function));
		o->function[o->nfunctions++].name = w->bytes;
		break;
	case TABLE_STRING:
		take_string(o, &o->string, &o->nstrings, &o->strings_cap, w->bytes);
		break;
	case TABLE_ATTRIBUTE:
		o->attribute = arena_grow(run, o->attribute, &o->attributes_cap,
		                          o->nattributes + 1, sizeof(*o->attribute));
		o->attribute[o->nattributes++].key = w->bytes;
		break;
	case TABLE_STACK:
		take_string(o, &o->stack, &o->nstacks, &o->stacks_cap, w->bytes);
		break;
	default:
		break;
	}
}

static struct str build_id(struct otlp *o, size_t part, struct str mapping)
{
	struct str gnu = STR("process.executable.build_id.gnu");
	struct cursor in = cur_little(mapping);
	struct wire w;

	while (wire_next(&in, &w)) {
		struct cursor packed = cur_little(w.bytes);

		if (w.field != MAPPING_ATTRIBUTES)
			continue;
		while (w.type == WIRE_VARINT || cur_left(&packed)) {
			uint64_t i = w.type == WIRE_VARINT ? w.n : cur_uleb(&packed);
			const struct attribute *a = attribute_at(o, part, i);
			char *raw;

			w.type = WIRE_BYTES;
			if (packed.bad || !str_eq(a->key, gnu) ||
			    a->text.n > BUILD_ID_TEXT)
				continue;
			raw = arena_new(o->l.base.run, char, a->text.n / 2 + 1);
			if (str_hex_bytes(a->text, raw))
				return (struct str){ raw, a->text.n / 2 };
		}
	}
	return (struct str){ 0 };
}

/* Completes the entries of the last part, when its strings are known. */
static void settle_part(struct otlp *o)
{
	size_t n = o->nparts;
	const struct part *p = &o->part[n];

	for (size_t i = p->attributes; i < o->nattributes; i++)
		o->attribute[i] = read_attribute(o, n, o->attribute[i].key);
	for (size_t i = p->functions; i < o->nfunctions; i++) {
		uint64_t field[FUNCTION_BEGINS + 1];
		struct function *f = &o->function[i];

		wire_read(f->name, field, FUNCTION_BEGINS + 1);
		f->name = string(o, n, field[FUNCTION_NAME]);
		if (!f->name.n)
			f->name = string(o, n, field[FUNCTION_SYSTEM_NAME]);
		f->file = string(o, n, field[FUNCTION_FILE]);
		f->begins = (uint32_t)field[FUNCTION_BEGINS];
	}
	for (size_t i = p->maps; i < o->l.nmaps; i++) {
		o->l.map[i].path = string(o, n, o->l.map[i].path.n);
		o->l.map[i].build_id = build_id(o, n, o->l.map[i].build_id);
	}
	for (size_t i = p->places; i < o->l.nplaces; i++) {
		uint64_t map = o->l.place[i].map;
		bool known = map && map < o->l.nmaps - p->maps;

		o->l.place[i].map = known ? (uint32_t)(p->maps + map + 1) : 0;
	}
}

/* Sets where the tables of part `n` begin, which is where those of the previous one end. */
static void mark_part(struct otlp *o, size_t n, struct str bytes)
{
	o->part = arena_grow(o->l.base.run, o->part, &o->parts_cap, n + 1,
	                     sizeof(*o->part));
	o->part[n] =
	        (struct part){ bytes,       o->l.nmaps,     o->l.nplaces, o->nfunctions,
		               o->nstrings, o->nattributes, o->nstacks };
}

/* Returns the column of a type of values. */
static size_t column_of(struct otlp *o, size_t part, struct str type)
{
	uint64_t field[TYPE_UNIT + 1];
	struct located *l = &o->l;
	struct str name, unit;
	size_t i = 0;

	wire_read(type, field, TYPE_UNIT + 1);
	name = string(o, part, field[TYPE_TYPE]);
	unit = string(o, part, field[TYPE_UNIT]);
	while (i < l->nattrs &&
	       (!str_eq(l->attr[i].name, name) || !str_eq(l->attr[i].unit, unit)))
		i++;
	if (i < l->nattrs)
		return i;
	l->attr = arena_grow(l->base.run, l->attr, &o->attrs_cap, l->nattrs + 1,
	                     sizeof(*l->attr));
	l->attr[l->nattrs++] = (struct attr){ .name = name,
		                              .unit = unit,
		                              .sample_type = HAS_IP | HAS_TID |
		                                             HAS_PERIOD | HAS_CALLCHAIN,
		                              .has_callchain = true };
	return i;
}

/* The evidence of all samples about their layout. */
struct layout {
	bool old, recent, beyond; /* beyond: field 2 cannot have indices of attributes */
	bool older;               /* 1.7 or earlier */
};

/* Returns false if the sample is damaged. */
static bool judge_sample(struct otlp *o, size_t part, struct str bytes, struct layout *is)
{
	size_t most = o->part[part + 1].attributes - o->part[part].attributes;
	struct cursor in = cur_little(bytes), packed;
	bool whole = true;
	struct wire w;

	while (wire_next(&in, &w)) {
		if (w.field >= SAMPLE_SECOND && w.field <= SAMPLE_FOURTH)
			whole &= !is_cut(w.bytes);
		is->old |= (w.field == SAMPLE_THIRD && w.type == WIRE_BYTES) ||
		           (w.field == SAMPLE_FOURTH && w.type == WIRE_VARINT);
		is->recent |= (w.field == SAMPLE_THIRD && w.type == WIRE_VARINT) ||
		              (w.field == SAMPLE_FOURTH && w.type == WIRE_BYTES);
		o->timed |= w.field == SAMPLE_TIMES;
		if (w.field != SAMPLE_SECOND)
			continue;
		is->beyond |= w.type == WIRE_VARINT && w.n >= most;
		packed = cur_little(w.bytes);
		while (w.type == WIRE_BYTES && cur_left(&packed) && !packed.bad)
			is->beyond |= cur_uleb(&packed) >= most;
	}
	return whole && !in.bad;
}

static void take_evidence(struct otlp *o, size_t part, struct str bytes,
                          struct layout *is)
{
	if (!judge_sample(o, part, bytes, is))
		damaged(o, bytes, "a damaged sample");
}

static void take_profile(struct otlp *o, struct scoped *p, struct layout *is)
{
	struct cursor in = cur_little(p->bytes);
	struct str type = { 0 };
	struct wire w;

	while (!budget_spent(o->l.base.budget) && wire_next(&in, &w))
		if (w.field == PROFILE_TYPE && w.type == WIRE_BYTES)
			type = w.bytes;
		else if (w.field == PROFILE_SAMPLE && w.type == WIRE_BYTES)
			take_evidence(o, p->part, w.bytes, is);
		else if (w.field == PROFILE_TIME && w.type == WIRE_BYTES)
			is->older = true;
	if (in.bad)
		damaged(o, p->bytes, "a damaged profile");
	p->column = column_of(o, p->part, type);
	o->profile = arena_grow(o->l.base.run, o->profile, &o->profiles_cap,
	                        o->nprofiles + 1, sizeof(*o->profile));
	o->profile[o->nprofiles++] = *p;
}

static bool is_id(int64_t number)
{
	return number >= 0 && number <= INT32_MAX;
}

/* Reads the process of a resource. */
static void take_resource(struct otlp *o, struct str bytes, struct scoped *p)
{
	struct cursor in = cur_little(bytes);
	struct str path = { 0 }, service = { 0 };
	struct wire w;

	while (wire_next(&in, &w)) {
		struct attribute a = { .number = -1 };

		if (w.field == 1 && w.type == WIRE_BYTES)
			a = read_attribute(o, p->part, w.bytes);
		if (str_eq(a.key, STR("process.pid")) && is_id(a.number))
			p->pid = (int32_t)a.number;
		else if (str_eq(a.key, STR("process.executable.name")))
			p->comm = a.text;
		else if (str_eq(a.key, STR("process.executable.path")))
			path = str_base(a.text);
		else if (str_eq(a.key, STR("service.name")))
			service = a.text;
	}
	if (in.bad)
		damaged(o, bytes, "a damaged resource");
	if (!p->comm.n)
		p->comm = path.n ? path : service;
}

static void take_scope(struct otlp *o, struct str bytes, const struct scoped *of,
                       struct layout *is)
{
	struct cursor in = cur_little(bytes);
	struct wire w;

	while (!budget_spent(o->l.base.budget) && wire_next(&in, &w)) {
		struct scoped p = *of;

		p.bytes = w.bytes;
		if (w.field == SCOPE_PROFILES && w.type == WIRE_BYTES)
			take_profile(o, &p, is);
	}
	if (in.bad)
		damaged(o, bytes, "the profiles of a scope are damaged");
}

static void take_resource_profiles(struct otlp *o, size_t part, struct str bytes,
                                   struct layout *is)
{
	struct scoped p = { .part = part, .pid = -1 };
	struct cursor in = cur_little(bytes);
	struct wire w;

	while (wire_next(&in, &w))
		if (w.field == RESOURCE_PROFILES_RESOURCE && w.type == WIRE_BYTES)
			take_resource(o, w.bytes, &p);
	in = cur_little(bytes);
	while (!budget_spent(o->l.base.budget) && wire_next(&in, &w))
		if (w.field == RESOURCE_PROFILES_SCOPE && w.type == WIRE_BYTES)
			take_scope(o, w.bytes, &p, is);
	if (in.bad)
		damaged(o, bytes, "the profiles of a resource are damaged");
}

static void read_part(struct otlp *o, struct str bytes, struct layout *is)
{
	struct cursor in = cur_little(bytes), table;
	struct wire w, entry;

	mark_part(o, o->nparts, bytes);
	while (wire_next(&in, &w)) {
		table = cur_little(w.bytes);
		if (w.field != DATA_DICTIONARY || w.type != WIRE_BYTES)
			continue;
		while (!budget_spent(o->l.base.budget) && wire_next(&table, &entry))
			take_entry(o, &entry);
		if (table.bad)
			damaged(o, w.whole, "a damaged dictionary");
	}
	if (in.bad && !o->cut)
		damaged(o, str_span(in.p, in.p), "a message is damaged or truncated");
	mark_part(o, o->nparts + 1, bytes);
	settle_part(o);
	in = cur_little(bytes);
	while (!budget_spent(o->l.base.budget) && wire_next(&in, &w))
		if (w.field == DATA_RESOURCE_PROFILES && w.type == WIRE_BYTES)
			take_resource_profiles(o, o->nparts, w.bytes, is);
	o->nparts++;
}

/* Returns the next message of the file.  Sets *cut if the file ends inside it or its length. */
static bool next_message(struct str *rest, struct str *out, bool *cut)
{
	const unsigned char *p = (const unsigned char *)rest->p;
	uint64_t n;

	if (!rest->n)
		return false;
	/* The tag of the first field is at least 8. */
	if (*p >> 3) {
		*out = *rest;
		*rest = (struct str){ 0 };
		return true;
	}
	*cut |= rest->n < PREFIX;
	if (rest->n < PREFIX)
		return false;
	n = (uint64_t)p[0] << 24 | (uint64_t)p[1] << 16 | (uint64_t)p[2] << 8 | p[3];
	*rest = str_from(*rest, PREFIX);
	*cut |= n > rest->n;
	*out = str_head(*rest, n);
	*rest = str_from(*rest, n);
	return true;
}

static void begin_profile(struct otlp *o, size_t at)
{
	o->at = at;
	o->in = cur_little(at < o->nprofiles ? o->profile[at].bytes : (struct str){ 0 });
}

static void rewind_otlp(struct reader *r)
{
	struct otlp *o = of(r);

	located_restart(&o->l);
	o->turn = o->turns = 0;
	o->given_back = 0;
	begin_profile(o, 0);
}

/* Chooses the layout.  Returns -1 after a report if the file is of an old version. */
static int choose_layout(struct otlp *o, const struct layout *is)
{
	struct reader *r = &o->l.base;

	if (budget_is_spent(r->budget))
		return 0;
	if (is->older || (!o->nstrings && o->nprofiles))
		return diag_fatal(r->diag,
		                  PRSTR ": profiles of OTLP 1.7 or earlier, whose layout "
		                        "has changed since; write them with 1.8 or later",
		                  STRARG(r->name));
	o->old = !is->recent && (is->old || is->beyond);
	if (!is->recent && !is->old && !is->beyond && o->nprofiles)
		diag_warn(r->diag,
		          PRSTR
		          ": samples fit the layouts of OTLP 1.9 and 1.10; they are "
		          "read as 1.10",
		          STRARG(r->name));
	return 0;
}

static void take_stack(struct otlp *o, size_t part, uint64_t i)
{
	size_t first = o->part[part].stacks, most = o->part[part + 1].stacks - first;
	struct cursor in = cur_little(i < most ? o->stack[first + i] : (struct str){ 0 });
	size_t places = o->part[part].places, nplaces = o->part[part + 1].places - places;
	struct wire w;

	while (wire_next(&in, &w)) {
		struct cursor packed = cur_little(w.bytes);

		if (w.field != STACK_LOCATIONS)
			continue;
		if (w.type == WIRE_VARINT)
			located_frame(&o->l, w.n < nplaces ? places + w.n : SIZE_MAX);
		while (cur_left(&packed) && !packed.bad) {
			uint64_t n = cur_uleb(&packed);

			located_frame(&o->l, n < nplaces ? places + n : SIZE_MAX);
			if (o->l.sample.n == 1)
				o->l.sample.callers = str_span(packed.p, packed.end);
		}
	}
}

static void take_attribute(struct otlp *o, size_t part, uint64_t i)
{
	const struct attribute *a = attribute_at(o, part, i);
	struct located_sample *s = &o->l.sample;

	if (str_eq(a->key, STR("thread.name")))
		s->comm = a->text;
	else if (str_eq(a->key, STR("thread.id")) && is_id(a->number))
		s->tid = (int32_t)a->number;
	else if (str_eq(a->key, STR("process.pid")) && is_id(a->number))
		s->pid = (int32_t)a->number;
}

static void take_attributes(struct otlp *o, size_t part, const struct wire *w)
{
	struct cursor in = cur_little(w->bytes);

	if (w->type == WIRE_VARINT)
		take_attribute(o, part, w->n);
	while (cur_left(&in) && !in.bad)
		take_attribute(o, part, cur_uleb(&in));
}

static size_t count_varints(struct str packed)
{
	size_t n = 0;

	for (size_t i = 0; i < packed.n; i++)
		n += !((unsigned char)packed.p[i] >> 7);
	return n;
}

/* Takes the values of a sample, which writers pack into one field. */
static void take_values(struct otlp *o, const struct wire *w)
{
	if (o->values.n && !o->split && format_tells(&o->l.base, o->l.sample.at))
		damaged(o, w->whole, "the values of a sample are in several fields");
	o->split |= o->values.n != 0;
	o->values = w->type == WIRE_BYTES ? w->bytes : str_from(w->whole, 1);
}

static void take_sample(struct otlp *o, const struct scoped *p, struct str bytes)
{
	uint32_t attributes = o->old ? SAMPLE_THIRD : SAMPLE_SECOND;
	uint32_t values = o->old ? SAMPLE_SECOND : SAMPLE_FOURTH;
	struct cursor in = cur_little(bytes);
	struct wire w;

	located_begin(&o->l, (uint64_t)(bytes.p - o->bytes.p));
	o->l.sample.pid = p->pid;
	o->l.sample.comm = p->comm;
	o->values = o->times = (struct str){ 0 };
	o->split = false;
	while (wire_next(&in, &w))
		if (w.field == SAMPLE_STACK)
			take_stack(o, p->part, w.n);
		else if (w.field == attributes)
			take_attributes(o, p->part, &w);
		else if (w.field == values)
			take_values(o, &w);
		else if (w.field == SAMPLE_TIMES && w.type == WIRE_BYTES)
			o->times = w.bytes;
	o->turn = 0;
	o->turns = in.bad || o->split ? 0 : count_varints(o->values);
	if (!o->turns && !in.bad && !o->split)
		o->turns = o->times.n / sizeof(uint64_t);
}

/* Makes the next value of the sample the current one. */
static void take_turn(struct otlp *o)
{
	struct cursor values = cur_little(o->values), times = cur_little(o->times);
	int64_t value = o->values.n ? (int64_t)cur_uleb(&values) : 1;
	struct located *l = &o->l;

	o->values = str_span(values.p, values.end);
	l->sample.time_ns = o->times.n ? cur_u64(&times) : 0;
	o->times = str_span(times.p, times.end);
	l->turn = 0;
	l->sample.nvalues = 0;
	for (size_t i = 0; i < l->nattrs; i++)
		located_value(l, i == o->profile[o->at].column ? value : 0);
	o->turn++;
}

static void give_back(struct otlp *o, const char *to)
{
	size_t at = (size_t)(to - o->bytes.p);

	if (at < o->given_back + GIVE_BACK)
		return;
	source_give_back(o->source, o->member,
	                 str_head(str_from(o->bytes, o->given_back), at - o->given_back));
	o->given_back = at;
}

static int read_sample(struct located *l)
{
	struct otlp *o = (struct otlp *)l;
	struct wire w;

	while (o->turn >= o->turns) {
		if (o->at >= o->nprofiles)
			return 0;
		if (!wire_next(&o->in, &w)) {
			begin_profile(o, o->at + 1);
			continue;
		}
		if (w.field != PROFILE_SAMPLE || w.type != WIRE_BYTES)
			continue;
		take_sample(o, &o->profile[o->at], w.bytes);
		give_back(o, w.bytes.p);
	}
	take_turn(o);
	return 1;
}

static struct reader *open_otlp(struct source *s, size_t member, struct arena *run,
                                struct diag *diag)
{
	struct otlp *o = arena_new(run, struct otlp, 1);
	struct str name = s->members[member].name, rest, message;
	struct layout is = { 0 };

	o->l.read = read_sample;
	o->l.base = (struct reader){ .format = &otlp_format,
		                     .run = run,
		                     .diag = diag,
		                     .budget = s->budget,
		                     .name = name };
	o->source = s;
	o->member = member;
	o->bytes = rest = source_map(s, member);
	if (!rest.p) {
		diag_fatal(diag, PRSTR ": cannot be read: %s", STRARG(name),
		           strerror(errno));
		return NULL;
	}
	while (!budget_spent(o->l.base.budget) && next_message(&rest, &message, &o->cut))
		read_part(o, message, &is);
	if (o->cut)
		damaged(o, str_from(o->bytes, o->bytes.n),
		        "the last message is truncated");
	if (choose_layout(o, &is) < 0)
		return NULL;
	for (size_t i = 0; i < o->l.nattrs && o->timed; i++)
		o->l.attr[i].sample_type |= HAS_TIME;
	o->l.comm = STR("[unknown]");
	located_settle(&o->l);
	rewind_otlp(&o->l.base);
	return &o->l.base;
}

static void take_line(struct otlp *o, size_t part, struct str bytes, size_t n)
{
	size_t first = o->part[part].functions,
	       most = o->part[part + 1].functions - first;
	static const struct function none = { 0 };
	uint64_t field[LINE_NUMBER + 1];
	const struct function *f;

	wire_read(bytes, field, LINE_NUMBER + 1);
	f = field[LINE_FUNCTION] < most ? &o->function[first + field[LINE_FUNCTION]]
	                                : &none;
	o->line = arena_grow(o->l.base.run, o->line, &o->lines_cap, n + 1,
	                     sizeof(*o->line));
	o->line[n] = (struct location_line){ .func = f->name,
		                             .file = f->file,
		                             .line = (uint32_t)field[LINE_NUMBER],
		                             .begins = f->begins };
}

static struct location location(struct reader *r, uint32_t number)
{
	struct otlp *o = of(r);
	const struct located_place *at = &o->l.place[number - 1];
	struct location out = { .addr = at->addr,
		                .mapping = located_number(&o->l, at),
		                .written = at->rest };
	struct cursor in = cur_little(at->rest);
	struct wire w;

	while (wire_next(&in, &w))
		if (w.field == LOCATION_LINE && w.type == WIRE_BYTES)
			take_line(o, at->id, w.bytes, out.nlines++);
	out.lines = o->line;
	return out;
}

static size_t locations(const struct reader *r)
{
	return ((const struct otlp *)r)->l.nplaces;
}

static void progress(const struct reader *r, uint64_t *done, uint64_t *total)
{
	const struct otlp *o = (const struct otlp *)r;

	*total = o->bytes.n;
	*done = o->at < o->nprofiles ? (uint64_t)(o->in.p - o->bytes.p) : *total;
}

static void close_otlp(struct reader *r)
{
	(void)r;
}

/*
 * Returns true if a message begins with fields below `most`, which all are messages or strings.  cut:
 * the message may continue after these bytes.  Sets *first to the contents of its first field.
 */
static bool has_messages(struct str bytes, uint64_t most, bool cut, struct str *first)
{
	struct cursor in = cur_little(bytes);

	*first = (struct str){ 0 };
	while (cur_left(&in)) {
		uint64_t tag = cur_uleb(&in), n = cur_uleb(&in);

		if ((tag & 7) != WIRE_BYTES || !(tag >> 3) || tag >> 3 >= most)
			return false;
		if (in.bad || n > cur_left(&in)) {
			if (!cut)
				return false;
			n = cur_left(&in);
		}
		if (!first->n)
			*first = (struct str){ in.p, n };
		cur_take(&in, n);
	}
	return true;
}

/*
 * Recognises the first resource or dictionary, and in it the first entry: an attribute of the
 * resource, a scope, or an entry of a table.
 */
static int bid(struct str head)
{
	bool cut = head.n >= SOURCE_HEAD, ends = false;
	struct str rest = head, first, second;

	if (!next_message(&rest, &head, &ends) || !head.n ||
	    !has_messages(head, DATA_DICTIONARY + 1, cut, &first) || !first.n)
		return 0;
	cut &= first.p + first.n == head.p + head.n;
	return has_messages(first, TABLE_STACK + 1, cut, &second) && second.n ? BID : 0;
}

const struct format otlp_format = {
	.name = "otlp",
	.traits = { .sets = READ_SAMPLES | READ_ADDRESSES,
	            .rank = 2,
	            .has_ips = true,
	            .has_locations = true },
	.bid = bid,
	.open = open_otlp,
	.next = located_next,
	.rewind = rewind_otlp,
	.progress = progress,
	.attrs = located_attrs,
	.locations = locations,
	.location = location,
	.close = close_otlp,
};

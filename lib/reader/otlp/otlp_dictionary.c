#include "reader/otlp/otlp_dictionary.h"

#include "reader/located_list.h"
#include "reader/otlp/otlp_fields.h"

struct function {
	struct str name, file;
	uint32_t begins;
};

/* The index of a part's first entry in each table. */
struct part {
	size_t maps, places, functions, strings, attributes, stacks;
};

struct otlp_dictionary {
	struct located *l;
	/* nparts + 1 elements: the last element contains the ends of the tables */
	struct part *part;
	struct function *function;
	struct str *string;
	const char **stack; /* fields with the stacks */
	struct otlp_attribute *attribute;
	struct location_line *line; /* lines of the location that is being read */
	size_t nparts, parts_cap, nfunctions, functions_cap, nstrings, strings_cap,
	        nstacks, stacks_cap, nattributes, attributes_cap, lines_cap;
};

struct str otlp_dictionary_string(const struct otlp_dictionary *d, size_t part,
                                  uint64_t i)
{
	size_t first = d->part[part].strings;

	return i < d->part[part + 1].strings - first ? d->string[first + i]
	                                             : (struct str){ 0 };
}

bool otlp_dictionary_has_strings(const struct otlp_dictionary *d)
{
	return d->nstrings != 0;
}

const struct otlp_attribute *otlp_dictionary_attributes(const struct otlp_dictionary *d,
                                                        size_t part, size_t *n)
{
	*n = d->part[part + 1].attributes - d->part[part].attributes;
	return d->attribute + d->part[part].attributes;
}

static void take_value(const struct otlp_dictionary *d, size_t part, struct str bytes,
                       struct otlp_attribute *out)
{
	struct cursor in = cur_little(bytes);
	struct wire w;

	while (wire_next(&in, &w))
		if (w.field == VALUE_STRING && w.type == WIRE_BYTES)
			out->text = w.bytes;
		else if (w.field == VALUE_STRINDEX && w.type == WIRE_VARINT)
			out->text = otlp_dictionary_string(d, part, w.n);
		else if (w.field == VALUE_INT && w.type == WIRE_VARINT)
			out->number = (int64_t)w.n;
}

static enum otlp_role role_of(struct str key)
{
	return str_eq(key, STR("thread.name"))   ? OTLP_THREAD_NAME
	       : str_eq(key, STR("thread.id"))   ? OTLP_THREAD_ID
	       : str_eq(key, STR("process.pid")) ? OTLP_PID
	                                         : OTLP_OTHER;
}

struct otlp_attribute otlp_dictionary_read(const struct otlp_dictionary *d, size_t part,
                                           struct str bytes)
{
	struct otlp_attribute out = { .number = -1 };
	struct cursor in = cur_little(bytes);
	struct wire w;

	while (wire_next(&in, &w))
		if (w.field == KEY_VALUE_KEY && w.type == WIRE_BYTES)
			out.key = w.bytes;
		else if ((w.field == KEY_VALUE_KEY || w.field == KEY_VALUE_STRINDEX) &&
		         w.type == WIRE_VARINT)
			out.key = otlp_dictionary_string(d, part, w.n);
		else if (w.field == KEY_VALUE_VALUE && w.type == WIRE_BYTES)
			take_value(d, part, w.bytes, &out);
	out.role = role_of(out.key);
	return out;
}

static void take_mapping(struct located *l, struct str bytes)
{
	uint64_t field[MAPPING_FILE + 1];

	wire_read(bytes, field, MAPPING_FILE + 1);
	/*
	 * Until settle, `path` contains the index of a string, and `build_id` contains the message
	 * of the mapping.
	 */
	*arena_push(l->base.run, l->map, l->nmaps, l->maps_cap) =
	        (struct located_map){ .start = field[MAPPING_START],
		                      .limit = field[MAPPING_LIMIT],
		                      .file_off = field[MAPPING_OFFSET],
		                      .path = { NULL, field[MAPPING_FILE] },
		                      .build_id = bytes,
		                      .pid = -1 };
}

static void take_location(struct located *l, const struct wire *w)
{
	uint64_t field[LOCATION_ADDRESS + 1];

	wire_read(w->bytes, field, LOCATION_ADDRESS + 1);
	if (field[LOCATION_MAPPING] > UINT32_MAX)
		field[LOCATION_MAPPING] = 0;
	*arena_push(l->base.run, l->place, l->nplaces, l->places_cap) =
	        (struct located_place){ .addr = field[LOCATION_ADDRESS],
		                        .field = w->whole.p,
		                        .map = (uint32_t)field[LOCATION_MAPPING] };
}

/*
 * Returns true if a message is not damaged.  packed: bit i is set if field i contains packed
 * numbers.
 */
static bool is_whole(struct str message, uint32_t packed)
{
	struct cursor in = cur_little(message);
	bool whole = true;
	struct wire w;

	while (wire_next(&in, &w))
		if (w.field < 32 && packed >> w.field & 1)
			whole &= !wire_is_cut(w.bytes);
	return whole && !in.bad;
}

/* Entries that refer to strings are not complete before settle. */
bool otlp_dictionary_take(struct otlp_dictionary *d, const struct wire *w)
{
	static const uint32_t packed[] = { [OTLP_MAPPING] = 1 << MAPPING_ATTRIBUTES,
		                           [OTLP_STACK] = 1 << STACK_LOCATIONS };
	struct arena *run = d->l->base.run;

	if (w->type != WIRE_BYTES)
		return true;
	switch (w->field) {
	case OTLP_MAPPING:
		take_mapping(d->l, w->bytes);
		break;
	case OTLP_LOCATION:
		take_location(d->l, w);
		break;
	case OTLP_FUNCTION:
		arena_push(run, d->function, d->nfunctions, d->functions_cap)->name =
		        w->bytes;
		break;
	case OTLP_STRING:
		*arena_push(run, d->string, d->nstrings, d->strings_cap) = w->bytes;
		return true;
	case OTLP_ATTRIBUTE:
		arena_push(run, d->attribute, d->nattributes, d->attributes_cap)->key =
		        w->bytes;
		break;
	case OTLP_STACK:
		if (d->nstacks < UINT32_MAX)
			*arena_push(run, d->stack, d->nstacks, d->stacks_cap) =
			        w->whole.p;
		break;
	default:
		break;
	}
	return w->field > OTLP_STACK || is_whole(w->bytes, packed[w->field]);
}

/* Sets the ids of a mapping from one of its attributes. */
static void take_id(struct arena *run, const struct otlp_attribute *a,
                    struct located_map *out)
{
	struct str kind = str_from(a->key, str_rfind(a->key, '.') + 1);

	if (!str_starts(a->key, STR("process.executable.build_id.")) ||
	    a->text.n > LOCATED_ID_DIGITS)
		return;
	if (str_eq(kind, STR("gnu")))
		out->build_id = located_build_id(run, a->text);
	else if (str_eq(kind, STR("htlhash")) || str_eq(kind, STR("profiling")))
		out->other_id = arena_fmt(run, "htlhash/" PRSTR, STRARG(a->text));
	else if (str_eq(kind, STR("go")) && !out->other_id.n)
		out->other_id = arena_fmt(run, "go/" PRSTR, STRARG(a->text));
}

/* Sets the ids of a mapping from its message. */
static void take_ids(struct otlp_dictionary *d, struct str mapping,
                     struct located_map *out)
{
	struct cursor in = cur_little(mapping);
	const struct otlp_attribute *a;
	struct wire w;
	size_t n;

	a = otlp_dictionary_attributes(d, d->nparts, &n);
	out->build_id = (struct str){ 0 };
	while (wire_next(&in, &w)) {
		struct cursor numbers = wire_numbers(&w);

		while (w.field == MAPPING_ATTRIBUTES && cur_left(&numbers) &&
		       !numbers.bad) {
			uint64_t i = cur_uleb(&numbers);

			if (i < n)
				take_id(d->l->base.run, &a[i], out);
		}
	}
}

static struct function read_function(struct otlp_dictionary *d, struct str bytes)
{
	uint64_t field[FUNCTION_BEGINS + 1];
	struct str name;

	wire_read(bytes, field, FUNCTION_BEGINS + 1);
	name = otlp_dictionary_string(d, d->nparts, field[FUNCTION_NAME]);
	if (!name.n)
		name = otlp_dictionary_string(d, d->nparts, field[FUNCTION_SYSTEM_NAME]);
	return (struct function){
		.name = name,
		.file = otlp_dictionary_string(d, d->nparts, field[FUNCTION_FILE]),
		.begins = (uint32_t)field[FUNCTION_BEGINS],
	};
}

/* Starts the tables of part `n`, and so ends the tables of the previous part. */
static void mark_part(struct otlp_dictionary *d, size_t n)
{
	arena_fit(d->l->base.run, d->part, n + 1, d->parts_cap);
	d->part[n] = (struct part){ d->l->nmaps, d->l->nplaces,  d->nfunctions,
		                    d->nstrings, d->nattributes, d->nstacks };
}

size_t otlp_dictionary_settle(struct otlp_dictionary *d)
{
	struct located *l = d->l;
	size_t n = d->nparts;
	struct part p;

	mark_part(d, n + 1);
	p = d->part[n];
	for (size_t i = p.attributes; i < d->nattributes; i++)
		d->attribute[i] = otlp_dictionary_read(d, n, d->attribute[i].key);
	for (size_t i = p.functions; i < d->nfunctions; i++)
		d->function[i] = read_function(d, d->function[i].name);
	for (size_t i = p.maps; i < l->nmaps; i++) {
		l->map[i].path = otlp_dictionary_string(d, n, l->map[i].path.n);
		take_ids(d, l->map[i].build_id, &l->map[i]);
	}
	for (size_t i = p.places; i < l->nplaces; i++) {
		uint64_t map = l->place[i].map;
		bool known = map && map < l->nmaps - p.maps;

		l->place[i].map = known ? (uint32_t)(p.maps + map + 1) : 0;
	}
	return d->nparts++;
}

uint32_t otlp_dictionary_stack(const struct otlp_dictionary *d, size_t part, uint64_t i)
{
	size_t first = d->part[part].stacks;

	return i < d->part[part + 1].stacks - first ? (uint32_t)(first + i + 1) : 0;
}

/* Returns the part that contains an entry of the table `member`, by the index of the entry. */
#define PART_OF(d, member, index) part_of((d), offsetof(struct part, member), (index))

static size_t part_of(const struct otlp_dictionary *d, size_t member, size_t index)
{
	size_t low = 0, high = d->nparts;

	while (high - low > 1) {
		size_t mid = low + (high - low) / 2, first;

		memcpy(&first, (const char *)&d->part[mid] + member, sizeof(first));
		if (first <= index)
			low = mid;
		else
			high = mid;
	}
	return low;
}

void otlp_dictionary_frames(const struct otlp_dictionary *d, uint32_t stack)
{
	const struct part *p = &d->part[PART_OF(d, stacks, stack - 1)];
	size_t nplaces = p[1].places - p->places;
	struct cursor in = cur_little(located_message(d->l, d->stack[stack - 1]));
	struct wire w;

	while (wire_next(&in, &w)) {
		struct cursor numbers = wire_numbers(&w);
		struct located_list list;

		if (w.field != STACK_LOCATIONS)
			continue;
		list = located_list_begin(d->l, cur_left(&numbers));
		while (cur_left(&numbers) && !numbers.bad) {
			uint64_t n = cur_uleb(&numbers);

			located_list_add(&list, n < nplaces ? p->places + n : SIZE_MAX);
		}
		located_list_end(d->l, &list);
	}
}

static struct location_line read_line(const struct otlp_dictionary *d, size_t part,
                                      struct str bytes)
{
	const struct part *p = &d->part[part];
	struct function f = { 0 };
	uint64_t field[LINE_NUMBER + 1];

	wire_read(bytes, field, LINE_NUMBER + 1);
	if (field[LINE_FUNCTION] < p[1].functions - p->functions)
		f = d->function[p->functions + field[LINE_FUNCTION]];
	return (struct location_line){ .func = f.name,
		                       .file = f.file,
		                       .line = (uint32_t)field[LINE_NUMBER],
		                       .begins = f.begins };
}

struct location otlp_dictionary_location(struct otlp_dictionary *d, uint32_t number)
{
	const struct located_place *at = &d->l->place[number - 1];
	struct location out = { .addr = at->addr, .mapping = located_number(d->l, at) };
	struct cursor in = cur_little(located_message(d->l, at->field));
	size_t part = PART_OF(d, places, number - 1);
	struct wire w;

	while (wire_next(&in, &w))
		if (w.field == LOCATION_LINE && w.type == WIRE_BYTES)
			*arena_push(d->l->base.run, d->line, out.nlines, d->lines_cap) =
			        read_line(d, part, w.bytes);
	out.lines = d->line;
	return out;
}

struct otlp_dictionary *otlp_dictionary_new(struct located *l)
{
	struct otlp_dictionary *d = arena_new(l->base.run, struct otlp_dictionary, 1);

	d->l = l;
	mark_part(d, 0);
	return d;
}

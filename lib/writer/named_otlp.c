#include "writer/named_otlp.h"

#include "base/table.h"
#include "process/process.h"
#include "reader/capture.h"
#include "reader/otlp/otlp.h"
#include "reader/otlp/otlp_fields.h"
#include "writer/caption.h"
#include "writer/named_tables.h"

enum { BUILD_ID_MOST = 64, PREFIX = 4 };

/* The samples of one event in one process.  Samples and groups are numbered from 1. */
struct group {
	int32_t pid;
	const struct attr *attr;
	uint32_t first, last; /* samples */
	/*
	 * next: the next group of the process, or 0.  end: the last group of the process,
	 * set only in its first group
	 */
	uint32_t next, end;
	bool again; /* an earlier group has the same process */
};

/* One sample of the output: a stack of a thread, with its values. */
struct stack_sample {
	str_id stack, set;    /* set: id of the sample's list of attribute numbers */
	uint32_t next;        /* next sample of the group, or 0 */
	uint32_t first, last; /* values */
};

struct stack_value {
	uint64_t value, time; /* time: ns since 1970, or 0 */
	uint32_t next;        /* next value of the sample, or 0 */
};

struct named_otlp {
	struct profile *p;
	struct out *o;
	struct arena *arena;
	struct named_tables tables;
	bool again; /* the input is a profile of OpenTelemetry */
	/* the input's table of functions, or of strings, is empty */
	bool no_function, no_string;
	size_t locations, mappings; /* numbers of locations and mappings so far */
	struct buffer
	        functions; /* the new functions, encoded as fields of a dictionary */
	struct buffer dictionary;
	struct buffer part, inner, sample, set;
	/*
	 * places: (address, mapping, frame) -> number of the location.  maps: mapping id ->
	 * number of the mapping
	 */
	struct table places, maps;
	/* `attributes` contains messages, the other interners contain packed numbers */
	struct interner stacks, attributes, sets;
	/*
	 * groups: (attr, pid) -> number, (UINT64_MAX, pid) -> number of the process's first group.
	 * samples: (group and set, stack) -> number
	 */
	struct table groups, samples;
	struct group *group;
	struct stack_sample *stack;
	struct stack_value *value;
	size_t ngroups, groups_cap, nstacks, stacks_cap, nvalues, values_cap;
};

/* Writes a new function. */
static void put_function(void *ctx, struct str message)
{
	struct named_otlp *w = ctx;

	wireput_bytes(&w->functions, OTLP_FUNCTION, message);
}

static uint64_t string(struct named_otlp *w, struct str s)
{
	return named_tables_string(&w->tables, s);
}

static void begin_tables(struct named_otlp *w)
{
	w->dictionary.n = w->functions.n = 0;
	w->tables = (struct named_tables){
		.p = w->p, .arena = w->arena, .put_function = put_function, .ctx = w
	};
	named_tables_begin(&w->tables);
}

/*
 * Counts the functions and strings of an input message.  New functions and strings get higher
 * numbers.
 */
static void count_tables(struct named_otlp *w, struct str message)
{
	struct cursor in = cur_little(message), table;
	struct wire f, entry;
	size_t n[OTLP_STACK + 1] = { 0 };

	while (wire_next(&in, &f)) {
		table = cur_little(f.bytes);
		while (f.field == DATA_DICTIONARY && wire_next(&table, &entry))
			if (entry.type == WIRE_BYTES && entry.field <= OTLP_STACK)
				n[entry.field]++;
	}
	w->no_function = !n[OTLP_FUNCTION];
	w->no_string = !n[OTLP_STRING];
	w->tables.first_function = n[OTLP_FUNCTION] + w->no_function;
	w->tables.first_string = n[OTLP_STRING] + w->no_string;
}

/*
 * Writes the new functions and strings.  If the input's table of functions or strings is empty,
 * first writes the empty entry with which the format begins each table.
 */
static void end_tables(struct named_otlp *w)
{
	if (w->functions.n && w->no_function)
		wireput_bytes(&w->dictionary, OTLP_FUNCTION, STR(""));
	if (w->tables.strings.n > 1 && w->no_string)
		wireput_bytes(&w->dictionary, OTLP_STRING, STR(""));
	buffer_put(&w->dictionary, buffer_str(&w->functions));
	for (size_t i = 1; i < w->tables.strings.n; i++)
		wireput_bytes(&w->dictionary, OTLP_STRING,
		              intern_str(&w->tables.strings, (str_id)i));
}

/* Copies a table entry of the input.  If the entry is a location, adds its new names. */
static void put_entry(struct named_otlp *w, const struct wire *entry)
{
	bool location = entry->field == OTLP_LOCATION && entry->type == WIRE_BYTES;
	bool known = location && ++w->locations <= reader_locations(profile_reader(w->p));
	const struct resolved *names =
	        known ? named_tables_new(&w->tables, w->locations) : NULL;

	if (!names) {
		buffer_put(&w->dictionary, entry->whole);
		return;
	}
	w->part.n = 0;
	buffer_put(&w->part, entry->bytes);
	named_tables_lines(&w->tables, &w->part, LOCATION_LINE, names);
	wireput_bytes(&w->dictionary, OTLP_LOCATION, buffer_str(&w->part));
}

/*
 * Writes the length of a message.  In a file with several messages, the length precedes each
 * message.
 */
static void put_prefix(struct named_otlp *w, uint64_t n)
{
	for (int shift = 8 * (PREFIX - 1); shift >= 0; shift -= 8)
		out_char(w->o, (char)(n >> shift));
}

/* Copies a message of the input.  The dictionary of the message moves to the end. */
static void write_message(struct named_otlp *w, struct str message, bool prefixed)
{
	struct cursor in = cur_little(message), table;
	struct wire f, entry;
	uint64_t others = 0;

	begin_tables(w);
	count_tables(w, message);
	while (wire_next(&in, &f)) {
		bool is_table = f.field == DATA_DICTIONARY && f.type == WIRE_BYTES;

		table = cur_little(is_table ? f.bytes : (struct str){ 0 });
		while (wire_next(&table, &entry))
			put_entry(w, &entry);
		others += is_table ? 0 : f.whole.n;
	}
	end_tables(w);
	w->part.n = 0;
	if (w->dictionary.n)
		wireput_bytes(&w->part, DATA_DICTIONARY, buffer_str(&w->dictionary));
	if (prefixed)
		put_prefix(w, others + w->part.n);
	in = cur_little(message);
	while (wire_next(&in, &f))
		if (f.field != DATA_DICTIONARY || f.type != WIRE_BYTES)
			out_str(w->o, f.whole);
	out_str(w->o, buffer_str(&w->part));
}

static void write_again(struct named_otlp *w)
{
	struct str rest = reader_written(profile_reader(w->p)), message;
	const char *begin = rest.p;
	bool cut = false;

	while (!w->o->error && otlp_message(&rest, &message, &cut)) {
		write_message(w, message, message.p != begin);
		begin = rest.p;
	}
}

/* Writes an integer, even if the integer is 0. */
static void put_integer(struct buffer *to, uint64_t number)
{
	wireput_tag(to, VALUE_INT, WIRE_VARINT);
	wireput_varint(to, number);
}

/*
 * Returns the number of an attribute in the table.  The value of the attribute is `text`, or
 * `number` if `text` is empty.
 */
static uint64_t attribute(struct named_otlp *w, struct str key, struct str text,
                          uint64_t number)
{
	w->inner.n = 0;
	if (text.n)
		wireput_number(&w->inner, VALUE_STRINDEX, string(w, text));
	else
		put_integer(&w->inner, number);
	w->part.n = 0;
	wireput_number(&w->part, KEY_VALUE_KEY, string(w, key));
	wireput_bytes(&w->part, KEY_VALUE_VALUE, buffer_str(&w->inner));
	return intern(&w->attributes, buffer_str(&w->part));
}

static uint64_t put_mapping(struct named_otlp *w, const struct mapping *m)
{
	uint32_t *known = m ? table_at(&w->maps, w->arena, m->id, 0) : NULL;
	struct str id = m ? str_head(m->build_id, BUILD_ID_MOST) : (struct str){ 0 };
	uint64_t number = 0, path;

	if (!m || *known)
		return m ? *known : 0;
	*known = (uint32_t)++w->mappings;
	if (id.n)
		number = attribute(w, STR("process.executable.build_id.gnu"),
		                   arena_hex(w->arena, id), 0);
	path = string(w, profile_str(w->p, m->path));
	w->part.n = w->inner.n = 0;
	if (!m->assumed) {
		wireput_number(&w->part, MAPPING_START, m->first);
		wireput_number(&w->part, MAPPING_LIMIT, m->last);
		wireput_number(&w->part, MAPPING_OFFSET, m->first - m->bias);
	}
	wireput_number(&w->part, MAPPING_FILE, path);
	if (number) {
		wireput_varint(&w->inner, number);
		wireput_bytes(&w->part, MAPPING_ATTRIBUTES, buffer_str(&w->inner));
	}
	wireput_bytes(&w->dictionary, OTLP_MAPPING, buffer_str(&w->part));
	return *known;
}

/* Returns the number of a location, and writes the location on first use. */
static uint64_t put_location(struct named_otlp *w, const struct frame *f, frame_id id)
{
	const struct mapping *m = profile_mapping(w->p, f);
	uint64_t addr = named_address(w->p, f), mapping;
	uint32_t *known = table_at(&w->places, w->arena, addr,
	                           (uint64_t)(m ? m->id : 0) << 32 | id);

	if (*known)
		return *known;
	*known = (uint32_t)++w->locations;
	mapping = put_mapping(w, m);
	w->part.n = 0;
	wireput_number(&w->part, LOCATION_MAPPING, mapping);
	wireput_number(&w->part, LOCATION_ADDRESS, addr);
	named_tables_lines(&w->tables, &w->part, LOCATION_LINE, profile_frame(w->p, id));
	wireput_bytes(&w->dictionary, OTLP_LOCATION, buffer_str(&w->part));
	return w->locations;
}

/* Adds a sample's stack to the table of stacks, and returns the number of the stack. */
static str_id put_stack(struct named_otlp *w, const struct sample *s)
{
	w->sample.n = 0;
	for (size_t i = 0; i < s->nframes; i++)
		wireput_varint(&w->sample,
		               put_location(w, &s->ev->frames[i], s->frames[i].id));
	return intern(&w->stacks, buffer_str(&w->sample));
}

/* Returns the id of the list of attributes that describe a sample's thread. */
static str_id put_set(struct named_otlp *w, const struct sample *s)
{
	w->set.n = 0;
	if (s->tid >= 0)
		wireput_varint(&w->set,
		               attribute(w, STR("thread.id"), STR(""), (uint64_t)s->tid));
	if (s->comm.n)
		wireput_varint(&w->set, attribute(w, STR("thread.name"), s->comm, 0));
	return intern(&w->sets, buffer_str(&w->set));
}

/* Adds group n to the groups of its process. */
static void join_process(struct named_otlp *w, uint32_t n)
{
	struct group *g = &w->group[n - 1];
	uint32_t *first =
	        table_at(&w->groups, w->arena, UINT64_MAX, (uint64_t)(uint32_t)g->pid);

	g->again = *first;
	if (g->again)
		w->group[w->group[*first - 1].end - 1].next = n;
	else
		*first = n;
	w->group[*first - 1].end = n;
}

/* Returns the number of a sample's group, from 1. */
static uint32_t find_group(struct named_otlp *w, const struct sample *s)
{
	uint32_t *at = table_at(&w->groups, w->arena, (uint64_t)(uintptr_t)s->ev->attr,
	                        (uint64_t)(uint32_t)s->pid);
	uint32_t n = (uint32_t)w->ngroups + 1;

	if (*at)
		return *at;
	*at = n;
	arena_fit(w->arena, w->group, n, w->groups_cap);
	w->group[w->ngroups++] = (struct group){ .pid = s->pid, .attr = s->ev->attr };
	join_process(w, n);
	return n;
}

/* Returns the output sample of a group with this stack and these attributes. */
static struct stack_sample *find_sample(struct named_otlp *w, uint32_t group,
                                        str_id stack, str_id set)
{
	struct group *g = &w->group[group - 1];
	uint32_t *at =
	        table_at(&w->samples, w->arena, (uint64_t)group << 32 | set, stack);

	if (*at)
		return &w->stack[*at];
	arena_fit(w->arena, w->stack, w->nstacks + 2, w->stacks_cap);
	*at = (uint32_t)++w->nstacks;
	w->stack[*at] = (struct stack_sample){ .stack = stack, .set = set };
	if (g->last)
		w->stack[g->last].next = *at;
	else
		g->first = *at;
	g->last = *at;
	return &w->stack[*at];
}

/* Returns the time of day of an event, or 0 if the recording does not have it. */
static uint64_t time_of(const struct named_otlp *w, const struct event *ev)
{
	const struct capture *c = reader_capture(profile_reader(w->p));

	return ev->has_time && c->has_clock ? ev->time_ns - c->clock_ns + c->wall_ns : 0;
}

static void add_sample(void *state, const struct sample *s)
{
	struct named_otlp *w = state;
	struct stack_sample *to;
	str_id stack, set;

	if (w->again)
		return;
	stack = put_stack(w, s);
	set = put_set(w, s);
	to = find_sample(w, find_group(w, s), stack, set);
	arena_fit(w->arena, w->value, w->nvalues + 2, w->values_cap);
	w->value[++w->nvalues] =
	        (struct stack_value){ s->ev->weight < INT64_MAX ? s->ev->weight
		                                                : INT64_MAX,
		                      time_of(w, s->ev), 0 };
	if (to->last)
		w->value[to->last].next = (uint32_t)w->nvalues;
	else
		to->first = (uint32_t)w->nvalues;
	to->last = (uint32_t)w->nvalues;
}

static void put_type(struct named_otlp *w, struct buffer *to, const struct attr *attr)
{
	w->inner.n = 0;
	wireput_number(&w->inner, TYPE_TYPE, string(w, named_tables_type(attr)));
	wireput_number(&w->inner, TYPE_UNIT, string(w, named_tables_unit(attr)));
	wireput_bytes(to, PROFILE_TYPE, buffer_str(&w->inner));
}

static void put_sample(struct named_otlp *w, struct buffer *to,
                       const struct stack_sample *s)
{
	struct buffer *values = &w->inner, *times = &w->set, *out = &w->sample;
	bool timed = w->value[s->first].time != 0;

	values->n = times->n = out->n = 0;
	for (uint32_t i = s->first; i; i = w->value[i].next) {
		wireput_varint(values, w->value[i].value);
		if (timed)
			wireput_fixed64(times, w->value[i].time);
	}
	wireput_number(out, SAMPLE_STACK, s->stack);
	if (s->set)
		wireput_bytes(out, SAMPLE_ATTRIBUTES, intern_str(&w->sets, s->set));
	wireput_bytes(out, SAMPLE_VALUES, buffer_str(values));
	if (timed)
		wireput_bytes(out, SAMPLE_TIMES, buffer_str(times));
	wireput_bytes(to, PROFILE_SAMPLE, buffer_str(out));
}

/*
 * Writes an attribute of a resource.  Such an attribute contains its key, unlike attributes in
 * the table.
 */
static void put_resource_attribute(struct named_otlp *w, struct buffer *to,
                                   struct str key, struct str text, int32_t number)
{
	w->inner.n = w->sample.n = 0;
	if (text.n)
		wireput_bytes(&w->inner, VALUE_STRING, caption_clean(w->arena, text));
	else
		put_integer(&w->inner, (uint64_t)number);
	wireput_bytes(&w->sample, KEY_VALUE_KEY, key);
	wireput_bytes(&w->sample, KEY_VALUE_VALUE, buffer_str(&w->inner));
	wireput_bytes(to, RESOURCE_ATTRIBUTE, buffer_str(&w->sample));
}

/* Writes the resource of a process. */
static void put_resource(struct named_otlp *w, struct buffer *to, int32_t pid)
{
	struct str name = pid >= 0 ? profile_process_name(w->p, pid) : STR("");

	w->part.n = 0;
	if (pid >= 0)
		put_resource_attribute(w, &w->part, STR("process.pid"), STR(""), pid);
	if (name.n)
		put_resource_attribute(w, &w->part, STR("process.executable.name"), name,
		                       0);
	wireput_bytes(to, RESOURCE_PROFILES_RESOURCE, buffer_str(&w->part));
}

/* Writes a process, whose first group is `first`, with all its groups. */
static void put_process(struct named_otlp *w, const struct group *first)
{
	struct buffer scope = { .arena = w->arena }, profile = { .arena = w->arena },
	              resource = { .arena = w->arena };

	w->inner.n = 0;
	wireput_bytes(&w->inner, INSTRUMENTATION_NAME, STR("offbox"));
	wireput_bytes(&scope, SCOPE_SCOPE, buffer_str(&w->inner));
	for (const struct group *g = first; g;
	     g = g->next ? &w->group[g->next - 1] : NULL) {
		profile.n = 0;
		put_type(w, &profile, g->attr);
		for (uint32_t at = g->first; at; at = w->stack[at].next)
			put_sample(w, &profile, &w->stack[at]);
		wireput_bytes(&scope, SCOPE_PROFILES, buffer_str(&profile));
	}
	put_resource(w, &resource, first->pid);
	wireput_bytes(&resource, RESOURCE_PROFILES_SCOPE, buffer_str(&scope));
	w->part.n = 0;
	wireput_bytes(&w->part, DATA_RESOURCE_PROFILES, buffer_str(&resource));
	out_str(w->o, buffer_str(&w->part));
}

/* Writes a table of the dictionary.  The format requires an empty first entry. */
static void put_table(struct named_otlp *w, enum otlp_table field,
                      const struct interner *entries)
{
	for (size_t i = 0; i < entries->n; i++)
		wireput_bytes(&w->dictionary, field, intern_str(entries, (str_id)i));
}

static void write_new(struct named_otlp *w)
{
	for (size_t i = 0; i < w->ngroups; i++)
		if (!w->group[i].again)
			put_process(w, &w->group[i]);
	put_table(w, OTLP_ATTRIBUTE, &w->attributes);
	for (size_t i = 0; i < w->stacks.n; i++) {
		struct str packed = intern_str(&w->stacks, (str_id)i);

		w->inner.n = 0;
		if (packed.n)
			wireput_bytes(&w->inner, STACK_LOCATIONS, packed);
		wireput_bytes(&w->dictionary, OTLP_STACK, buffer_str(&w->inner));
	}
	wireput_bytes(&w->dictionary, OTLP_LINK, STR(""));
	end_tables(w);
	w->part.n = 0;
	wireput_bytes(&w->part, DATA_DICTIONARY, buffer_str(&w->dictionary));
	out_str(w->o, buffer_str(&w->part));
}

static void *begin(struct profile *p, struct out *o, struct arena *arena)
{
	struct named_otlp *w = arena_new(arena, struct named_otlp, 1);

	*w = (struct named_otlp){ .p = p,
		                  .o = o,
		                  .arena = arena,
		                  .again = str_eq(profile_traits(p)->again, STR("otlp")),
		                  .functions = { .arena = arena },
		                  .dictionary = { .arena = arena },
		                  .part = { .arena = arena },
		                  .inner = { .arena = arena },
		                  .sample = { .arena = arena },
		                  .set = { .arena = arena } };
	intern_init(&w->stacks, arena);
	intern_init(&w->attributes, arena);
	intern_init(&w->sets, arena);
	begin_tables(w);
	count_tables(w, STR(""));
	if (w->again)
		return w;
	wireput_bytes(&w->dictionary, OTLP_MAPPING, STR(""));
	wireput_bytes(&w->dictionary, OTLP_LOCATION, STR(""));
	return w;
}

static void end(void *state)
{
	struct named_otlp *w = state;

	if (w->again)
		write_again(w);
	else
		write_new(w);
}

const struct named_format named_otlp = { "otlp", "otlp", begin, add_sample, end, false };

#include "reader/pprof/pprof.h"

#include "base/table.h"
#include "reader/located_list.h"
#include "reader/pprof/profile_fields.h"
#include "reader/pprof/sample_index.h"
#include "reader/wire.h"

/* The use of a label.  The key of the label determines the use. */
enum role { ROLE_NONE, ROLE_PID, ROLE_TID, ROLE_COMM };

enum { BID = 40 };

struct function {
	uint64_t id, name, system_name, file,
	        begins; /* names and file are indices of strings */
};

struct pprof {
	struct located l;
	struct cursor in; /* position after the last sample */
	struct str *string;
	/* indexed by string: enum role if the string is the key of a label */
	uint8_t *role;
	bool has_pids; /* at least one string is the key of a pid */
	struct function *function;
	struct str *type; /* protobuf messages of the sample types */
	struct table locations, mappings,
	        functions;          /* id -> index + 1, for ids that are not index + 1 */
	struct location_line *line; /* lines of the location that is being read */
	size_t nstrings, strings_cap, nfunctions, functions_cap, types_cap, lines_cap;
	uint64_t default_type; /* index of the string that names the default type, or 0 */
	struct sample_index index;
	size_t group; /* index of the next group in `index` */
	uint32_t
	        number; /* number of the current sample's stack if a group has it, or 0 */
	/* Indexed by result of sample_index_rest: the decoded bytes. */
	struct rest {
		bool known;
		int32_t pid, tid;
		struct str comm;
		int64_t *value;
		size_t nvalues;
	} * rest;
	size_t rests_cap;
	/* Indices in index.step of the first samples of the slices (reader/sliced.h). */
	size_t *slice;
	size_t nslices, slices_cap;
	uint64_t end;  /* offset of the end of the current slices */
	bool dividing; /* sliced_begin was called, so samples are skipped */
};

static struct pprof *of(struct reader *r)
{
	return (struct pprof *)r;
}

static struct str string(const struct pprof *p, uint64_t i)
{
	return i < p->nstrings ? p->string[i] : (struct str){ 0 };
}

/*
 * Returns the index of the entry with that id, or SIZE_MAX.  Most writers number entries from 1.
 * guess: the id of the entry at index id - 1, or 0 if there is no such entry.
 */
static size_t index_of(const struct table *t, uint64_t id, uint64_t guess)
{
	uint32_t at;

	if (id && guess == id)
		return id - 1;
	at = table_get(t, id, 0);
	return at ? at - 1 : SIZE_MAX;
}

static size_t find_location(const struct pprof *p, uint64_t id)
{
	bool known = id - 1 < p->l.nplaces && p->l.place[id - 1].numbered;

	return index_of(&p->locations, id, known ? id : 0);
}

static size_t find_mapping(const struct pprof *p, uint64_t id)
{
	bool in = id - 1 < p->l.nmaps;

	return index_of(&p->mappings, id, in ? p->l.map[id - 1].id : 0);
}

static const struct function *find_function(const struct pprof *p, uint64_t id)
{
	static const struct function none = { 0 };
	bool in = id - 1 < p->nfunctions;
	size_t at = index_of(&p->functions, id, in ? p->function[id - 1].id : 0);

	return at == SIZE_MAX ? &none : &p->function[at];
}

/* Adds entry `index` to the table, unless its id is index + 1. */
static void note_id(struct pprof *p, struct table *t, uint64_t id, size_t index)
{
	uint32_t *at;

	if (id == index + 1)
		return;
	at = table_at(t, p->l.base.run, id, 0);
	if (!*at)
		*at = (uint32_t)index + 1;
}

static bool take_mapping(struct pprof *p, struct str bytes)
{
	uint64_t field[MAPPING_BUILD_ID + 1];
	struct located *l = &p->l;

	if (!wire_read(bytes, field, MAPPING_BUILD_ID + 1))
		return false;
	arena_fit(l->base.run, l->map, l->nmaps + 1, l->maps_cap);
	l->map[l->nmaps] = (struct located_map){
		.id = field[MAPPING_ID],
		.start = field[MAPPING_START],
		.limit = field[MAPPING_LIMIT],
		.file_off = field[MAPPING_OFFSET],
		/*
		 * The strings may follow later, so until settle(), n is the index of the
		 * string.
		 */
		.path = { NULL, field[MAPPING_FILE] },
		.build_id = { NULL, field[MAPPING_BUILD_ID] },
		.pid = -1,
	};
	note_id(p, &p->mappings, field[MAPPING_ID], l->nmaps++);
	return true;
}

static bool take_location(struct pprof *p, const struct wire *w)
{
	uint64_t field[LOCATION_ADDRESS + 1];
	struct located *l = &p->l;

	if (!wire_read(w->bytes, field, LOCATION_ADDRESS + 1) ||
	    field[LOCATION_MAPPING] > UINT32_MAX)
		return false;
	arena_fit(l->base.run, l->place, l->nplaces + 1, l->places_cap);
	l->place[l->nplaces] =
	        (struct located_place){ .addr = field[LOCATION_ADDRESS],
		                        .field = w->whole.p,
		                        .map = (uint32_t)field[LOCATION_MAPPING],
		                        .numbered =
		                                field[LOCATION_ID] == l->nplaces + 1 };
	note_id(p, &p->locations, field[LOCATION_ID], l->nplaces++);
	return true;
}

static bool take_function(struct pprof *p, struct str bytes)
{
	uint64_t field[FUNCTION_BEGINS + 1];

	if (!wire_read(bytes, field, FUNCTION_BEGINS + 1))
		return false;
	arena_fit(p->l.base.run, p->function, p->nfunctions + 1, p->functions_cap);
	p->function[p->nfunctions] =
	        (struct function){ field[FUNCTION_ID], field[FUNCTION_NAME],
		                   field[FUNCTION_SYSTEM_NAME], field[FUNCTION_FILE],
		                   field[FUNCTION_BEGINS] };
	note_id(p, &p->functions, field[FUNCTION_ID], p->nfunctions++);
	return true;
}

static void take_type(struct pprof *p, struct str bytes)
{
	*arena_push(p->l.base.run, p->type, p->l.nattrs, p->types_cap) = bytes;
}

static enum role role_of(struct str key)
{
	static const struct {
		struct str key;
		enum role role;
	} known[] = {
		{ STR("pid"), ROLE_PID },          { STR("process_id"), ROLE_PID },
		{ STR("process.pid"), ROLE_PID },  { STR("tid"), ROLE_TID },
		{ STR("thread_id"), ROLE_TID },    { STR("thread.id"), ROLE_TID },
		{ STR("thread"), ROLE_COMM },      { STR("comm"), ROLE_COMM },
		{ STR("thread_name"), ROLE_COMM }, { STR("thread.name"), ROLE_COMM },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (str_eq(key, known[i].key))
			return known[i].role;
	return ROLE_NONE;
}

static void take_string(struct pprof *p, struct str s)
{
	size_t room = p->strings_cap;

	arena_fit(p->l.base.run, p->string, p->nstrings + 1, p->strings_cap);
	arena_fit(p->l.base.run, p->role, p->nstrings + 1, room);
	p->role[p->nstrings] = (uint8_t)role_of(s);
	p->has_pids |= p->role[p->nstrings] == ROLE_PID;
	p->string[p->nstrings++] = s;
}

/* Reads a field of a table.  Returns false if the field is damaged. */
static bool take_field(struct pprof *p, const struct wire *w)
{
	if (w->field == PROFILE_DEFAULT_TYPE)
		p->default_type = w->n;
	if (w->type != WIRE_BYTES)
		return true;
	switch (w->field) {
	case PROFILE_SAMPLE_TYPE:
		take_type(p, w->bytes);
		return true;
	case PROFILE_SAMPLE:
		sample_index_add(&p->index, w->bytes,
		                 (uint64_t)(w->whole.p - p->l.bytes.p));
		return true;
	case PROFILE_MAPPING:
		return take_mapping(p, w->bytes);
	case PROFILE_LOCATION:
		return take_location(p, w);
	case PROFILE_FUNCTION:
		return take_function(p, w->bytes);
	case PROFILE_STRING:
		take_string(p, w->bytes);
		return true;
	default:
		return true;
	}
}

static void read_tables(struct pprof *p)
{
	struct cursor in = cur_little(p->l.bytes);
	const char *at = in.p;
	struct wire w;

	while (!budget_spent(p->l.base.budget) && wire_next_short(&in, &w)) {
		at = in.p;
		if (!take_field(p, &w))
			located_damaged(&p->l, w.whole, "a damaged entry of a table");
		located_give_back(&p->l, at);
	}
	/* The message is damaged at `at`, so later bytes are not read as samples. */
	if (in.bad)
		located_damaged(&p->l, str_span(at, in.p),
		                "a field is damaged or truncated");
	p->l.bytes.n = (size_t)(at - p->l.bytes.p);
}

/* Replaces indices by strings and mappings after all tables were read. */
static void settle(struct pprof *p)
{
	struct located *l = &p->l;

	for (size_t i = 0; i < l->nmaps; i++) {
		l->map[i].path = string(p, l->map[i].path.n);
		l->map[i].build_id =
		        located_build_id(l->base.run, string(p, l->map[i].build_id.n));
	}
	for (size_t i = 0; i < l->nplaces; i++)
		l->place[i].map = (uint32_t)find_mapping(p, l->place[i].map) + 1;
	l->attr = arena_new(l->base.run, struct attr, l->nattrs);
	l->column = l->nattrs ? l->nattrs - 1 : 0;
	for (size_t i = l->nattrs; i-- > 0;) {
		uint64_t field[TYPE_UNIT + 1];

		wire_read(p->type[i], field, TYPE_UNIT + 1);
		if (p->default_type && field[TYPE_TYPE] == p->default_type)
			l->column = i;
		l->attr[i] = located_attr(string(p, field[TYPE_TYPE]),
		                          string(p, field[TYPE_UNIT]));
	}
	if (l->nmaps)
		l->comm = str_base(l->map[0].path);
	located_settle(l);
}

static void list_ids(struct located *l, struct str ids)
{
	struct located_list list = located_list_begin(l, ids.n);
	struct cursor in = cur_little(ids);

	while (cur_left(&in))
		located_list_add(&list, find_location((struct pprof *)l, cur_uleb(&in)));
	located_list_end(l, &list);
}

static void list_stack(struct located *l, uint32_t stack)
{
	list_ids(l, sample_index_ids(&((struct pprof *)l)->index, stack));
}

/*
 * Reads a field with location ids of a sample.  If a sample has several such fields, its stack
 * gets no number.  *first: the ids of the first field, or empty.  Returns false if the last id
 * is incomplete.
 */
static bool take_locations(struct pprof *p, const struct wire *w, struct str *first)
{
	struct located_sample *s = &p->l.sample;
	struct cursor in = wire_numbers(w);
	struct str ids = str_span(in.p, in.end);

	if (!ids.n || wire_is_cut(ids))
		return !ids.n;
	if (!first->n) {
		*first = ids;
		s->stack = p->number ? p->number : sample_index_number(&p->index, ids);
	} else if (s->stack) {
		s->stack = 0;
		list_ids(&p->l, *first);
	}
	if (!s->stack)
		list_ids(&p->l, ids);
	return true;
}

static bool take_values(struct pprof *p, const struct wire *w)
{
	struct cursor in = wire_numbers(w);

	while (cur_left(&in) && !in.bad)
		located_value(&p->l, (int64_t)cur_uleb(&in));
	return !in.bad;
}

static void take_label(struct pprof *p, struct str bytes)
{
	struct located_sample *s = &p->l.sample;
	uint64_t field[LABEL_NUM + 1], number;
	enum role role;
	struct str text;

	if (!wire_read(bytes, field, LABEL_NUM + 1) || field[LABEL_KEY] >= p->nstrings)
		return;
	text = string(p, field[LABEL_STR]);
	number = field[LABEL_NUM];
	role = p->role[field[LABEL_KEY]];
	if (text.n && !str_is_dec(text, &number))
		number = UINT64_MAX;
	if (role == ROLE_COMM)
		s->comm = text;
	else if (role == ROLE_PID && number <= INT32_MAX)
		s->pid = (int32_t)number;
	else if (role == ROLE_TID && number <= INT32_MAX)
		s->tid = (int32_t)number;
}

/* Returns true if reader_skim is on, and this sample may be omitted. */
static bool skips(struct pprof *p)
{
	return p->l.skims && located_skips(&p->l, p->l.sample.stack, p->l.sample.pid);
}

/* Sets *w to the first sample of the next group.  Returns false at the end. */
static bool next_group(struct pprof *p, struct wire *w)
{
	const struct sample_group *g = &p->index.group[p->group];

	if (p->group == p->index.ngroups || g->at >= p->end)
		return false;
	p->group++;
	p->in = cur_little(str_from(p->l.bytes, g->at));
	wire_next_short(&p->in, w);
	located_begin(&p->l, g->at);
	p->l.sample.repeats = p->l.joins ? g->repeats : 0;
	p->number = g->stack;
	return true;
}

/* Begins a sample, and sets *w to its field.  Returns false at the end. */
static bool next_sample(struct pprof *p, struct wire *w)
{
	if ((p->l.skims || p->l.joins) && !p->index.ungrouped)
		return next_group(p, w);
	do {
		if ((uint64_t)(p->in.p - p->l.bytes.p) >= p->end ||
		    !wire_next_short(&p->in, w))
			return false;
	} while (w->field != PROFILE_SAMPLE || w->type != WIRE_BYTES);
	located_begin(&p->l, (uint64_t)(w->whole.p - p->l.bytes.p));
	p->number = 0;
	return true;
}

/* Stores the decoded bytes after the location ids of the current sample. */
static void keep_rest(struct pprof *p, struct rest *to)
{
	const struct located_sample *s = &p->l.sample;

	*to = (struct rest){ true, s->pid, s->tid, s->comm, NULL, s->nvalues };
	to->value = arena_new(p->l.base.run, int64_t, s->nvalues);
	for (size_t i = 0; i < s->nvalues; i++)
		to->value[i] = p->l.value[i];
}

static void use_rest(struct pprof *p, const struct rest *from)
{
	struct located_sample *s = &p->l.sample;

	s->pid = from->pid;
	s->tid = from->tid;
	s->comm = from->comm;
	for (size_t i = 0; i < from->nvalues; i++)
		located_value(&p->l, from->value[i]);
}

/* Returns the element of p->rest for bytes after the location ids, or NULL. */
static struct rest *find_rest(struct pprof *p, struct str bytes)
{
	uint32_t i = sample_index_rest(&p->index, bytes);

	return i ? &arena_fit(p->l.base.run, p->rest, i + 1u, p->rests_cap)[i] : NULL;
}

/* Decodes the current sample.  Returns false if it is damaged. */
static bool take_sample(struct pprof *p, struct str message)
{
	struct cursor in = cur_little(message);
	struct rest *rest = NULL;
	struct str ids = { 0 };
	bool whole = true;
	struct wire part;

	if (wire_next_short(&in, &part) && part.field == SAMPLE_LOCATION) {
		whole = take_locations(p, &part, &ids);
		rest = find_rest(p, str_span(in.p, in.end));
		if (rest && rest->known) {
			use_rest(p, rest);
			return whole;
		}
	} else {
		in = cur_little(message);
	}
	while (wire_next_short(&in, &part))
		if (part.field == SAMPLE_LOCATION) {
			whole &= take_locations(p, &part, &ids);
			rest = NULL;
		} else if (part.field == SAMPLE_VALUE) {
			whole &= take_values(p, &part);
		} else if (part.field == SAMPLE_LABEL) {
			take_label(p, part.bytes);
		}
	if (rest)
		keep_rest(p, rest);
	return whole && !in.bad;
}

static int read_sample(struct located *l)
{
	struct pprof *p = (struct pprof *)l;
	struct wire w;
	bool whole;

	if (p->dividing || !next_sample(p, &w))
		return 0;
	whole = take_sample(p, w.bytes);
	located_give_back(&p->l, p->in.p);
	/* A sample without an event must not mark its stack as met, so skips is called last. */
	if (!whole || !l->sample.nvalues || skips(p))
		l->sample.nvalues = 0;
	if (whole)
		return 1;
	return format_tells(&l->base, l->sample.at)
	               ? located_damaged(&p->l, w.whole, "a damaged sample")
	               : -1;
}

static void rewind_pprof(struct reader *r)
{
	struct pprof *p = of(r);

	located_restart(&p->l);
	p->in = cur_little(p->l.bytes);
	p->group = 0;
	p->end = p->l.bytes.n;
	p->dividing = false;
}

/* Damage must be reported at its place, so a profile with damaged samples is not divided. */
static bool divide(struct reader *r, uint64_t least, bool skips)
{
	struct pprof *p = of(r);
	const uint64_t *step = p->index.step;

	if (!skips || p->index.damaged || budget_is_spent(r->budget))
		return false;
	p->nslices = 0;
	for (size_t i = 0; i < p->index.nsteps; i++)
		if (!i || step[i] - step[p->slice[p->nslices - 1]] >= least)
			*arena_push(r->run, p->slice, p->nslices, p->slices_cap) = i;
	p->dividing = true;
	return true;
}

static size_t count_slices(const struct reader *r)
{
	return ((const struct pprof *)r)->nslices;
}

static uint64_t offset_of_slice(const struct pprof *p, size_t slice)
{
	return slice < p->nslices ? p->index.step[p->slice[slice]] : p->l.bytes.n;
}

static size_t enter(struct reader *r, size_t slice, size_t end)
{
	struct pprof *p = of(r);
	uint64_t at = offset_of_slice(p, slice);
	size_t changes;

	p->in = cur_little(str_from(p->l.bytes, at));
	p->group = sample_index_group(&p->index, at);
	p->end = offset_of_slice(p, end);
	changes = located_enter(&p->l);
	/* The mappings before the first sample are delivered as ordinary events. */
	return slice ? changes : 0;
}

static bool is_odd(const struct reader *r, size_t end)
{
	(void)r;
	(void)end;
	return false;
}

static void tell(struct reader *r, size_t slice)
{
	(void)r;
	(void)slice;
}

static struct reader *open_pprof(struct source *s, size_t member, struct arena *run,
                                 struct diag *diag)
{
	struct pprof *p = arena_new(run, struct pprof, 1);

	if (!located_open(&p->l, &pprof_format, s, member, run, diag))
		return NULL;
	p->l.read = read_sample;
	p->l.list = list_stack;
	sample_index_init(&p->index, run);
	read_tables(p);
	settle(p);
	rewind_pprof(&p->l.base);
	return &p->l.base;
}

static void take_line(struct pprof *p, struct str bytes, size_t n)
{
	uint64_t field[LINE_NUMBER + 1];
	const struct function *f;
	struct location_line *line;

	wire_read(bytes, field, LINE_NUMBER + 1);
	f = find_function(p, field[LINE_FUNCTION]);
	arena_fit(p->l.base.run, p->line, n + 1, p->lines_cap);
	line = &p->line[n];
	*line = (struct location_line){ .func = string(p, f->name),
		                        .file = string(p, f->file),
		                        .line = (uint32_t)field[LINE_NUMBER],
		                        .begins = (uint32_t)f->begins };
	if (!line->func.n)
		line->func = string(p, f->system_name);
}

static struct location location(struct reader *r, uint32_t number)
{
	struct pprof *p = of(r);
	const struct located_place *at = &p->l.place[number - 1];
	struct location out = { .addr = at->addr,
		                .mapping = located_number(&p->l, at),
		                .written = located_message(&p->l, at->field) };
	struct cursor in = cur_little(out.written);
	struct wire w;

	while (wire_next(&in, &w))
		if (w.field == LOCATION_LINE && w.type == WIRE_BYTES)
			take_line(p, w.bytes, out.nlines++);
	out.lines = p->line;
	return out;
}

static void progress(const struct reader *r, uint64_t *done, uint64_t *total)
{
	const struct pprof *p = (const struct pprof *)r;

	*total = p->l.bytes.n;
	*done = p->l.bytes.n - cur_left(&p->in);
}

/*
 * Returns true if pprof defines all fields of a nested message.  This check is needed because the
 * outermost message of OTLP also has messages in fields 1 and 2.
 */
static bool is_nested(uint32_t field, struct str bytes)
{
	static const struct {
		uint32_t last; /* highest field number of the message */
		/* bit i is set if field i is a message or has packed numbers */
		uint32_t messages;
	} known[] = {
		[PROFILE_SAMPLE_TYPE] = { TYPE_UNIT, 0 },
		[PROFILE_SAMPLE] = { SAMPLE_LABEL, 1 << SAMPLE_LOCATION |
		                                           1 << SAMPLE_VALUE |
		                                           1 << SAMPLE_LABEL },
		[PROFILE_MAPPING] = { MAPPING_HAS_INLINED, 0 },
		[PROFILE_LOCATION] = { LOCATION_IS_FOLDED, 1 << LOCATION_LINE },
		[PROFILE_FUNCTION] = { FUNCTION_BEGINS, 0 },
	};
	struct cursor in = cur_little(bytes);
	struct wire w;

	while (wire_next(&in, &w))
		if (w.field > known[field].last ||
		    (w.type == WIRE_BYTES && !(known[field].messages >> w.field & 1)) ||
		    (w.type != WIRE_BYTES && w.type != WIRE_VARINT))
			return false;
	return !in.bad;
}

/* Recognises a message whose first fields belong to a profile. */
static int bid(struct str head)
{
	struct cursor in = cur_little(head);
	struct wire w;
	int nested = 0;

	while (wire_next(&in, &w)) {
		bool bytes = w.field <= PROFILE_STRING ||
		             w.field == PROFILE_PERIOD_TYPE ||
		             (w.field == PROFILE_COMMENT && w.type == WIRE_BYTES);

		if (w.field > PROFILE_DOC_URL ||
		    w.type != (bytes ? WIRE_BYTES : WIRE_VARINT))
			return 0;
		if (w.field >= PROFILE_STRING)
			continue;
		if (!is_nested(w.field, w.bytes))
			return 0;
		nested += w.bytes.n != 0;
	}
	/* The head may end inside a field, so damage does not matter. */
	return nested ? BID : 0;
}

const struct format pprof_format = {
	.name = "pprof",
	.traits = { LOCATED_TRAITS, .again = STR("pprof") },
	.bid = bid,
	.open = open_pprof,
	LOCATED_FUNCTIONS,
	.rewind = rewind_pprof,
	.progress = progress,
	.divide = divide,
	.slices = count_slices,
	.enter = enter,
	.is_odd = is_odd,
	.tell = tell,
	.skim = located_skim,
	.join = located_join,
	.location = location,
	.written = located_written,
};

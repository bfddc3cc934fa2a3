#include "reader/firefox/firefox.h"

#include <math.h>

#include "reader/fields.h"
#include "reader/firefox/firefox_tables.h"
#include "reader/json.h"
#include "reader/located_list.h"

enum {
	BID = 48,
	PIECE = 1 << 16, /* bytes that are parsed at once */
	NS_PER_MS = 1000000,
	OLDEST = 56,
	NEWEST = 75,
	GUID_DIGITS = 32 /* number of digits in a breakpad id before the age */
};

/* Times in ms must be below this limit, so that nanoseconds fit into 63 bits. */
static const double MOST_MS = 9e12;

/*
 * The year 2000, in ns since 1970.  An earlier start of a profile is not a time of day, because
 * writers may state the time since the start of the machine instead.
 */
static const int64_t DATED_SINCE = 946684800000000000;

/* The kinds of objects. */
enum {
	IN_PROFILE,
	IN_META,
	IN_LIB,
	IN_SHARED,
	IN_THREAD,
	IN_STACKS,
	IN_FRAMES,
	IN_FUNCS,
	IN_RESOURCES,
	IN_SOURCES,
	IN_SAMPLES,
	CELLS
};

/* The columns of samples. */
enum { STACKS, TIMES, DELTAS, WEIGHTS, SAMPLE_COLUMNS };

/*
 * Uses of JSON values.  USE_TABLE + c is column c (enum firefox_column) of a table.  USE_SAMPLES
 * + c is column c of the samples.
 */
enum {
	USE_NONE,
	USE_VERSION,
	USE_START,
	USE_LIB,
	USE_PATH,
	USE_LIB_NAME,
	USE_CODE_ID,
	USE_BREAKPAD_ID,
	USE_THREAD,
	USE_THREAD_NAME,
	USE_PROCESS_NAME,
	USE_PID,
	USE_TID,
	USE_WEIGHT_TYPE,
	USE_STRING,
	USE_SAMPLES,
	USE_TABLE = USE_SAMPLES + SAMPLE_COLUMNS
};

/* The rules are sorted by the kind of the object that has the key. */
static const struct json_rule rules[] = {
	{ IN_PROFILE, IN_META, USE_NONE, STR("meta") },
	{ IN_PROFILE, IN_LIB, USE_LIB, STR("libs") },
	{ IN_PROFILE, IN_SHARED, USE_NONE, STR("shared") },
	{ IN_PROFILE, IN_THREAD, USE_THREAD, STR("threads") },
	{ IN_META, CELLS, USE_VERSION, STR("preprocessedProfileVersion") },
	{ IN_META, CELLS, USE_START, STR("startTime") },
	{ IN_LIB, CELLS, USE_PATH, STR("path") },
	{ IN_LIB, CELLS, USE_LIB_NAME, STR("name") },
	{ IN_LIB, CELLS, USE_CODE_ID, STR("codeId") },
	{ IN_LIB, CELLS, USE_BREAKPAD_ID, STR("breakpadId") },
	{ IN_SHARED, CELLS, USE_STRING, STR("stringArray") },
	{ IN_SHARED, IN_STACKS, USE_NONE, STR("stackTable") },
	{ IN_SHARED, IN_FRAMES, USE_NONE, STR("frameTable") },
	{ IN_SHARED, IN_FUNCS, USE_NONE, STR("funcTable") },
	{ IN_SHARED, IN_RESOURCES, USE_NONE, STR("resourceTable") },
	{ IN_SHARED, IN_SOURCES, USE_NONE, STR("sources") },
	{ IN_THREAD, IN_STACKS, USE_NONE, STR("stackTable") },
	{ IN_THREAD, IN_FRAMES, USE_NONE, STR("frameTable") },
	{ IN_THREAD, IN_FUNCS, USE_NONE, STR("funcTable") },
	{ IN_THREAD, IN_RESOURCES, USE_NONE, STR("resourceTable") },
	{ IN_THREAD, IN_SAMPLES, USE_NONE, STR("samples") },
	{ IN_THREAD, CELLS, USE_THREAD_NAME, STR("name") },
	{ IN_THREAD, CELLS, USE_PROCESS_NAME, STR("processName") },
	{ IN_THREAD, CELLS, USE_PID, STR("pid") },
	{ IN_THREAD, CELLS, USE_TID, STR("tid") },
	{ IN_STACKS, CELLS, USE_TABLE + STACK_FRAME, STR("frame") },
	{ IN_STACKS, CELLS, USE_TABLE + STACK_PREFIX, STR("prefix") },
	{ IN_STACKS, CELLS, USE_TABLE + STACK_OFFSET, STR("prefixOffset") },
	{ IN_FRAMES, CELLS, USE_TABLE + FRAME_ADDRESS, STR("address") },
	{ IN_FRAMES, CELLS, USE_TABLE + FRAME_FUNC, STR("func") },
	{ IN_FRAMES, CELLS, USE_TABLE + FRAME_LIB, STR("lib") },
	{ IN_FRAMES, CELLS, USE_TABLE + FRAME_LINE, STR("line") },
	{ IN_FRAMES, CELLS, USE_TABLE + FRAME_DEPTH, STR("inlineDepth") },
	{ IN_FRAMES, CELLS, USE_TABLE + FRAME_FLAGS, STR("flags") },
	{ IN_FUNCS, CELLS, USE_TABLE + FUNC_NAME, STR("name") },
	{ IN_FUNCS, CELLS, USE_TABLE + FUNC_RESOURCE, STR("resource") },
	{ IN_FUNCS, CELLS, USE_TABLE + FUNC_SOURCE, STR("source") },
	{ IN_FUNCS, CELLS, USE_TABLE + FUNC_FILE, STR("fileName") },
	{ IN_FUNCS, CELLS, USE_TABLE + FUNC_LINE, STR("lineNumber") },
	{ IN_FUNCS, CELLS, USE_TABLE + FUNC_FLAGS, STR("flags") },
	{ IN_RESOURCES, CELLS, USE_TABLE + RESOURCE_LIB, STR("lib") },
	{ IN_RESOURCES, CELLS, USE_TABLE + RESOURCE_NAME, STR("name") },
	{ IN_SOURCES, CELLS, USE_TABLE + SOURCE_NAME, STR("filename") },
	{ IN_SAMPLES, CELLS, USE_SAMPLES + STACKS, STR("stack") },
	{ IN_SAMPLES, CELLS, USE_SAMPLES + TIMES, STR("time") },
	{ IN_SAMPLES, CELLS, USE_SAMPLES + DELTAS, STR("timeDeltas") },
	{ IN_SAMPLES, CELLS, USE_SAMPLES + WEIGHTS, STR("weight") },
	{ IN_SAMPLES, CELLS, USE_WEIGHT_TYPE, STR("weightType") },
};

/* The types of weights, and their events. */
static const struct {
	struct str type, event, unit;
	double scale;
} types[] = {
	{ STR("samples"), STR("samples"), STR("count"), 1 },
	{ STR("tracing-ms"), STR("cpu"), STR("nanoseconds"), 1e6 },
	{ STR("bytes"), STR("bytes"), STR("bytes"), 1 },
};

enum { TYPES = sizeof(types) / sizeof(*types) };

struct thread {
	struct str name, process;
	int32_t pid, tid;
	size_t type, column; /* type: index in `types` */
	struct firefox_tables tables;
	struct {
		uint64_t at; /* offset of the column's first byte after "[" */
		uint64_t n;
	} samples[SAMPLE_COLUMNS];
};

struct firefox {
	struct located l;
	struct json *json;
	struct firefox_places places;
	struct firefox_tables shared;
	struct firefox_tables *tables; /* tables that contain the current object */
	struct thread *thread;
	size_t nthreads, threads_cap, at; /* at: the current thread */
	int64_t start;                    /* start of the recording, in ns since 1970 */
	/* number of samples read from the current thread */
	uint64_t n;
	struct str rest[SAMPLE_COLUMNS]; /* unread part of each column of the thread */
	/* offset in the column.  The memory of all earlier bytes was released */
	size_t kept[SAMPLE_COLUMNS];
	/* time of the last sample, in ns since the start */
	int64_t time;
	struct location_line *line; /* lines of the current location */
	size_t lines_cap;
};

static struct firefox *of(struct reader *r)
{
	return (struct firefox *)r;
}

static struct located_map *last_lib(struct firefox *f)
{
	return &f->l.map[f->l.nmaps - 1];
}

static void add_lib(struct firefox *f)
{
	struct located *l = &f->l;

	*arena_push(l->base.run, l->map, l->nmaps, l->maps_cap) =
	        (struct located_map){ .pid = -1 };
	f->places.nlibs = l->nmaps;
}

static void add_thread(struct firefox *f)
{
	arena_fit(f->l.base.run, f->thread, f->nthreads + 1, f->threads_cap);
	f->thread[f->nthreads] = (struct thread){ .pid = -1, .tid = -1 };
	f->tables = &f->thread[f->nthreads++].tables;
}

/* Returns the first 16 bytes of the build-id from which a breakpad id was made. */
static struct str breakpad_id(struct firefox *f, struct str text)
{
	struct str id =
	        text.n > GUID_DIGITS
	                ? located_build_id(f->l.base.run, str_head(text, GUID_DIGITS))
	                : (struct str){ 0 };
	static const uint8_t order[] = { 3, 2, 1, 0, 5, 4, 7, 6 };
	char raw[sizeof(order)];

	for (size_t i = 0; id.n && i < sizeof(order); i++)
		raw[i] = id.p[order[i]];
	if (id.n)
		memcpy((char *)(uintptr_t)id.p, raw, sizeof(raw));
	return id;
}

static void take_lib(struct firefox *f, uint16_t use, struct str text)
{
	struct located_map *m = last_lib(f);
	struct str id = use == USE_CODE_ID ? located_build_id(f->l.base.run, text)
	                                   : (struct str){ 0 };

	if (use == USE_PATH && text.n)
		m->path = arena_str(f->l.base.run, text);
	else if (use == USE_LIB_NAME && !m->path.n)
		m->path = arena_str(f->l.base.run, text);
	else if (id.n)
		m->build_id = id;
	else if (use == USE_BREAKPAD_ID && !m->build_id.n)
		m->build_id = breakpad_id(f, text);
}

/*
 * Reads "4711", or "4711.1" for a process that called exec.  Returns -1 if the text is not a
 * number.
 */
static int32_t id_of(struct str text)
{
	uint64_t n;

	return str_take_dec(&text, &n) && n <= INT32_MAX ? (int32_t)n : -1;
}

static void take_thread(struct firefox *f, uint16_t use, struct str text)
{
	struct thread *t = f->nthreads ? &f->thread[f->nthreads - 1] : NULL;

	if (!t)
		return;
	switch (use) {
	case USE_THREAD_NAME:
		t->name = arena_str(f->l.base.run, text);
		break;
	case USE_PROCESS_NAME:
		t->process = arena_str(f->l.base.run, text);
		break;
	case USE_PID:
		t->pid = id_of(text);
		break;
	case USE_TID:
		t->tid = id_of(text);
		break;
	default:
		for (size_t i = 0; i < TYPES; i++)
			if (str_eq(text, types[i].type))
				t->type = i;
	}
}

static void take_string(struct firefox *f, struct str text)
{
	struct firefox_places *p = &f->places;

	*arena_push(f->l.base.run, p->string, p->nstrings, p->strings_cap) =
	        arena_str(f->l.base.run, text);
}

/* Notes where a column of samples begins, and counts its cells. */
static void take_samples(struct firefox *f, size_t column, enum json_type type)
{
	struct thread *t = f->nthreads ? &f->thread[f->nthreads - 1] : NULL;

	if (!t) {
		return;
	} else if (type == JSON_ARRAY) {
		t->samples[column].at = json_place(f->json);
		t->samples[column].n = 0;
	} else if (type == JSON_NUMBER || (type == JSON_NULL && t->samples[column].at)) {
		t->samples[column].n++;
	}
}

static void take_cell(struct firefox *f, enum firefox_column column,
                      const struct json_value *v)
{
	uint64_t n;

	if (v->type == JSON_ARRAY)
		f->tables->column[column].n = 0;
	else if (v->type <= JSON_STRING)
		firefox_tables_cell(&f->places, f->tables, column,
		                    v->type == JSON_NUMBER && json_integer(v->text, &n) &&
		                                    n <= INT64_MAX
		                            ? n
		                            : FIREFOX_NONE);
}

/*
 * Reads milliseconds as nanoseconds.  Nanoseconds since 1970 do not fit into the 53 bits of a
 * double, so whole milliseconds and their fraction are converted separately.  Returns false if
 * the text is not a time.
 */
static bool take_ms(struct str text, int64_t *ns)
{
	double ms;
	int64_t whole;

	if (!json_real(text, &ms) || !(ms > -MOST_MS && ms < MOST_MS))
		return false;
	whole = (int64_t)ms;
	ms = (ms - (double)whole) * NS_PER_MS;
	*ns = whole * NS_PER_MS + (int64_t)(ms < 0 ? ms - 0.5 : ms + 0.5);
	return true;
}

/* Handles the beginning of an object. */
static void take_object(struct firefox *f, const struct json_rule *rule)
{
	if (rule->use == USE_LIB)
		add_lib(f);
	else if (rule->use == USE_THREAD)
		add_thread(f);
	else if (rule->is == IN_SHARED)
		f->tables = &f->shared;
}

static bool take(void *ctx, const struct json_value *v)
{
	struct firefox *f = ctx;
	uint16_t use = v->rule ? v->rule->use : USE_NONE;

	if (v->type == JSON_OBJECT && v->rule)
		take_object(f, v->rule);
	else if (use >= USE_TABLE)
		take_cell(f, (enum firefox_column)(use - USE_TABLE), v);
	else if (use >= USE_SAMPLES)
		take_samples(f, use - USE_SAMPLES, v->type);
	else if (use == USE_STRING && v->type == JSON_STRING)
		take_string(f, v->text);
	else if (use == USE_VERSION && v->type == JSON_NUMBER)
		return json_integer(v->text, &f->places.version);
	else if (use == USE_START && v->type == JSON_NUMBER)
		take_ms(v->text, &f->start);
	else if (v->type != JSON_STRING && v->type != JSON_NUMBER)
		return true;
	else if (use >= USE_THREAD_NAME)
		take_thread(f, use, v->text);
	else if (use >= USE_PATH)
		take_lib(f, use, v->text);
	return !budget_spent(f->l.base.budget);
}

static void read_tables(struct firefox *f)
{
	struct str rest = f->l.bytes;
	bool ok = true;

	f->json = json_open(rules, sizeof(rules) / sizeof(*rules), take, f);
	f->tables = &f->shared;
	while (ok && rest.n) {
		ok = json_read(f->json, str_head(rest, PIECE));
		rest = str_from(rest, rest.n < PIECE ? rest.n : PIECE);
		located_give_back(&f->l, rest.p);
	}
	if ((!ok || !json_end(f->json)) && json_reason(f->json))
		diag_at(f->l.base.diag, f->l.base.name, json_place(f->json), "%s",
		        json_reason(f->json));
	json_close(f->json);
	f->json = NULL;
}

/* Makes a column of values for each type of weight that is used. */
static void make_attrs(struct firefox *f)
{
	struct located *l = &f->l;
	uint64_t most = 0;

	l->attr = arena_new(l->base.run, struct attr, TYPES);
	for (size_t i = 0; i < TYPES; i++) {
		uint64_t samples = 0;

		for (size_t k = 0; k < f->nthreads; k++) {
			struct thread *t = &f->thread[k];

			if (t->type != i)
				continue;
			t->column = l->nattrs;
			samples += t->samples[STACKS].n;
		}
		if (!samples)
			continue;
		if (samples > most)
			l->column = l->nattrs;
		most = samples > most ? samples : most;
		l->attr[l->nattrs] = located_attr(types[i].event, types[i].unit);
		l->attr[l->nattrs++].sample_type |= HAS_TIME;
	}
}

static void begin_thread(struct firefox *f, size_t at)
{
	f->at = at;
	f->n = 0;
	f->time = 0;
	for (size_t i = 0; at < f->nthreads && i < SAMPLE_COLUMNS; i++) {
		f->rest[i] = f->thread[at].samples[i].n
		                     ? str_from(f->l.bytes, f->thread[at].samples[i].at)
		                     : (struct str){ 0 };
		f->kept[i] = f->thread[at].samples[i].at;
	}
}

/*
 * Returns the next cell of a column of samples, or an empty string at the end of the column.
 */
static struct str next_cell(struct firefox *f, size_t column)
{
	struct str *rest = &f->rest[column], out;
	size_t n = 0;

	while (rest->n && (*rest->p == ',' || (unsigned char)*rest->p <= ' '))
		*rest = str_from(*rest, 1);
	if (f->n >= f->thread[f->at].samples[column].n)
		return (struct str){ 0 };
	while (n < rest->n && rest->p[n] != ',' && rest->p[n] != ']' &&
	       (unsigned char)rest->p[n] > ' ')
		n++;
	out = str_head(*rest, n);
	*rest = str_from(*rest, n);
	f->kept[column] = located_release(&f->l, f->kept[column], rest->p);
	return out;
}

/* Returns the time of the next sample in ns, or 0 if the sample has no time. */
static uint64_t next_time(struct firefox *f)
{
	struct str time = next_cell(f, TIMES), delta = next_cell(f, DELTAS);
	int64_t ns;

	if (!take_ms(time.n ? time : delta, &ns))
		return 0;
	f->time = time.n ? ns : (int64_t)((uint64_t)f->time + (uint64_t)ns);
	ns = (int64_t)((uint64_t)f->start + (uint64_t)f->time);
	return ns > 0 ? (uint64_t)ns : 1;
}

static int64_t next_weight(struct firefox *f, size_t type)
{
	double weight = 1;
	struct str cell = next_cell(f, WEIGHTS);

	if (cell.n && !json_real(cell, &weight))
		weight = 0;
	weight = weight * types[type].scale;
	weight += weight < 0 ? -0.5 : 0.5;
	return fabs(weight) < 0x1p63 ? (int64_t)weight : 0;
}

static int read_sample(struct located *l)
{
	struct firefox *f = (struct firefox *)l;
	const struct firefox_tables *tables;
	const struct thread *t;
	struct str cell;
	uint64_t stack;
	int64_t weight;

	while (f->at < f->nthreads && f->n >= f->thread[f->at].samples[STACKS].n)
		begin_thread(f, f->at + 1);
	if (f->at >= f->nthreads)
		return 0;
	t = &f->thread[f->at];
	tables = t->tables.nstacks ? &t->tables : &f->shared;
	cell = next_cell(f, STACKS);
	located_begin(l, (uint64_t)(f->rest[STACKS].p - l->bytes.p) - cell.n);
	l->sample.pid = t->pid;
	l->sample.tid = t->tid;
	l->sample.comm = t->name.n ? t->name : t->process;
	l->sample.time_ns = next_time(f);
	weight = next_weight(f, t->type);
	f->n++;
	for (size_t i = 0; i < l->nattrs; i++)
		located_value(l, i == t->column ? weight : 0);
	if (!str_is_dec(cell, &stack))
		return 1;
	if (stack >= tables->nstacks) {
		l->sample.nvalues = 0;
		return format_tells(&l->base, l->sample.at)
		               ? located_damaged(l, cell, "there is no such stack")
		               : -1;
	}
	for (stack++; stack; stack = tables->stack[stack - 1].next) {
		struct located_list list = located_list_begin(l, 1);
		uint32_t place = tables->stack[stack - 1].place;

		located_list_add(&list, place == UINT32_MAX ? SIZE_MAX : place);
		located_list_end(l, &list);
	}
	return 1;
}

static void rewind_firefox(struct reader *r)
{
	struct firefox *f = of(r);

	located_restart(&f->l);
	begin_thread(f, 0);
}

/* If the version of the profile is not supported, reports this and returns false. */
static bool check_version(const struct firefox *f, struct diag *diag)
{
	uint64_t version = f->places.version;

	if (version >= OLDEST && version <= NEWEST)
		return true;
	if (!version)
		diag_fatal(diag,
		           PRSTR
		           ": a Gecko profile without preprocessing cannot be read; "
		           "open it with profiler.firefox.com and save it there",
		           STRARG(f->l.base.name));
	else
		diag_fatal(diag,
		           PRSTR ": version %llu of the processed profile is not "
		                 "supported, only %d to %d",
		           STRARG(f->l.base.name), (unsigned long long)version, OLDEST,
		           NEWEST);
	return false;
}

static struct reader *open_firefox(struct source *s, size_t member, struct arena *run,
                                   struct diag *diag)
{
	struct firefox *f = arena_new(run, struct firefox, 1);

	if (!located_open(&f->l, &firefox_format, s, member, run, diag))
		return NULL;
	f->l.read = read_sample;
	f->places.l = &f->l;
	read_tables(f);
	if (!check_version(f, diag))
		return NULL;
	firefox_tables_settle(&f->places, &f->shared, &f->shared);
	for (size_t i = 0; i < f->nthreads; i++)
		firefox_tables_settle(&f->places, &f->thread[i].tables, &f->shared);
	make_attrs(f);
	f->l.dated = f->start >= DATED_SINCE;
	located_settle(&f->l);
	rewind_firefox(&f->l.base);
	return &f->l.base;
}

/*
 * Returns true if name is an address.  Writers of profiles use an address as the name of an
 * unnamed function.
 */
static bool is_address(struct str name)
{
	uint64_t address;

	return str_starts(name, STR("0x")) && str_is_hex(str_from(name, 2), &address);
}

static struct str string(const struct firefox *f, uint32_t i)
{
	return i < f->places.nstrings ? f->places.string[i] : (struct str){ 0 };
}

static struct location location(struct reader *r, uint32_t number)
{
	struct firefox *f = of(r);
	const struct located_place *place = &f->l.place[number - 1];
	struct location out = { .addr = place->addr,
		                .mapping = located_number(&f->l, place) };

	for (uint32_t at = number; at; at = f->places.function[at - 1].next) {
		const struct firefox_function *func = &f->places.function[at - 1];
		struct str name = string(f, func->name);

		if (!name.n || is_address(name))
			continue;
		*arena_push(r->run, f->line, out.nlines, f->lines_cap) =
		        (struct location_line){ .func = name,
			                        .file = string(f, func->file),
			                        .line = func->line,
			                        .begins = func->begins };
	}
	out.lines = f->line;
	return out;
}

static void progress(const struct reader *r, uint64_t *done, uint64_t *total)
{
	const struct firefox *f = (const struct firefox *)r;

	*total = f->l.bytes.n;
	*done = f->at < f->nthreads && f->rest[STACKS].p
	                ? (uint64_t)(f->rest[STACKS].p - f->l.bytes.p)
	                : *total;
}

/* Recognises an object with the keys that `meta` has in profiles of Firefox Profiler. */
static int bid(struct str head)
{
	static const char *const keys[] = { "\"preprocessedProfileVersion\"",
		                            "\"processType\"" };

	if (!str_starts(str_trim(head), STR("{")))
		return 0;
	return STR_ANY(head, str_has, keys) ? BID : 0;
}

const struct format firefox_format = {
	.name = "Firefox Profiler",
	.traits = { LOCATED_TRAITS },
	.bid = bid,
	.open = open_firefox,
	LOCATED_FUNCTIONS,
	.rewind = rewind_firefox,
	.progress = progress,
	.capture = located_capture,
	.location = location,
};

#include "writer/named_firefox.h"

#include "base/table.h"
#include "label/kind.h"
#include "process/process.h"
#include "reader/capture.h"
#include "reader/event_name.h"
#include "writer/json.h"
#include "writer/json_table.h"
#include "writer/named_tables.h"

enum {
	VERSION = 70,    /* version of the format */
	GUID_BYTES = 16, /* bytes of a build-id that a breakpad id contains */
	MS = 1000000     /* ns */
};

/* Cells of a row. */
enum { LIB_PATH, LIB_BUILD_ID, LIB_CELLS };
enum {
	FRAME_ADDRESS,
	FRAME_LIB,
	FRAME_DEPTH,
	FRAME_CATEGORY,
	FRAME_FUNC,
	FRAME_LINE,
	FRAME_CELLS
};
enum { FUNC_NAME, FUNC_RESOURCE, FUNC_SOURCE, FUNC_LINE, FUNC_CELLS };
enum { STACK_FRAME, STACK_PREFIX, STACK_CELLS };
enum { THREAD_PID, THREAD_TID, THREAD_NAME, THREAD_EVENT, THREAD_UNIT, THREAD_CELLS };

static const struct json_column frame_columns[] = {
	{ .name = "address" },
	{ .name = "lib" },
	{ .name = "inlineDepth" },
	{ .name = "category" },
	{ .name = "func" },
	{ .name = "line" },
	{ .name = "subcategory", .always = "0" },
	{ .name = "nativeSymbol", .always = "null" },
	{ .name = "innerWindowID", .always = "0" },
	{ .name = "column", .always = "null" },
	{ .name = "originalLocation", .always = "null" },
	{ 0 },
};

static const struct json_column func_columns[] = {
	{ .name = "name" },
	{ .name = "resource" },
	{ .name = "source" },
	{ .name = "lineNumber" },
	{ .name = "isJS", .always = "false" },
	{ .name = "relevantForJS", .always = "false" },
	{ .name = "columnNumber", .always = "null" },
	{ .name = "originalLocation", .always = "null" },
	{ 0 },
};

static const struct json_column stack_columns[] = {
	{ .name = "frame" },
	{ .name = "prefixOffset", .distance = true },
	{ 0 },
};

static const struct json_column resource_columns[] = {
	{ .name = "name" },
	{ .name = "host", .always = "null" },
	{ .name = "type", .always = "1" },
	{ 0 },
};

static const struct json_column source_columns[] = {
	{ .name = "filename" },
	{ .name = "id", .always = "null" },
	{ .name = "startLine", .always = "1" },
	{ .name = "startColumn", .always = "1" },
	{ .name = "sourceMapURL", .always = "null" },
	{ .name = "content", .always = "null" },
	{ 0 },
};

/* The format requires these tables.  This writer leaves them empty. */
static const struct json_column symbol_columns[] = {
	{ .name = "libIndex" },
	{ .name = "address" },
	{ .name = "name" },
	{ .name = "functionSize" },
	{ 0 },
};
static const struct json_column place_columns[] = {
	{ .name = "source" },
	{ .name = "line" },
	{ .name = "column" },
	{ 0 },
};

/* The categories, and for each kind of frame the index of its category. */
static const char categories[] =
        "[{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},\n"
        "{\"name\":\"Native\",\"color\":\"blue\",\"subcategories\":[\"Other\"]},\n"
        "{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]},\n"
        "{\"name\":\"JIT\",\"color\":\"green\",\"subcategories\":[\"Other\"]},\n"
        "{\"name\":\"Runtime\",\"color\":\"purple\",\"subcategories\":[\"Other\"]}]";
static const uint8_t category_of[] = {
	[KIND_NATIVE] = 1, [KIND_KERNEL] = 2,  [KIND_JIT] = 3,
	[KIND_DOTNET] = 3, [KIND_RUNTIME] = 4,
};

/* A sample before it is written. */
struct row {
	uint64_t time, weight;
	uint32_t stack; /* index + 1, or 0 */
};

struct thread {
	struct buffer rows; /* the samples, packed, in the order of the input */
	size_t n;
	uint64_t first, latest; /* the earliest and the latest time of a sample */
	uint64_t last;          /* time of the last sample of the input */
	bool unordered; /* a sample has an earlier time than the sample before it */
};

struct writer {
	struct profile *p;
	struct out *out;
	struct arena *arena;
	struct interner strings, build_ids;
	struct json_table libs, frames, funcs, stacks, resources, sources, threads;
	struct table lib_of; /* id of a mapping -> 1 + index of its library */
	struct table
	        locations; /* (mapping and frame_id, address) -> 1 + index in `list` */
	struct list {
		uint32_t *frame; /* rows of `frames`, the outermost function first */
		size_t n;
	} * list;
	struct thread *thread; /* by row of `threads` */
	size_t nlists, lists_cap, threads_cap, ntimeless;
};

static int64_t string(struct writer *w, struct str s)
{
	return intern(&w->strings, s);
}

static int64_t put_source(struct writer *w, struct str file)
{
	int64_t cell = string(w, file);

	return file.n ? (int64_t)json_table_row(&w->sources, &cell, 1) : JSON_NONE;
}

static int64_t put_resource(struct writer *w, struct str module)
{
	int64_t cell = string(w, str_base(module));

	return module.n ? (int64_t)json_table_row(&w->resources, &cell, 1) : -1;
}

/* Returns the library of a mapping, or -1 if there is no library. */
static int64_t put_lib(struct writer *w, const struct mapping *m)
{
	uint32_t *known = m ? table_at(&w->lib_of, w->arena, m->id, 0) : NULL;
	int64_t cells[LIB_CELLS];

	if (!m)
		return -1;
	if (!*known) {
		cells[LIB_PATH] = string(w, profile_str(w->p, m->path));
		cells[LIB_BUILD_ID] = intern(&w->build_ids, m->build_id);
		*known = 1 + json_table_row(&w->libs, cells, LIB_CELLS);
	}
	return *known - 1;
}

/* Returns an address relative to its library. */
static int64_t relative(const struct mapping *m, uint64_t address)
{
	if (m && m->kind == MAPPED_KERNEL)
		return (int64_t)(address - m->first);
	return (int64_t)(m && m->kind != MAPPED_ANON ? address - m->bias : address);
}

static int64_t put_func(struct writer *w, const struct named *n, struct str name,
                        uint32_t *line)
{
	struct str place, file;
	uint32_t begins = str_split_line(profile_str(w->p, n->decl), &file);
	int64_t cells[FUNC_CELLS];

	*line = str_split_line(profile_str(w->p, n->srcline), &place);
	cells[FUNC_NAME] = string(w, name);
	cells[FUNC_RESOURCE] = put_resource(w, profile_str(w->p, n->module));
	cells[FUNC_SOURCE] = put_source(w, file.n ? file : place);
	cells[FUNC_LINE] = begins ? (int64_t)begins : JSON_NONE;
	return json_table_row(&w->funcs, cells, FUNC_CELLS);
}

/*
 * Adds the frames of a location.  If a function has no name, its address is used instead.
 */
static struct list make_list(struct writer *w, const struct resolved *r,
                             const struct mapping *m, uint64_t address, uint64_t printed)
{
	struct list out = { arena_new(w->arena, uint32_t, r->n), r->n };
	int64_t cells[FRAME_CELLS] = { 0 };
	bool known = named_is_known(r);
	char hex[2 + OUT_HEX] = "0x";

	cells[FRAME_LIB] = put_lib(w, m);
	cells[FRAME_ADDRESS] = m ? relative(m, address) : -1;
	if (m)
		printed = (uint64_t)cells[FRAME_ADDRESS];
	for (size_t i = 0; i < r->n; i++) {
		const struct named *n = &r->names[r->n - 1 - i];
		struct str name = { hex, 2 + out_hex_at(hex + 2, printed, 1) };
		uint32_t line;

		if (known && n->func)
			name = profile_str(w->p, n->func);
		cells[FRAME_DEPTH] = (int64_t)i;
		cells[FRAME_CATEGORY] =
		        category_of[kind_of(profile_str(w->p, n->module), n->flags)];
		cells[FRAME_FUNC] = put_func(w, n, name, &line);
		cells[FRAME_LINE] = line ? (int64_t)line : JSON_NONE;
		out.frame[i] = json_table_row(&w->frames, cells, FRAME_CELLS);
	}
	return out;
}

static const struct list *find_list(struct writer *w, const struct frame *f,
                                    const struct placed *at)
{
	const struct mapping *m =
	        profile_traits(w->p)->has_ips ? profile_mapping(w->p, f) : NULL;
	uint64_t address = m ? named_address(w->p, f) : at->addr;
	uint32_t *known = table_at(&w->locations, w->arena, address,
	                           (uint64_t)(m ? m->id : 0) << 32 | at->id);

	if (!*known) {
		arena_fit(w->arena, w->list, w->nlists + 1, w->lists_cap);
		w->list[w->nlists] =
		        make_list(w, profile_frame(w->p, at->id), m, address, at->addr);
		*known = (uint32_t)++w->nlists;
	}
	return &w->list[*known - 1];
}

/* Returns the stack of a sample, as index + 1, or 0 if it has no frames. */
static uint32_t put_stack(struct writer *w, const struct sample *s)
{
	uint32_t stack = 0;

	for (size_t i = s->nframes; i--;) {
		const struct list *l = find_list(w, &s->ev->frames[i], &s->frames[i]);

		for (size_t k = 0; k < l->n; k++) {
			int64_t cells[STACK_CELLS] = { l->frame[k], stack };

			stack = 1 + json_table_row(&w->stacks, cells, STACK_CELLS);
		}
	}
	return stack;
}

static struct thread *find_thread(struct writer *w, const struct sample *s)
{
	const struct attr *attr = s->ev->attr;
	struct str event = attr ? event_name_base(attr->name) : STR("");
	struct str unit = attr ? named_tables_unit(attr) : STR("");
	int64_t cells[THREAD_CELLS];
	uint32_t row;

	cells[THREAD_PID] = s->pid;
	cells[THREAD_TID] = s->tid;
	cells[THREAD_NAME] = string(w, s->comm);
	cells[THREAD_EVENT] = string(w, event);
	cells[THREAD_UNIT] = string(w, unit);
	row = json_table_row(&w->threads, cells, THREAD_CELLS);
	arena_fit(w->arena, w->thread, row + 1u, w->threads_cap);
	return &w->thread[row];
}

static void take_sample(void *writer, const struct sample *s)
{
	struct writer *w = writer;
	struct thread *t = find_thread(w, s);
	uint64_t time = s->ev->has_time ? s->ev->time_ns : MS * (uint64_t)w->ntimeless++;

	if (!t->n) {
		t->rows.arena = w->arena;
		t->first = time;
	}
	t->unordered |= time < t->last;
	t->first = time < t->first ? time : t->first;
	t->latest = time > t->latest ? time : t->latest;
	wireput_varint(&t->rows, time - t->last);
	wireput_varint(&t->rows, s->ev->weight);
	wireput_varint(&t->rows, put_stack(w, s));
	t->last = time;
	t->n++;
}

ORDER(compare, struct row, num_cmp(a->time, b->time))

static struct row *unpack(const struct thread *t, struct arena *arena)
{
	struct row *row = arena_new(arena, struct row, t->n);
	struct cursor in = cur_little(buffer_str(&t->rows));
	uint64_t time = 0;

	for (size_t i = 0; i < t->n; i++) {
		time += cur_uleb(&in);
		row[i] = (struct row){ .time = time, .weight = cur_uleb(&in) };
		row[i].stack = (uint32_t)cur_uleb(&in);
	}
	return row;
}

/* Writes nanoseconds as milliseconds. */
static void put_ms(struct out *o, uint64_t ns)
{
	out_dec(o, ns / MS);
	if (ns % MS)
		out_fmt(o, ".%06llu", (unsigned long long)(ns % MS));
}

static void put_text(struct out *o, const char *name, struct str text)
{
	json_string(o, str_of(name));
	out_char(o, ':');
	json_string(o, text);
}

/* Writes the times of a thread's samples, each as the difference from the previous time. */
static void put_times(struct writer *w, const struct row *row, size_t n, uint64_t first)
{
	out_str(w->out, STR("\"timeDeltas\":["));
	for (size_t i = 0; i < n; i++) {
		out_str(w->out, i ? STR(",") : STR(""));
		put_ms(w->out, row[i].time - (i ? row[i - 1].time : first));
	}
}

static void put_weights(struct writer *w, const struct row *row, size_t n, bool ns)
{
	out_str(w->out, STR("],\n\"weight\":["));
	for (size_t i = 0; i < n; i++) {
		out_str(w->out, i ? STR(",") : STR(""));
		if (ns)
			put_ms(w->out, row[i].weight);
		else
			out_dec(w->out, row[i].weight);
	}
}

static void put_stacks(struct writer *w, const struct row *row, size_t n)
{
	out_str(w->out, STR("],\n\"stack\":["));
	for (size_t i = 0; i < n; i++) {
		out_str(w->out, i ? STR(",") : STR(""));
		json_cell(w->out, row[i].stack ? row[i].stack - 1 : JSON_NONE);
	}
}

static void put_samples(struct writer *w, const struct thread *t, struct str unit,
                        uint64_t first)
{
	struct arena scratch = { 0 };
	struct row *row = unpack(t, &scratch);
	bool ns = str_eq(unit, STR("nanoseconds"));

	if (t->unordered)
		order_by(row, t->n, compare);
	out_str(w->out, STR("\"samples\":{"));
	put_times(w, row, t->n, first);
	put_weights(w, row, t->n, ns);
	put_stacks(w, row, t->n);
	out_fmt(w->out, "],\n\"weightType\":\"%s\",\"length\":%zu}",
	        ns                           ? "tracing-ms"
	        : str_eq(unit, STR("bytes")) ? "bytes"
	                                     : "samples",
	        t->n);
	arena_release(&scratch);
}

/* Returns true if samples of several events were written. */
static bool has_events(const struct writer *w)
{
	for (uint32_t i = 1; i < json_table_rows(&w->threads); i++)
		if (json_table_cell(&w->threads, i, THREAD_EVENT) !=
		    json_table_cell(&w->threads, 0, THREAD_EVENT))
			return true;
	return false;
}

static struct str cell_text(const struct writer *w, const struct json_table *t,
                            uint32_t row, size_t cell)
{
	return intern_str(&w->strings, (str_id)json_table_cell(t, row, cell));
}

static void put_thread(struct writer *w, uint32_t i, uint64_t first, bool events)
{
	const struct thread *t = &w->thread[i];
	int64_t pid = json_table_cell(&w->threads, i, THREAD_PID),
	        tid = json_table_cell(&w->threads, i, THREAD_TID);
	struct str name = cell_text(w, &w->threads, i, THREAD_NAME),
	           event = cell_text(w, &w->threads, i, THREAD_EVENT),
	           process = profile_process_name(w->p, (int32_t)pid);
	struct arena scratch = { 0 };

	out_str(w->out, i ? STR(",\n{") : STR("\n{"));
	put_text(w->out, "processType", STR("default"));
	out_char(w->out, ',');
	put_text(w->out, "processName", process.n ? process : name);
	out_char(w->out, ',');
	if (event.n && events)
		name = arena_fmt(&scratch, PRSTR " (" PRSTR ")", STRARG(name),
		                 STRARG(event));
	put_text(w->out, "name", name);
	out_fmt(w->out, ",\"isMainThread\":%s,\"pid\":\"%lld\",\"tid\":%lld,",
	        pid == tid ? "true" : "false", (long long)pid, (long long)tid);
	out_str(w->out, STR("\"processStartupTime\":0,\"processShutdownTime\":null,"
	                    "\"registerTime\":"));
	put_ms(w->out, t->first - first);
	out_str(w->out,
	        STR(",\"unregisterTime\":null,\"pausedRanges\":[],\n"
	            "\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],"
	            "\"endTime\":[],\"phase\":[],\"category\":[],\"length\":0},\n"));
	put_samples(w, t, cell_text(w, &w->threads, i, THREAD_UNIT), first);
	out_char(w->out, '}');
	arena_release(&scratch);
}

/*
 * Writes a build-id as the id of Breakpad: the first bytes as a little-endian GUID, and an age of 0.
 */
static void put_breakpad_id(struct out *o, struct str id)
{
	static const uint8_t order[GUID_BYTES] = { 3, 2, 1,  0,  5,  4,  7,  6,
		                                   8, 9, 10, 11, 12, 13, 14, 15 };

	out_str(o, STR(",\"breakpadId\":\""));
	for (size_t i = 0; i < GUID_BYTES && id.n; i++)
		out_fmt(o, "%02X", order[i] < id.n ? (uint8_t)id.p[order[i]] : 0U);
	out_str(o, id.n ? STR("0\"") : STR("\""));
}

static void put_libs(struct writer *w)
{
	struct str arch = reader_capture(profile_reader(w->p))->arch;

	out_str(w->out, STR("\"libs\":["));
	for (uint32_t i = 0; i < json_table_rows(&w->libs); i++) {
		struct str path = cell_text(w, &w->libs, i, LIB_PATH),
		           id = intern_str(
		                   &w->build_ids,
		                   (str_id)json_table_cell(&w->libs, i, LIB_BUILD_ID));

		out_str(w->out, i ? STR(",\n{") : STR("\n{"));
		put_text(w->out, "arch", arch);
		out_char(w->out, ',');
		put_text(w->out, "name", str_base(path));
		out_char(w->out, ',');
		put_text(w->out, "path", path);
		out_char(w->out, ',');
		put_text(w->out, "debugName", str_base(path));
		out_char(w->out, ',');
		put_text(w->out, "debugPath", path);
		put_breakpad_id(w->out, id);
		out_str(w->out, id.n ? STR(",\"codeId\":\"") : STR(",\"codeId\":null}"));
		out_bytes(w->out, id);
		out_str(w->out, id.n ? STR("\"}") : STR(""));
	}
	out_str(w->out, STR("],\n"));
}

static void put_shared(struct writer *w)
{
	struct json_table symbols, places;
	const struct json_table *const tables[] = { &w->stacks,    &w->frames,  &w->funcs,
		                                    &w->resources, &w->sources, &symbols,
		                                    &places };

	json_table_init(&symbols, "nativeSymbols", symbol_columns, w->arena);
	json_table_init(&places, "sourceLocationTable", place_columns, w->arena);
	out_str(w->out, STR("\"shared\":{"));
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		json_table_write(tables[i], w->out);
		out_str(w->out, STR(",\n"));
	}
	out_str(w->out, STR("\"stringArray\":["));
	for (size_t i = 0; i < w->strings.n; i++) {
		out_str(w->out, i ? STR(",\n") : STR(""));
		json_string(w->out, intern_str(&w->strings, (str_id)i));
	}
	out_str(w->out, STR("]},\n"));
}

/* Returns the mean time between samples of the thread with the most samples. */
static uint64_t interval(const struct writer *w)
{
	const struct thread *most = NULL;
	uint64_t mean;

	for (size_t i = 0; i < json_table_rows(&w->threads); i++)
		if (!most || w->thread[i].n > most->n)
			most = &w->thread[i];
	mean = most && most->n > 1 ? (most->latest - most->first) / (most->n - 1) : MS;
	return mean ? mean : MS;
}

static void put_meta(struct writer *w, uint64_t first)
{
	const struct capture *c = reader_capture(profile_reader(w->p));
	struct str name = json_table_rows(&w->threads)
	                          ? cell_text(w, &w->threads, 0, THREAD_NAME)
	                          : STR("psym");

	out_str(w->out, STR("{\"meta\":{"));
	put_text(w->out, "product", name);
	out_str(w->out, STR(",\"interval\":"));
	put_ms(w->out, interval(w));
	out_str(w->out, STR(",\"startTime\":"));
	put_ms(w->out, c->has_clock ? c->wall_ns + (first - c->clock_ns) : 0);
	out_fmt(w->out,
	        ",\"processType\":0,\"stackwalk\":1,\"version\":36,"
	        "\"preprocessedProfileVersion\":%d,\n\"symbolicated\":true,"
	        "\"usesOnlyOneStackType\":true,\"sourceCodeIsNotOnSearchfox\":true,"
	        "\"markerSchema\":[],\"importedFrom\":\"offbox\",\n\"categories\":%s},\n",
	        VERSION, categories);
}

static void *begin(struct profile *p, struct out *o, struct arena *arena)
{
	struct writer *w = arena_new(arena, struct writer, 1);

	*w = (struct writer){ .p = p, .out = o, .arena = arena };
	intern_init(&w->strings, arena);
	intern_init(&w->build_ids, arena);
	json_table_init(&w->libs, "libs", NULL, arena);
	json_table_init(&w->threads, "threads", NULL, arena);
	json_table_init(&w->frames, "frameTable", frame_columns, arena);
	json_table_init(&w->funcs, "funcTable", func_columns, arena);
	json_table_init(&w->stacks, "stackTable", stack_columns, arena);
	json_table_init(&w->resources, "resourceTable", resource_columns, arena);
	json_table_init(&w->sources, "sources", source_columns, arena);
	return w;
}

static void end(void *writer)
{
	struct writer *w = writer;
	size_t n = json_table_rows(&w->threads);
	uint64_t first = n ? w->thread[0].first : 0;
	bool events = has_events(w);

	for (size_t i = 1; i < n; i++)
		first = w->thread[i].first < first ? w->thread[i].first : first;
	put_meta(w, first);
	put_libs(w);
	put_shared(w);
	out_str(w->out, STR("\"threads\":["));
	for (uint32_t i = 0; i < n; i++)
		put_thread(w, i, first, events);
	out_str(w->out, STR("]}\n"));
}

const struct named_format named_firefox = { "firefox", "firefox.json",
	                                    begin,     take_sample,
	                                    end,       true };

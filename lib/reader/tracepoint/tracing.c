/*
 * Reads TRACING_DATA, which `perf record` copies from tracefs (trace-cmd.dat(5), version 0.6,
 * tools/perf/util/trace-event-info.c):
 *
 * 	17 08 44 "tracing" "0.6\0"
 * 	00                  1: numbers below are big-endian
 * 	08  00 10 00 00       sizeof(long), page size
 * 	"header_page\0"       u64 size, text
 * 	"header_event\0"      u64 size, text
 * 	00 00 00 00        number of ftrace's own formats, each with u64 size, text
 * 	01 00 00 00        number of systems, each with
 * 	    "sched\0"        its name, u32 number of formats, each with u64 size, text
 * 	...                kallsyms, formats of trace_printk: not needed
 *
 * libtraceevent evaluates the C expressions of a format on a payload, and trusts both.  Therefore
 * it gets only formats that pass format_check.  Payloads are copied to the start of a large
 * zeroed buffer, so that no field can refer to memory outside of the buffer.
 */
#include "reader/tracepoint/tracing.h"

#include <event-parse.h>
#include <trace-seq.h>

#include "base/cursor.h"
#include "base/table.h"
#include "reader/tracepoint/array_length.h"
#include "reader/tracepoint/format_check.h"

enum {
	PAYLOAD_MAX = 1 << 16,
	/* maximum bytes of arrays, if only fields are printed */
	ARRAYS_MAX = 1 << 16,
	FUNCTION = 512,
	/* maximum bytes of a list of fields.  "..." replaces the rest of a longer list */
	LIST_MAX = 400,
	/*
	 * size of the buffer in bytes.  Lengths of arrays have at most 16 bits, and 64 Ki elements
	 * of 8 bytes fit after the last field
	 */
	ROOM = 1 << 20,
};

enum state { UNPARSED, READY, FIELDS_ONLY, REFUSED };

struct format_text {
	uint64_t id;
	struct str system, text;
	enum state state;
	struct format_lengths lengths;
};

struct tracing {
	struct arena *arena;
	struct tep_handle *tep;
	struct format_text *formats;
	size_t n, cap;
	struct table by_id; /* id -> index + 1 */
	char *room;         /* the payload, followed by zeros */
	size_t used;
	const struct trace_names *names;
	/* the last results of trace_names.name */
	char function[FUNCTION], module[FUNCTION];
};

/* The part of the blob before the formats. */
struct blob {
	struct cursor c;
	bool big;
	unsigned long_size, page_size;
	struct str header_page;
};

static struct str take_sized(struct cursor *c)
{
	uint64_t n = cur_u64(c);
	const char *p = n <= cur_left(c) ? cur_take(c, n) : NULL;

	if (!p)
		c->bad = true;
	return p ? (struct str){ p, n } : (struct str){ 0 };
}

static bool take_word(struct cursor *c, struct str word)
{
	const char *p = cur_take(c, word.n);

	return p && !memcmp(p, word.p, word.n);
}

static bool read_head(struct blob *b, struct str bytes)
{
	struct cursor *c = &b->c;

	*c = cur_over(bytes, false);
	if (!take_word(c, STR("\x17\x08\x44tracing")))
		return false;
	cur_zstr(c); /* skip the version */
	b->big = cur_u8(c) == 1;
	c->swap = b->big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	b->long_size = cur_u8(c);
	b->page_size = cur_u32(c);
	if (!take_word(c, STR("header_page\0")))
		return false;
	b->header_page = take_sized(c);
	if (!take_word(c, STR("header_event\0")))
		return false;
	take_sized(c);
	return !c->bad && (b->long_size == 4 || b->long_size == 8);
}

/* Returns the value of a line that begins with `key`, as in "ID: 316". */
static struct str line_of(struct str text, struct str key)
{
	while (text.n) {
		struct str line = str_cut(&text, '\n');

		if (str_starts(line, key))
			return str_trim(str_from(line, key.n));
	}
	return (struct str){ 0 };
}

static void add_format(struct tracing *t, struct str system, struct str text)
{
	struct str id = line_of(text, STR("ID:"));
	struct format_text f = { .system = system, .text = text };
	uint32_t *index;

	if (!str_is_dec(id, &f.id))
		return;
	index = table_at(&t->by_id, t->arena, f.id, 0);
	if (*index)
		return;
	*arena_push(t->arena, t->formats, t->n, t->cap) = f;
	*index = (uint32_t)t->n;
}

static void read_formats(struct tracing *t, struct blob *b)
{
	struct cursor *c = &b->c;
	uint32_t n = cur_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++)
		/* skip ftrace's own formats, because perf never records such events */
		take_sized(c);
	n = cur_u32(c);
	for (uint32_t i = 0; i < n && !c->bad && cur_left(c); i++) {
		struct str system = cur_zstr(c);
		uint32_t m = cur_u32(c);

		for (uint32_t j = 0; j < m && !c->bad; j++)
			add_format(t, system, take_sized(c));
	}
}

struct str tracing_name(const struct tracing *t, uint64_t id)
{
	uint32_t i = table_get(&t->by_id, id, 0);
	const struct format_text *f = i ? &t->formats[i - 1] : NULL;

	if (!f)
		return (struct str){ 0 };
	return arena_fmt(t->arena, PRSTR ":" PRSTR, STRARG(f->system),
	                 STRARG(line_of(f->text, STR("name:"))));
}

static void set_up(struct tracing *t, const struct blob *b)
{
	struct str page = arena_str(t->arena, b->header_page);

	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_flag(t->tep, TEP_NSEC_OUTPUT);
	tep_set_file_bigendian(t->tep, b->big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(t->tep, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	                                        ? TEP_BIG_ENDIAN
	                                        : TEP_LITTLE_ENDIAN);
	tep_set_long_size(t->tep, (int)b->long_size);
	tep_set_page_size(t->tep, (int)(b->page_size & 0xffffff));
	if (format_check_fields(page))
		tep_parse_header_page(t->tep, (char *)page.p, page.n, (int)b->long_size);
}

struct tracing *tracing_open(struct str bytes, struct arena *arena)
{
	struct tracing *t = arena_new(arena, struct tracing, 1);
	struct blob b = { 0 };

	if (!bytes.n || !read_head(&b, bytes))
		return NULL;
	t->arena = arena;
	t->tep = tep_alloc();
	if (!t->tep)
		return NULL;
	read_formats(t, &b);
	set_up(t, &b);
	t->room = arena_new(arena, char, ROOM);
	return t;
}

static void copy_name(char to[FUNCTION], struct str from)
{
	from = str_head(from, FUNCTION - 1);
	if (from.n)
		memcpy(to, from.p, from.n);
	to[from.n] = 0;
}

static char *resolve(void *ctx, unsigned long long *ip, char **module)
{
	struct tracing *t = ctx;
	uint64_t begin = *ip;
	struct str in = { 0 }, name = t->names->name(t->names->ctx, *ip, &begin, &in);

	if (!name.n)
		return NULL;
	copy_name(t->function, name);
	copy_name(t->module, in);
	*ip = begin;
	*module = in.n ? t->module : NULL;
	return t->function;
}

void tracing_names(struct tracing *t, const struct trace_names *names)
{
	t->names = names;
	tep_reset_function_resolver(t->tep);
	if (names)
		tep_set_function_resolver(t->tep, resolve, t);
}

static bool fields_fit(const struct tep_format_field *f)
{
	for (; f; f = f->next) {
		if (f->offset < 0 || f->size < 0 || f->offset > PAYLOAD_MAX ||
		    f->size > PAYLOAD_MAX)
			return false;
		if (f->flags & TEP_FIELD_IS_DYNAMIC && f->size != 4)
			return false;
	}
	return true;
}

/*
 * Returns a format without expressions, to replace an unsafe format.  The library then prints
 * only the fields, as it does for expressions that it cannot evaluate.
 */
static struct str fields_alone(struct tracing *t, struct str text)
{
	struct str head = format_check_head(text);

	return head.n ? arena_fmt(t->arena, PRSTR "\nprint fmt: \"\"\n", STRARG(head))
	              : head;
}

static void parse(struct tracing *t, struct format_text *f)
{
	struct str numbers = array_length_numbers(
	        f->text, (unsigned)tep_get_long_size(t->tep), t->arena);
	struct str text = arena_str(t->arena, numbers);
	struct str system = arena_str(t->arena, f->system);
	bool safe = format_check(text, &f->lengths);
	struct tep_event *e;

	f->state = REFUSED;
	if (!safe)
		text = fields_alone(t, text);
	if (!text.n)
		return;
	if (tep_parse_event(t->tep, text.p, text.n, system.p) != 0)
		return;
	e = tep_find_event(t->tep, (int)f->id);
	if (!e || !fields_fit(e->format.common_fields) || !fields_fit(e->format.fields))
		return;
	if (!safe)
		e->flags |= (int)TEP_EVENT_FL_FAILED;
	f->state = e->flags & (int)TEP_EVENT_FL_FAILED ? FIELDS_ONLY : READY;
}

/*
 * Returns true if the arrays in the payload are short enough to print.  Arrays are printed byte
 * by byte, and several arrays may refer to the same bytes.
 */
static bool arrays_fit(struct tracing *t, const struct format_text *f)
{
	const struct tep_event *e = tep_find_event(t->tep, (int)f->id);
	size_t n = 0;

	for (struct tep_format_field *k = e->format.fields; k; k = k->next) {
		unsigned long long where = 0;

		if (!(k->flags & TEP_FIELD_IS_ARRAY))
			continue;
		if (!(k->flags & TEP_FIELD_IS_DYNAMIC))
			n += (size_t)k->size;
		else if (tep_read_number_field(k, t->room, &where) < 0)
			return false;
		n += where >> 16 & UINT16_MAX;
	}
	return n <= ARRAYS_MAX;
}

/* Returns true if all lengths in the payload are so small that no access leaves the buffer. */
static bool lengths_fit(struct tracing *t, const struct format_text *f)
{
	struct tep_event *e = tep_find_event(t->tep, (int)f->id);

	for (size_t i = 0; i < f->lengths.n; i++) {
		struct tep_format_field *field =
		        tep_find_any_field(e, f->lengths.name[i]);
		unsigned long long n;

		if (!field || tep_read_number_field(field, t->room, &n) < 0 ||
		    n > FORMAT_LENGTH)
			return false;
	}
	return true;
}

static void fill_room(struct tracing *t, struct str payload)
{
	memcpy(t->room, payload.p, payload.n);
	if (t->used > payload.n)
		memset(t->room + payload.n, 0, t->used - payload.n);
	t->used = payload.n;
}

/*
 * Returns true if the payload begins with the format's id.  The library chooses the format by this
 * id, so a payload with another id must be refused.
 */
static bool write_id(const struct tracing *t, const struct format_text *f,
                     struct str payload)
{
	uint16_t id = 0;

	if (payload.n < sizeof(id))
		return false;
	memcpy(&id, payload.p, sizeof(id));
	if (tep_is_file_bigendian(t->tep) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__))
		id = __builtin_bswap16(id);
	return id == f->id;
}

/* Returns the format of event id, or NULL if it is missing or unsafe. */
static struct format_text *find_format(struct tracing *t, uint64_t id)
{
	uint32_t i = table_get(&t->by_id, id, 0);
	struct format_text *f = i ? &t->formats[i - 1] : NULL;

	if (f && f->state == UNPARSED)
		parse(t, f);
	return f && f->state != REFUSED ? f : NULL;
}

bool tracing_reads(struct tracing *t, uint64_t id)
{
	return find_format(t, id) != NULL;
}

/*
 * Finds the format of event id, and copies the payload to t->room.  Returns NULL if the format or
 * the payload is unusable.
 */
static struct format_text *load(struct tracing *t, uint64_t id, struct str payload)
{
	struct format_text *f = payload.n <= PAYLOAD_MAX ? find_format(t, id) : NULL;

	if (!f || !write_id(t, f, payload))
		return NULL;
	fill_room(t, payload);
	return f;
}

static bool is_number(const struct tep_format_field *k)
{
	return !(k->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_STRING));
}

bool tracing_number(struct tracing *t, uint64_t id, struct str payload, struct str field,
                    int64_t *out)
{
	const struct format_text *f = load(t, id, payload);
	struct tep_event *e = f ? tep_find_event(t->tep, (int)f->id) : NULL;
	struct tep_format_field *k;
	unsigned long long v;
	char name[FUNCTION];

	copy_name(name, field);
	k = e ? tep_find_any_field(e, name) : NULL;
	if (!k || !is_number(k) || tep_read_number_field(k, t->room, &v) < 0)
		return false;
	*out = (int64_t)v;
	if (k->flags & TEP_FIELD_IS_SIGNED && k->size < 8)
		*out = (int64_t)(v << (64 - 8 * k->size)) >> (64 - 8 * k->size);
	return true;
}

struct str tracing_fields(struct tracing *t, uint64_t id, struct arena *a)
{
	const struct format_text *f = find_format(t, id);
	struct tep_event *e = f ? tep_find_event(t->tep, (int)f->id) : NULL;
	struct str list = { 0 };

	for (struct tep_format_field *k = e ? e->format.fields : NULL; k; k = k->next) {
		if (!is_number(k))
			continue;
		if (list.n > LIST_MAX)
			return arena_fmt(a, PRSTR " ...", STRARG(list));
		list = arena_fmt(a, PRSTR "%s%s", STRARG(list), list.n ? ", " : "",
		                 k->name);
	}
	return list;
}

bool tracing_text(struct tracing *t, uint64_t id, int32_t cpu, struct str payload,
                  struct out *out)
{
	const struct format_text *f = load(t, id, payload);
	struct tep_record record;
	struct trace_seq s;

	if (!f)
		return false;
	if (!(f->state == READY ? lengths_fit(t, f) : arrays_fit(t, f)))
		return false;
	record = (struct tep_record){ .cpu = cpu,
		                      .size = (int)payload.n,
		                      .data = t->room };
	trace_seq_init(&s);
	tep_print_event(t->tep, &s, &record, "%s", TEP_PRINT_INFO);
	if (s.state == TRACE_SEQ__GOOD)
		out_name(out, (struct str){ s.buffer, s.len });
	trace_seq_destroy(&s);
	return true;
}

void tracing_close(struct tracing *t)
{
	if (t)
		tep_free(t->tep);
}

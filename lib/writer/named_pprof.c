#include "writer/named_pprof.h"

#include "base/table.h"
#include "label/kind.h"
#include "process/process.h"
#include "reader/pprof/profile_fields.h"
#include "writer/gzip.h"
#include "writer/named_tables.h"

enum { BUILD_ID_MOST = 64 };

struct named_pprof {
	struct profile *p;
	struct gzip *gzip;
	struct arena *arena;
	struct named_tables tables;
	struct table locations; /* (mapping, address) -> number */
	/*
	 * mapping id -> number of the mapping.  If `again` is set: mapping id -> HAS_*
	 * bits of its new names
	 */
	struct table mappings;
	struct new_mapping {
		struct str message;
		uint32_t has; /* set of HAS_* */
	} * mapping;
	size_t nlocations, nmappings, mappings_cap,
	        program; /* program: number of the program's mapping */
	size_t columns;
	bool again; /* the input is a pprof profile */
	struct buffer part, inner, out, path, sample;
};

/* Writes a field of the profile: a message or a string. */
static void emit(struct named_pprof *w, uint32_t field, struct str bytes)
{
	w->out.n = 0;
	wireput_bytes(&w->out, field, bytes);
	gzip_write(w->gzip, w->out.p, w->out.n);
}

static uint64_t string(struct named_pprof *w, struct str s)
{
	return named_tables_string(&w->tables, s);
}

/* Writes a new function. */
static void put_function(void *ctx, struct str message)
{
	emit(ctx, PROFILE_FUNCTION, message);
}

/*
 * Writes the flags of a mapping that has names: has_functions and, if HAS_LINES is set, also
 * the flags for files, lines and inlined functions.
 */
static void put_flags(struct buffer *to, uint32_t has)
{
	uint32_t last = has & HAS_LINES ? MAPPING_HAS_INLINED : MAPPING_HAS_FUNCTIONS;

	for (uint32_t i = MAPPING_HAS_FUNCTIONS; has && i <= last; i++)
		wireput_number(to, i, 1);
}

/* Copies a table entry of the input. */
static void copy(struct named_pprof *w, struct str field)
{
	gzip_write(w->gzip, field.p, field.n);
}

/* Returns a number field of an input message, or 0.  `field` is at most LOCATION_MAPPING. */
static uint64_t number_in(struct str message, uint32_t field)
{
	uint64_t number[LOCATION_MAPPING + 1];

	wire_read(message, number, LOCATION_MAPPING + 1);
	return number[field];
}

/* Counts the strings of the input, and finds the greatest id of its functions. */
static void count_tables(struct named_pprof *w, struct str bytes)
{
	struct cursor in = cur_little(bytes);
	struct wire f;

	w->tables.first_string = 0;
	w->tables.first_function = 1;
	while (wire_next(&in, &f)) {
		uint64_t id = f.field == PROFILE_FUNCTION && f.type == WIRE_BYTES
		                      ? number_in(f.bytes, FUNCTION_ID)
		                      : 0;

		w->tables.first_string +=
		        f.field == PROFILE_STRING && f.type == WIRE_BYTES;
		/*
		 * An id near UINT64_MAX would leave too few ids for new functions, so it is
		 * ignored.
		 */
		if (id >= w->tables.first_function && id < UINT64_MAX - UINT32_MAX)
			w->tables.first_function = id + 1;
	}
}

/* Writes the locations of the input with their new names. */
static void put_locations(struct named_pprof *w)
{
	struct reader *r = profile_reader(w->p);
	struct buffer to = { .arena = w->arena };

	for (size_t i = 1; i <= reader_locations(r); i++) {
		struct str message = reader_location(r, (uint32_t)i).written;
		const struct resolved *names = named_tables_new(&w->tables, i);

		to.n = 0;
		buffer_put(&to, message);
		if (names) {
			uint32_t *has = table_at(&w->mappings, w->arena,
			                         number_in(message, LOCATION_MAPPING), 0);

			*has |= named_tables_lines(&w->tables, &to, LOCATION_LINE, names);
		}
		emit(w, PROFILE_LOCATION, buffer_str(&to));
	}
}

/*
 * Copies a mapping of the input.  If its locations got new names, sets flags so that readers do
 * not look up more names.
 */
static void put_old_mapping(struct named_pprof *w, const struct wire *f)
{
	uint32_t has = table_get(&w->mappings, number_in(f->bytes, MAPPING_ID), 0);

	if (!has) {
		copy(w, f->whole);
		return;
	}
	w->part.n = 0;
	buffer_put(&w->part, f->bytes);
	put_flags(&w->part, has);
	emit(w, PROFILE_MAPPING, buffer_str(&w->part));
}

static void put_strings(struct named_pprof *w)
{
	for (size_t i = 1; i < w->tables.strings.n; i++)
		emit(w, PROFILE_STRING, intern_str(&w->tables.strings, (str_id)i));
}

/* Writes the input again.  Its strings keep their order, so references to them stay valid. */
static void write_again(struct named_pprof *w)
{
	struct cursor in = cur_little(reader_written(profile_reader(w->p)));
	struct wire f;

	put_locations(w);
	while (wire_next(&in, &f))
		if (f.field == PROFILE_MAPPING && f.type == WIRE_BYTES)
			put_old_mapping(w, &f);
		else if (f.field != PROFILE_LOCATION || f.type != WIRE_BYTES)
			copy(w, f.whole);
}

/*
 * Writes the types of values, one column for each event.  Call this at the first sample, when
 * all events are known.
 */
static void put_types(struct named_pprof *w)
{
	const struct attr *const *attrs;

	w->columns = reader_attrs(profile_reader(w->p), &attrs);
	for (size_t i = 0; i < w->columns; i++) {
		w->part.n = 0;
		wireput_number(&w->part, TYPE_TYPE,
		               string(w, named_tables_type(attrs[i])));
		wireput_number(&w->part, TYPE_UNIT,
		               string(w, named_tables_unit(attrs[i])));
		emit(w, PROFILE_SAMPLE_TYPE, buffer_str(&w->part));
	}
	/* Makes the first event the default, which readers show if there are several events. */
	if (w->columns) {
		w->part.n = 0;
		wireput_number(&w->part, PROFILE_DEFAULT_TYPE,
		               string(w, named_tables_type(attrs[0])));
		gzip_write(w->gzip, w->part.p, w->part.n);
	}
}

/*
 * Returns the number of a mapping.  Mappings are written at the end, because readers take the
 * first mapping for the program, and the first samples may lack the program.
 */
static uint64_t put_mapping(struct named_pprof *w, const struct mapping *m)
{
	uint32_t *known = m ? table_at(&w->mappings, w->arena, m->id, 0) : NULL;
	struct str path = m ? profile_str(w->p, m->path) : STR("");

	if (!m || *known)
		return m ? *known : 0;
	arena_fit(w->arena, w->mapping, w->nmappings + 1, w->mappings_cap);
	*known = (uint32_t)w->nmappings + 1;
	w->part.n = 0;
	wireput_number(&w->part, MAPPING_ID, *known);
	if (!m->assumed) {
		wireput_number(&w->part, MAPPING_START, m->first);
		wireput_number(&w->part, MAPPING_LIMIT, m->last);
		wireput_number(&w->part, MAPPING_OFFSET, m->first - m->bias);
	}
	wireput_number(&w->part, MAPPING_FILE, string(w, path));
	wireput_number(
	        &w->part, MAPPING_BUILD_ID,
	        string(w, arena_hex(w->arena, str_head(m->build_id, BUILD_ID_MOST))));
	w->mapping[w->nmappings++] =
	        (struct new_mapping){ .message =
		                              arena_str(w->arena, buffer_str(&w->part)) };
	if (!w->program && kind_is_program(path))
		w->program = w->nmappings;
	return *known;
}

static void put_mappings(struct named_pprof *w)
{
	for (size_t i = 0; i <= w->nmappings; i++) {
		size_t at = i ? i : w->program;

		if (!at || (i && i == w->program))
			continue;
		w->part.n = 0;
		buffer_put(&w->part, w->mapping[at - 1].message);
		put_flags(&w->part, w->mapping[at - 1].has);
		emit(w, PROFILE_MAPPING, buffer_str(&w->part));
	}
}

/* Returns the number of a location, which is written on first use. */
static uint64_t put_location(struct named_pprof *w, const struct frame *f, frame_id id)
{
	const struct mapping *m = profile_mapping(w->p, f);
	uint64_t addr = named_address(w->p, f);
	uint32_t *known = table_at(&w->locations, w->arena, addr,
	                           (uint64_t)(m ? m->id : 0) << 32 | id);
	struct buffer to = { .arena = w->arena };
	uint64_t mapping;
	uint32_t has;

	if (*known)
		return *known;
	*known = (uint32_t)++w->nlocations;
	mapping = put_mapping(w, m);
	wireput_number(&to, LOCATION_ID, w->nlocations);
	wireput_number(&to, LOCATION_MAPPING, mapping);
	wireput_number(&to, LOCATION_ADDRESS, addr);
	has = named_tables_lines(&w->tables, &to, LOCATION_LINE, profile_frame(w->p, id));
	if (mapping)
		w->mapping[mapping - 1].has |= has;
	emit(w, PROFILE_LOCATION, buffer_str(&to));
	return w->nlocations;
}

static void put_label(struct named_pprof *w, struct str key, struct str text,
                      int64_t number)
{
	w->inner.n = 0;
	if (!text.n && number < 0)
		return;
	wireput_number(&w->inner, LABEL_KEY, string(w, key));
	wireput_number(&w->inner, LABEL_STR, string(w, text));
	wireput_number(&w->inner, LABEL_NUM, text.n ? 0 : (uint64_t)number);
	wireput_bytes(&w->sample, SAMPLE_LABEL, buffer_str(&w->inner));
}

static void put_values(struct named_pprof *w, const struct event *ev)
{
	const struct attr *const *attrs;
	uint64_t value = ev->weight < INT64_MAX ? ev->weight : INT64_MAX;

	reader_attrs(profile_reader(w->p), &attrs);
	w->inner.n = 0;
	for (size_t i = 0; i < w->columns; i++)
		wireput_varint(&w->inner, attrs[i] == ev->attr ? value : 0);
	wireput_bytes(&w->sample, SAMPLE_VALUE, buffer_str(&w->inner));
}

static void put_sample(struct named_pprof *w, const struct sample *s)
{
	w->path.n = w->sample.n = 0;
	for (size_t i = 0; i < s->nframes; i++)
		wireput_varint(&w->path,
		               put_location(w, &s->ev->frames[i], s->frames[i].id));
	wireput_bytes(&w->sample, SAMPLE_LOCATION, buffer_str(&w->path));
	put_values(w, s->ev);
	put_label(w, STR("thread"), s->comm, -1);
	put_label(w, STR("pid"), STR(""), s->pid);
	put_label(w, STR("tid"), STR(""), s->tid);
	emit(w, PROFILE_SAMPLE, buffer_str(&w->sample));
}

static void *begin(struct profile *p, struct out *o, struct arena *arena)
{
	struct named_pprof *w = arena_new(arena, struct named_pprof, 1);

	*w = (struct named_pprof){ .p = p,
		                   .gzip = gzip_begin(o, arena),
		                   .arena = arena,
		                   .again =
		                           str_eq(profile_traits(p)->again, STR("pprof")),
		                   .part = { .arena = arena },
		                   .inner = { .arena = arena },
		                   .out = { .arena = arena },
		                   .path = { .arena = arena },
		                   .sample = { .arena = arena } };
	w->tables = (struct named_tables){ .p = p,
		                           .arena = arena,
		                           .numbered = true,
		                           .put_function = put_function,
		                           .ctx = w,
		                           .first_string = 1,
		                           .first_function = 1 };
	named_tables_begin(&w->tables);
	if (w->again)
		count_tables(w, reader_written(profile_reader(p)));
	else
		emit(w, PROFILE_STRING, STR(""));
	return w;
}

static void add_sample(void *state, const struct sample *s)
{
	struct named_pprof *w = state;

	if (w->again)
		return;
	if (!w->columns)
		put_types(w);
	put_sample(w, s);
}

static void end(void *state)
{
	struct named_pprof *w = state;

	if (w->again)
		write_again(w);
	else
		put_mappings(w);
	put_strings(w);
	gzip_end(w->gzip);
}

const struct named_format named_pprof = {
	"pprof", "pb.gz", begin, add_sample, end, false
};

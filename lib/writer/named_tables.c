#include "writer/named_tables.h"

#include "reader/event_name.h"
#include "reader/pprof/profile_fields.h"
#include "stack/head.h"
#include "writer/caption.h"
#include "writer/named.h"

void named_tables_begin(struct named_tables *t)
{
	t->part.arena = t->inner.arena = t->arena;
	intern_init(&t->strings, t->arena);
	intern_init(&t->functions, t->arena);
}

uint64_t named_tables_string(struct named_tables *t, struct str s)
{
	if (!s.n)
		return 0;
	return t->first_string + intern(&t->strings, caption_clean(t->arena, s)) - 1;
}

/* Returns the number of a function, and writes the function on first use. */
static uint64_t put_function(struct named_tables *t, const struct named *n)
{
	struct str file;
	uint32_t begins = str_split_line(profile_str(t->p, n->decl), &file);
	struct function_key {
		uint64_t file;
		str_id func, decl, module, none;
	} key = { 0, n->func, n->decl, n->decl ? 0 : n->module, 0 };
	size_t known = t->functions.n;
	uint32_t other = !t->numbered;
	uint64_t id, name;

	if (!file.n)
		str_split_line(profile_str(t->p, n->srcline), &file);
	key.file = named_tables_string(t, file);
	id = t->first_function - 1 +
	     intern(&t->functions, (struct str){ (const char *)&key, sizeof(key) });
	if (t->functions.n == known)
		return id;
	name = named_tables_string(t, profile_str(t->p, n->func));
	t->part.n = 0;
	if (t->numbered)
		wireput_number(&t->part, FUNCTION_ID, id);
	wireput_number(&t->part, FUNCTION_NAME - other, name);
	wireput_number(&t->part, FUNCTION_SYSTEM_NAME - other, name);
	wireput_number(&t->part, FUNCTION_FILE - other, key.file);
	wireput_number(&t->part, FUNCTION_BEGINS - other, begins);
	t->put_function(t->ctx, buffer_str(&t->part));
	return id;
}

uint32_t named_tables_lines(struct named_tables *t, struct buffer *to, uint32_t field,
                            const struct resolved *r)
{
	uint32_t has = 0;

	for (size_t i = 0; named_is_known(r) && i < r->n; i++) {
		uint64_t function = put_function(t, &r->names[i]);
		struct str file;
		uint32_t line =
		        str_split_line(profile_str(t->p, r->names[i].srcline), &file);

		has |= line ? HAS_FUNCTIONS | HAS_LINES : HAS_FUNCTIONS;
		t->inner.n = 0;
		wireput_number(&t->inner, LINE_FUNCTION, function);
		wireput_number(&t->inner, LINE_NUMBER, line);
		wireput_bytes(to, field, buffer_str(&t->inner));
	}
	return has;
}

const struct resolved *named_tables_new(const struct named_tables *t, size_t number)
{
	const struct location at =
	        reader_location(profile_reader(t->p), (uint32_t)number);
	const struct resolved *r;

	if (at.nlines)
		return NULL;
	r = profile_frame(t->p, profile_location(t->p, (uint32_t)number));
	return named_is_known(r) ? r : NULL;
}

struct str named_tables_type(const struct attr *attr)
{
	struct str event = event_name_base(attr->name);

	if (attr->unit.n)
		return attr->name;
	return str_eq(head_unit(event), STR("ns")) ? STR("cpu") : event;
}

struct str named_tables_unit(const struct attr *attr)
{
	struct str unit = head_unit(event_name_base(attr->name));

	if (attr->unit.n)
		return attr->unit;
	if (str_eq(unit, STR("ns")))
		return STR("nanoseconds");
	return str_eq(unit, STR("events")) ? STR("count") : unit;
}

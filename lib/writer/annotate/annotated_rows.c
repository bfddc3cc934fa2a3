#include "writer/annotate/annotated_rows.h"

#include "writer/field.h"
#include "writer/json.h"

/* One row. */
struct fields {
	const struct listing *l;
	const uint64_t *addr; /* may be NULL */
	struct str path;
	uint32_t line;
	struct str text;
	const struct spot_weight *weight;
};

void annotated_rows_begin(struct annotated_rows *r, const struct spots *s)
{
	if (!r->json) {
		out_str(r->o, STR("function,module,address,file,line,samples,self,total,"
		                  "text\n"));
		return;
	}
	json_member(r->o, "{", "event", r->look->event);
	json_member(r->o, ",", "unit", r->look->unit.name);
	out_fmt(r->o, ",\"samples\":%llu,\"total\":%llu,\"rows\":[",
	        (unsigned long long)s->whole.samples, (unsigned long long)s->whole.total);
}

static void put_csv(struct out *o, const struct fields *f)
{
	field_put(o, f->l->name, true);
	out_char(o, ',');
	field_put(o, f->l->module, true);
	out_char(o, ',');
	if (f->addr)
		out_fmt(o, "0x%llx", (unsigned long long)*f->addr);
	out_char(o, ',');
	field_put(o, f->path, true);
	out_char(o, ',');
	if (f->line)
		out_fmt(o, "%u", f->line);
	out_fmt(o, ",%llu,%llu,%llu,", (unsigned long long)f->weight->samples,
	        (unsigned long long)f->weight->self,
	        (unsigned long long)f->weight->total);
	field_put(o, f->text, true);
	out_char(o, '\n');
}

static void put_json(struct out *o, const struct fields *f, bool first)
{
	json_member(o, first ? "\n{" : ",\n{", "function", f->l->name);
	json_member(o, ",", "module", f->l->module);
	if (f->addr)
		out_fmt(o, ",\"address\":\"0x%llx\"", (unsigned long long)*f->addr);
	if (f->line) {
		json_member(o, ",", "file", f->path);
		out_fmt(o, ",\"line\":%u", f->line);
	}
	out_fmt(o, ",\"samples\":%llu,\"self\":%llu,\"total\":%llu",
	        (unsigned long long)f->weight->samples,
	        (unsigned long long)f->weight->self,
	        (unsigned long long)f->weight->total);
	json_member(o, ",", "text", f->text);
	out_char(o, '}');
}

static void put(struct annotated_rows *r, const struct fields *f)
{
	if (!f->weight->self && !f->weight->total)
		return;
	if (r->json)
		put_json(r->o, f, !r->rows);
	else
		put_csv(r->o, f);
	r->rows++;
}

/* Returns a source line with blanks instead of tabs.  A tab would be written as an escape. */
static struct str without_tabs(struct str s, struct arena *a)
{
	char *to = arena_alloc(a, s.n + 1, 1);

	for (size_t i = 0; i < s.n; i++)
		to[i] = s.p[i] == '\t' ? ' ' : s.p[i];
	return (struct str){ to, s.n };
}

void annotated_rows_put(struct annotated_rows *r, const struct listing *l)
{
	for (size_t i = 0; r->look->lines && i < l->nlines; i++) {
		const struct listing_line *line = &l->line[i];
		struct str text = listing_source(l, line->path, line->line);
		arena_scope(scratch);

		put(r, &(struct fields){ .l = l,
		                         .path = line->path,
		                         .line = line->line,
		                         .text = without_tabs(text, &scratch),
		                         .weight = &line->weight });
	}
	for (size_t i = 0; !r->look->lines && i < l->n; i++) {
		const struct listing_row *row = &l->row[i];

		put(r, &(struct fields){ .l = l,
		                         .addr = &row->addr,
		                         .path = row->path,
		                         .line = row->line,
		                         .text = row->text,
		                         .weight = &row->weight });
	}
}

void annotated_rows_end(struct annotated_rows *r)
{
	if (r->json)
		out_str(r->o, STR("\n]}\n"));
}

void annotated_rows_index(struct out *o, struct str file, const char *suffix,
                          const struct spots *s, const struct spot_function *f)
{
	out_fmt(o, PRSTR ".%s,%llu,%llu,%llu,", STRARG(file), suffix,
	        (unsigned long long)f->weight.samples, (unsigned long long)f->weight.self,
	        (unsigned long long)f->weight.total);
	field_put(o, spots_str(s, f->module), true);
	out_char(o, ',');
	field_put(o, spots_str(s, f->name), true);
	out_char(o, '\n');
}

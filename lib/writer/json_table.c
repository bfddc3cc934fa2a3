#include "writer/json_table.h"

#include "writer/json.h"

void json_table_init(struct json_table *t, const char *name,
                     const struct json_column *columns, struct arena *arena)
{
	*t = (struct json_table){ .name = name, .columns = columns };
	intern_init(&t->rows, arena);
}

uint32_t json_table_row(struct json_table *t, const int64_t *cells, size_t n)
{
	/* In the interner, id 0 is the empty string, so the ids of rows start at 1. */
	return intern(&t->rows, (struct str){ (const char *)cells, n * sizeof(*cells) }) -
	       1;
}

int64_t json_table_cell(const struct json_table *t, uint32_t row, size_t cell)
{
	int64_t out;

	memcpy(&out, intern_str(&t->rows, row + 1).p + cell * sizeof(out), sizeof(out));
	return out;
}

size_t json_table_rows(const struct json_table *t)
{
	return t->rows.n - 1;
}

static void put_cell(const struct json_table *t, const struct json_column *c,
                     uint32_t row, size_t cell, struct out *o)
{
	int64_t n;

	if (c->always) {
		out_str(o, str_of(c->always));
		return;
	}
	n = json_table_cell(t, row, cell);
	json_cell(o, c->distance && n ? row + 1 - n : n);
}

void json_table_write(const struct json_table *t, struct out *o)
{
	size_t cell = 0;

	json_string(o, str_of(t->name));
	out_str(o, STR(":{"));
	for (const struct json_column *c = t->columns; c->name; c++) {
		json_string(o, str_of(c->name));
		out_str(o, STR(":["));
		for (uint32_t i = 0; i < json_table_rows(t); i++) {
			if (i)
				out_char(o, ',');
			put_cell(t, c, i, cell, o);
		}
		cell += !c->always;
		out_str(o, STR("],\n"));
	}
	out_fmt(o, "\"length\":%zu}", json_table_rows(t));
}

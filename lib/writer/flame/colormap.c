#include "writer/flame/colormap.h"

#include <stdlib.h>

void colormap_init(struct colormap *m)
{
	*m = (struct colormap){ 0 };
	intern_init(&m->names, &m->arena);
}

void colormap_free(struct colormap *m)
{
	arena_release(&m->arena);
}

void colormap_set(struct colormap *m, struct str name, struct rgb color)
{
	str_id id = intern(&m->names, name);

	size_t cap = m->cap;

	arena_fit(&m->arena, m->given, id + 1u, cap);
	arena_fit(&m->arena, m->color, id + 1u, m->cap);
	m->color[id] = color;
	m->given[id] = true;
}

bool colormap_find(struct colormap *m, struct str name, struct rgb *out)
{
	str_id id = intern(&m->names, name);

	if (id >= m->cap || !m->given[id])
		return false;
	*out = m->color[id];
	return true;
}

/* Parses "rgb(228,129,35)". */
static bool parse_rgb(struct str s, struct rgb *out)
{
	uint8_t *const part[] = { &out->r, &out->g, &out->b };

	if (!str_starts(s, STR("rgb(")) || !str_ends(s, STR(")")))
		return false;
	s = str_span(s.p + 4, s.p + s.n - 1);
	for (size_t i = 0; i < 3; i++) {
		struct str word = str_trim(str_cut(&s, ','));
		uint64_t v;

		if (!str_is_dec(word, &v) || v > 255)
			return false;
		*part[i] = (uint8_t)v;
	}
	return !s.n;
}

size_t colormap_read(struct colormap *m, struct str bytes)
{
	size_t bad = 0;

	while (bytes.n) {
		struct str line = str_cut(&bytes, '\n');
		size_t arrow = line.n;
		struct rgb color;

		if (!str_trim(line).n)
			continue;
		/* Finds the last "->", because a name may also contain "->". */
		for (size_t i = 0; i + 2 <= line.n; i++)
			if (line.p[i] == '-' && line.p[i + 1] == '>')
				arrow = i;
		if (arrow && arrow < line.n &&
		    parse_rgb(str_trim(str_from(line, arrow + 2)), &color))
			colormap_set(m, str_head(line, arrow), color);
		else
			bad++;
	}
	return bad;
}

static int by_name(const void *a, const void *b, void *ctx)
{
	const struct interner *names = ctx;

	return str_cmp(intern_str(names, *(const str_id *)a),
	               intern_str(names, *(const str_id *)b));
}

void colormap_write(struct colormap *m, struct out *out)
{
	str_id *order = arena_new(&m->arena, str_id, m->names.n);
	size_t n = 0;

	for (size_t i = 1; i < m->names.n && i < m->cap; i++)
		if (m->given[i])
			order[n++] = (str_id)i;
	qsort_r(order, n, sizeof(*order), by_name, &m->names);
	for (size_t i = 0; i < n; i++) {
		struct str name = intern_str(&m->names, order[i]);
		struct rgb c = m->color[order[i]];

		out_str(out, name);
		out_fmt(out, "->rgb(%u,%u,%u)\n", c.r, c.g, c.b);
	}
}

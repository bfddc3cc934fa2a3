#include "writer/flame/places.h"

#include "base/table.h"
#include "writer/caption.h"
#include "writer/flame/xml.h"

struct listing {
	const struct places *places;
	struct tables *tables;
	struct table known; /* (text, is_file) -> number of the line in "places" */
	uint32_t n;
};

/*
 * Returns the path with the replacements of `paths` applied.  Sets *kind to 'l' if the page can
 * link to the file, else to 'f'.
 */
static struct str mapped(const struct places *p, struct str path, struct arena *a,
                         char *kind)
{
	struct str to = source_path_map(&p->paths, path, a);

	*kind = p->url.n && (to.n || !p->paths.n) ? 'l' : 'f';
	return to.n ? to : path;
}

/* Writes a module or file, unless it was written before.  Returns the number of its line. */
static uint32_t list(struct listing *l, str_id text, bool is_file)
{
	struct arena *a = &l->tables->scratch;
	struct str s = intern_str(&l->places->origins->texts, text);
	uint32_t *line = table_at(&l->known, a, text, is_file);
	char kind = 'm';

	if (!text || *line)
		return text ? *line : 0;
	*line = ++l->n;
	if (is_file)
		s = mapped(l->places, s, a, &kind);
	if (l->n > 1)
		out_char(l->tables->out, '\n');
	out_char(l->tables->out, kind);
	xml_text(l->tables->out, caption_clean(a, s));
	return *line;
}

/*
 * Returns an array indexed by str_id.  An element is 1 + the index in `ids` of the first origin
 * of this name, or 0.
 */
static uint32_t *first_origins(const struct tables *t, const struct origin_ids *ids,
                               size_t n, struct arena *a)
{
	uint32_t *first = arena_new(a, uint32_t, t->nshown);

	for (size_t i = n; i-- > 0;)
		first[ids[i].label] = (uint32_t)i + 1;
	return first;
}

void places_write(const struct places *p, struct tables *t)
{
	struct listing l = { .places = p, .tables = t };
	bool *used = arena_new(&t->scratch, bool, t->nshown);
	const struct origin_ids *ids;
	size_t n, last = 0;
	uint32_t *first;

	for (size_t i = 1; i < t->nshown; i++)
		used[i] = t->shown[i].used;
	ids = origin_list(p->origins, p->names, used, &t->scratch, &n);
	out_str(t->out, STR("<metadata class=\"places\">"));
	for (size_t i = 0; i < n; i++) {
		list(&l, ids[i].module, false);
		list(&l, ids[i].file, true);
	}
	out_str(t->out, STR("</metadata>\n"));
	tables_open(t, "origins");
	first = first_origins(t, ids, n, &t->scratch);
	for (size_t i = 0; i < t->used; i++) {
		str_id label = t->order[i];

		for (size_t k = first[label]; k && k <= n && ids[k - 1].label == label;
		     k++) {
			tables_number(t, i - last);
			tables_number(t, list(&l, ids[k - 1].module, false));
			tables_number(t, list(&l, ids[k - 1].file, true));
			tables_number(t, ids[k - 1].line);
			last = i;
		}
	}
	tables_close(t);
}

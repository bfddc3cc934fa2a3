#include "measure/marks.h"

static const struct clr_view *view_at(size_t i)
{
	return clr_find(i ? STR("Suspension") : STR("GC"));
}

size_t marks_events(struct str out[MARKS_EVENTS])
{
	size_t n = 0;

	for (size_t i = 0; i < MARKS_VIEWS; i++)
		n += clr_events(view_at(i), out + n);
	return n;
}

void marks_init(struct marks *m, struct arena *arena)
{
	*m = (struct marks){ .arena = arena };
	intern_init(&m->texts, arena);
	for (size_t i = 0; i < MARKS_VIEWS; i++) {
		clr_init(&m->view[i], NULL);
		m->view[i].texts = &m->texts;
		m->view[i].view = view_at(i);
	}
}

static void add(struct marks *m, const struct clr_weight *w)
{
	*arena_push(m->arena, m->mark, m->n, m->cap) =
	        (struct mark){ w->from_ns, w->from_ns + w->weight, w->stack };
}

static bool is_folded(const struct marks *m, struct str name)
{
	for (size_t i = 0; i < m->nfolded; i++)
		if (str_eq(name, m->folded[i]) ||
		    str_eq(str_from(name, str_find(name, '/') + 1), m->folded[i]))
			return true;
	return false;
}

bool marks_take(struct marks *m, struct profile *p, const struct sample *s)
{
	bool taken = false;
	struct clr_weight w;

	for (size_t i = 0; i < MARKS_VIEWS; i++) {
		taken |= clr_take(&m->view[i], p, s, &w);
		if (w.stack)
			add(m, &w);
	}
	return taken && !is_folded(m, s->ev->attr->name);
}

void marks_end(struct marks *m)
{
	for (size_t i = 0; i < MARKS_VIEWS; i++)
		clr_end(&m->view[i]);
}

ORDER(by_time, struct mark,
      num_cmp(a->from_ns, b->from_ns) ?: num_cmp(a->to_ns, b->to_ns)
              ?: num_cmp(a->text, b->text))

/* Writes ns, the time since the start of the table, as "12.340125". */
static void put_seconds(struct out *o, uint64_t ns)
{
	out_fmt(o, "%llu.%06llu", (unsigned long long)(ns / 1000000000),
	        (unsigned long long)(ns % 1000000000 / 1000));
}

void marks_write(struct marks *m, struct out *o, uint64_t begin_us)
{
	uint64_t begin = begin_us * 1000;

	order_by(m->mark, m->n, by_time);
	for (const struct mark *mark = m->mark; mark < m->mark + m->n; mark++) {
		if (mark->to_ns < begin)
			continue;
		out_str(o, STR("# pfold mark from="));
		put_seconds(o, mark->from_ns > begin ? mark->from_ns - begin : 0);
		out_str(o, STR(" to="));
		put_seconds(o, mark->to_ns - begin);
		out_str(o, STR(" ["));
		out_str(o, intern_str(&m->texts, mark->text));
		out_str(o, STR("]\n"));
	}
}

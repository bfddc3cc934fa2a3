#include "writer/speedscope.h"

#include "stack/sums.h"
#include "writer/json.h"

struct writer {
	struct out *out;
	const struct fold *f;
	struct arena *arena;
	uint32_t *frame; /* indexed by site: its index in the list of frames */
	stack_id *order; /* nodes in preorder */
	uint32_t *path;  /* buffer for the frames of a stack */
	size_t path_cap;
};

static void put_frame(struct writer *w, const struct site *site)
{
	char mark;

	json_member(w->out, "{", "name",
	            mark_cut(intern_str(&w->f->names, site->label), &mark));
	if (site->module) {
		json_member(w->out, ",", "file",
		            intern_str(&w->f->sites->texts, site->module));
	}
	out_char(w->out, '}');
}

/* Writes the list of frames.  Sites (stack/site.h) with the same name and file share a frame. */
static void put_frames(struct writer *w)
{
	const struct stacks *s = &w->f->stacks;
	struct table numbers = { 0 };
	uint32_t n = 0;

	w->frame = arena_new(w->arena, uint32_t, w->f->sites->known.n);
	for (size_t i = 1; i < s->n; i++) {
		const struct site *site = site_at(w->f->sites, s->node[i].name);
		uint32_t *at = table_at(&numbers, w->arena, site->label, site->module);

		if (!*at) {
			*at = ++n;
			out_str(w->out, n > 1 ? STR(",\n") : STR(""));
			put_frame(w, site);
		}
		w->frame[s->node[i].name] = *at - 1;
	}
}

/* Writes a stack as "[0,3,2]". */
static void put_stack(struct writer *w, stack_id id)
{
	const struct stack_node *node = w->f->stacks.node;
	size_t n = 0;

	for (; id; id = node[id].parent)
		*arena_push(w->arena, w->path, n, w->path_cap) = w->frame[node[id].name];
	out_char(w->out, '[');
	while (n--) {
		out_dec(w->out, w->path[n]);
		if (n)
			out_char(w->out, ',');
	}
	out_char(w->out, ']');
}

static struct str unit_of(struct str unit)
{
	if (str_eq(unit, STR("ns")))
		return STR("nanoseconds");
	return str_eq(unit, STR("bytes")) ? unit : STR("none");
}

/* Calls put for each stack that has a weight.  Writes `between` between the stacks. */
static void put_all(struct writer *w, void (*put)(struct writer *, stack_id),
                    struct str between)
{
	bool first = true;

	for (size_t i = 1; i < w->f->stacks.n; i++) {
		if (weight_value(sums_self(&w->f->stacks, w->order[i])) <= 0)
			continue;
		out_str(w->out, first ? STR("") : between);
		first = false;
		put(w, w->order[i]);
	}
}

static void put_digits(struct writer *w, struct weight weight)
{
	char digits[WEIGHT_DIGITS];

	out_str(w->out, weight_digits(weight, digits));
}

static void put_weight(struct writer *w, stack_id id)
{
	put_digits(w, sums_self(&w->f->stacks, id));
}

void speedscope_write(struct out *o, const struct fold *f, const struct head *h,
                      struct arena *scratch)
{
	struct writer w = { .out = o, .f = f, .arena = scratch };
	struct str name = h->event.n ? h->event : STR("samples");

	w.order = sums_preorder(&f->stacks, scratch);
	out_str(o, STR("{\"$schema\":\"https://www.speedscope.app/"
	               "file-format-schema.json\",\n\"shared\":{\"frames\":[\n"));
	put_frames(&w);
	json_member(o, "\n]},\n\"profiles\":[{\"type\":\"sampled\",", "name", name);
	out_str(o, STR(",\"unit\":\""));
	out_str(o, unit_of(h->unit));
	out_str(o, STR("\",\"startValue\":0,\"endValue\":"));
	put_digits(&w, sums_totals(&f->stacks, scratch)[0]);
	out_str(o, STR(",\n\"samples\":[\n"));
	put_all(&w, put_stack, STR(",\n"));
	out_str(o, STR("],\n\"weights\":["));
	put_all(&w, put_weight, STR(","));
	json_member(o, "]}],\n", "name", name);
	out_str(o, STR(",\"activeProfileIndex\":0,\"exporter\":\"pfold\"}\n"));
}

#include "writer/calltree.h"

#include <stdlib.h>

#include "writer/caption.h"
#include "writer/unit.h"

/* deeper levels are not indented further */
enum { INDENTED = 64 };

/*
 * Siblings are combined in one line, "[12 others]", if each of them has less than this share of
 * the weight of level 0.
 */
static const double LEAST = 0.005;

struct tree {
	struct stacks stacks;
	struct interner names;
	struct weight *total;
	stack_id *order; /* all nodes, sorted by parent, weight and name */
	/*
	 * indexed by node: index of its first child in `order`.  first[n] is the end of
	 * `order`
	 */
	size_t *first;
	const struct calltree_opts *opts;
	struct unit unit;
	/* weight of all samples, and least weight of a displayed node */
	double whole, least;
	struct out *out;
	struct arena *scratch;
};

static int compare(const void *pa, const void *pb, void *ctx)
{
	const struct tree *t = ctx;
	stack_id a = *(const stack_id *)pa, b = *(const stack_id *)pb;
	const struct stack_node *na = &t->stacks.node[a], *nb = &t->stacks.node[b];

	return num_cmp(na->parent, nb->parent)
	               ?: weight_compare(t->total[b], t->total[a])
	               ?: str_cmp(intern_str(&t->names, na->name),
	                          intern_str(&t->names, nb->name));
}

static void sort_tree(struct tree *t)
{
	size_t n = t->stacks.n;

	t->total = sums_totals(&t->stacks, t->scratch);
	t->order = arena_new(t->scratch, stack_id, n);
	t->first = arena_new(t->scratch, size_t, n + 1);
	for (stack_id i = 1; i < n; i++) {
		t->order[i - 1] = i;
		t->first[t->stacks.node[i].parent + 1]++;
	}
	for (size_t i = 1; i <= n; i++)
		t->first[i] += t->first[i - 1];
	qsort_r(t->order, n - 1, sizeof(*t->order), compare, t);
}

static void put_line(struct tree *t, size_t level, struct weight w, struct str name)
{
	double share = t->whole > 0 ? 100 * weight_value(w) / t->whole : 0;
	bool callers = t->opts->way == CALLS_CALLERS;
	char buf[WEIGHT_DIGITS];
	struct str digits = weight_digits(w, buf);

	if (t->opts->aligned) {
		digits = unit_format(&t->unit, weight_value(w), digits, t->scratch);
		out_fmt(t->out, "%6.1f %%%*s" PRSTR "  ", share,
		        digits.n < 16 ? (int)(16 - digits.n) : 1, "", STRARG(digits));
	} else {
		out_fmt(t->out, "%s\t%zu\t" PRSTR "\t%.2f\t",
		        callers ? "callers" : "callees", level, STRARG(digits), share);
	}
	for (size_t i = 0; i < level && i < INDENTED; i++)
		out_str(t->out, STR("  "));
	out_str(t->out, caption_clean(t->scratch, name));
	out_char(t->out, '\n');
}

struct level {
	/* the remaining children, order[next] to order[end - 1] */
	size_t next, end;
};

/*
 * Writes one line for all remaining children.  Their weights are too small for lines of their
 * own.
 */
static void put_others(struct tree *t, size_t level, const struct level *rest)
{
	size_t n = rest->end - rest->next;
	struct weight sum = { 0 };

	for (size_t i = rest->next; i < rest->end; i++)
		sum = weight_sum(sum, t->total[t->order[i]]);
	put_line(t, level, sum,
	         arena_fmt(t->scratch, "[%zu other%s]", n, n == 1 ? "" : "s"));
}

static void put_tree(struct tree *t)
{
	struct level *levels = NULL;
	size_t cap = 0, depth = 1;

	levels = arena_grow(t->scratch, NULL, &cap, 1, sizeof(*levels));
	levels[0] = (struct level){ t->first[0], t->first[1] };
	while (depth) {
		struct level *top = &levels[depth - 1];
		stack_id id;

		if (top->next == top->end) {
			depth--;
			continue;
		}
		id = t->order[top->next];
		if (weight_value(t->total[id]) < t->least) {
			put_others(t, depth, top);
			top->next = top->end;
			continue;
		}
		top->next++;
		put_line(t, depth, t->total[id],
		         intern_str(&t->names, t->stacks.node[id].name));
		if (depth == t->opts->depth)
			continue;
		*arena_push(t->scratch, levels, depth, cap) =
		        (struct level){ t->first[id], t->first[id + 1] };
	}
}

/*
 * Marks the groups with this name in wanted[].  If there is no such group, marks all groups
 * whose name contains it.  Returns the number of marked groups.
 */
static size_t find_wanted(const struct groups *g, struct str name, bool *wanted)
{
	size_t n = 0;

	for (int part = 0; part < 2 && !n; part++)
		for (uint32_t i = 1; i < g->names.n; i++) {
			struct str s = intern_str(&g->names, i);

			if (i == g->no_frames)
				continue;
			wanted[i] = part ? str_has(s, name) : str_eq(s, name);
			n += wanted[i];
		}
	return n;
}

static void put_head(struct tree *t, struct str name)
{
	bool callers = t->opts->way == CALLS_CALLERS;

	if (t->opts->aligned)
		out_fmt(t->out, "%s%s " PRSTR "\n", t->opts->begins ? "" : "\n",
		        callers ? "callers of" : "called by", STRARG(name));
	else if (t->opts->begins)
		out_str(t->out, STR("way\tlevel\tweight\tshare%\tfunction\n"));
}

bool calltree_write(struct out *o, const struct fold *f, const struct head *h,
                    const struct calltree_opts *opts, struct arena *scratch)
{
	struct tree t = { .opts = opts,
		          .unit = { .name = h->unit.n ? h->unit : STR("samples") },
		          .out = o,
		          .scratch = scratch };
	struct str name = opts->name;
	struct groups g;
	bool *wanted;
	size_t n;

	group_nodes(&g, f, GROUP_FUNCTION, scratch);
	wanted = arena_new(scratch, bool, g.names.n);
	n = find_wanted(&g, name, wanted);
	if (!n && f->stacks.n <= 1)
		put_head(&t, caption_clean(scratch, name));
	if (!n)
		return f->stacks.n <= 1;
	for (uint32_t i = 1; i < g.names.n && n == 1; i++)
		if (wanted[i])
			name = intern_str(&g.names, i);
	if (n > 1)
		name = arena_fmt(scratch, PRSTR " (%zu functions)", STRARG(name), n);
	name = caption_clean(scratch, name);
	calls_find(&t.stacks, &t.names, opts->way, f, &g, wanted, scratch);
	t.whole = weight_value(sums_totals(&f->stacks, scratch)[0]);
	sort_tree(&t);
	t.least = LEAST * weight_value(t.total[0]);
	put_head(&t, name);
	put_line(&t, 0, t.total[0], name);
	put_tree(&t);
	return true;
}

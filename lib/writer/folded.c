/*
 * Writes lines in the order of their bytes:
 *
 * 	main;parse 3
 * 	main;parse (anonymous) 1
 * 	main;parse;next_token 12
 * 	main;parse;next_token;read 4.5
 *
 * This is not the order of the tree: the sibling "parse (anonymous)" is between `parse` and its
 * children.  So each node has two entries among its siblings: "parse 3" for the stack that ends
 * at the node, and "parse;" for the children of the node.  If an entry ends in ';', no other
 * entry begins with it.  So all lines below such an entry are adjacent, and the children of each
 * node can be sorted separately.
 */
#include "writer/folded.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "stack/weight.h"

/*
 * An entry represents lines of the output.  Its number is 2 * the index of a node + SELF (the
 * line of the node itself) or + BELOW (the lines of the node's children).
 */
enum { SELF, BELOW };

typedef uint64_t entry;

struct order {
	const struct stacks *stacks;
	const struct interner *names;
	enum folded_order by;
	entry *entries; /* grouped by parent */
	/*
	 * indexed by node: index in `entries` of the entry of its first child.  first[n]
	 * is the end of `entries`
	 */
	size_t *first;
};

enum { WEIGHT_MAX = 1 + WEIGHT_DIGITS };

static bool has_weight(const struct stack_node *n)
{
	return n->self || n->fraction;
}

/* Returns the text that follows the name in an entry: ";", or a blank and the weight. */
static struct str tail_of(const struct order * or, entry e, char buf[WEIGHT_MAX])
{
	const struct stack_node *n = & or->stacks->node[e / 2];

	if (e % 2 == BELOW)
		return STR(";");
	buf[0] = ' ';
	return (struct str){
		buf, 1 + weight_digits((struct weight){ n->self, n->fraction }, buf + 1).n
	};
}

/*
 * Returns the bytes that are compared after the bytes of the name.  FOLDED_BY_STACK ignores the
 * weight.
 */
static struct str sort_tail(const struct order * or, entry e, char buf[WEIGHT_MAX])
{
	if (or->by == FOLDED_BY_STACK && e % 2 == SELF)
		return STR("");
	return tail_of(or, e, buf);
}

static char byte_at(struct str name, struct str tail, size_t i)
{
	return i < name.n ? name.p[i] : tail.p[i - name.n];
}

static int compare(const void *pa, const void *pb, void *ctx)
{
	const struct order * or = ctx;
	entry a = *(const entry *)pa, b = *(const entry *)pb;
	struct str na = intern_str(or->names, or->stacks->node[a / 2].name);
	struct str nb = intern_str(or->names, or->stacks->node[b / 2].name);
	size_t common = na.n < nb.n ? na.n : nb.n, la, lb;
	int c = common ? memcmp(na.p, nb.p, common) : 0;
	char bufa[WEIGHT_MAX], bufb[WEIGHT_MAX];
	struct str ta, tb;

	if (c)
		return c;
	ta = sort_tail(or, a, bufa);
	tb = sort_tail(or, b, bufb);
	la = na.n + ta.n;
	lb = nb.n + tb.n;
	for (size_t i = common; i < la && i < lb; i++) {
		unsigned char ca = (unsigned char)byte_at(na, ta, i);
		unsigned char cb = (unsigned char)byte_at(nb, tb, i);

		if (ca != cb)
			return ca < cb ? -1 : 1;
	}
	return num_cmp(la, lb);
}

/* Groups the entries by parent node and sorts each group. */
static void sort_families(struct order * or, struct arena *scratch)
{
	const struct stacks *s = or->stacks;
	bool *parent = arena_new(scratch, bool, s->n);
	size_t total = 0;

	for (size_t i = 1; i < s->n; i++)
		parent[s->node[i].parent] = true;
	or->first = arena_new(scratch, size_t, s->n + 1);
	for (size_t i = 1; i < s->n; i++)
		or->first[s->node[i].parent] +=
		        (size_t)has_weight(&s->node[i]) + parent[i];
	for (size_t i = 0; i <= s->n; i++) {
		size_t count = or->first[i];

		or->first[i] = total;
		total += count;
	}
	or->entries = arena_new(scratch, entry, total + 1);
	for (size_t i = s->n;
	     i-- > 1;) { /* this loop moves first[p] to the end of p's group */
		size_t *at = & or->first[s->node[i].parent];

		if (has_weight(&s->node[i]))
			or->entries[(*at)++] = i * 2 + SELF;
		if (parent[i])
			or->entries[(*at)++] = i * 2 + BELOW;
	}
	for (size_t i = s->n; i > 0; i--)
		or->first[i] = or->first[i - 1];
	or->first[0] = 0;
	for (size_t i = 0; i < s->n; i++)
		if (or->first[i + 1] - or->first[i] > 1)
			qsort_r(or->entries + or->first[i],
			        or->first[i + 1] - or->first[i], sizeof(* or->entries),
			        compare, or);
}

struct level {
	size_t next, end; /* the remaining entries, entries[next] to entries[end - 1] */
	size_t path_n;    /* length of the path to the parent of the entries */
};

size_t folded_write(struct out *o, const struct stacks *s, const struct interner *names,
                    enum folded_order order, struct arena *scratch)
{
	struct order or = { .stacks = s, .names = names, .by = order };
	struct level *levels = NULL;
	struct buffer path = { .arena = scratch };
	size_t cap = 0, depth = 1, lines = 0;
	char buf[WEIGHT_MAX];

	sort_families(& or, scratch);
	levels = arena_grow(scratch, NULL, &cap, 1, sizeof(*levels));
	levels[0] = (struct level){ or.first[0], or.first[1], 0 };
	while (depth) {
		struct level *top = &levels[depth - 1];
		size_t node;
		entry e;

		path.n = top->path_n;
		if (top->next == top->end) {
			depth--;
			continue;
		}
		e = or.entries[top->next++];
		node = e / 2;
		buffer_put(&path, intern_str(names, s->node[node].name));
		buffer_put(&path, tail_of(& or, e, buf));
		if (e % 2 == SELF) {
			out_str(o, buffer_str(&path));
			out_char(o, '\n');
			lines++;
			continue;
		}
		*arena_push(scratch, levels, depth, cap) =
		        (struct level){ or.first[node], or.first[node + 1], path.n };
	}
	return lines;
}

#include "stack/group.h"

#include "label/namespace.h"

/* A pass over the nodes, in which parents come first. */
struct grouping {
	struct groups *g;
	const struct fold *f;
	enum group_by by;
	struct arena *arena;
};

struct str group_process(const struct fold *f, const struct site *root, struct arena *a)
{
	struct str comm = intern_str(&f->sites->texts, site_command(f->sites, root->pid));

	if (root->pid < 0)
		return (struct str){ 0 };
	return label_root(a, comm, root->pid, root->pid, LABEL_PID);
}

/* Returns the name of a root's group.  In folded input, the label may be "COMM-PID/TID". */
static struct str of_root(const struct grouping *w, const struct site *p)
{
	struct str label = intern_str(&w->f->names, p->label), process = { 0 };
	uint64_t tid;

	if (w->by == GROUP_COMM && p->comm)
		return label_root(w->arena, intern_str(&w->f->sites->texts, p->comm), 0,
		                  0, LABEL_COMM);
	if (w->by == GROUP_PROCESS)
		process = group_process(w->f, p, w->arena);
	if (process.n)
		return process;
	if (w->by == GROUP_PROCESS &&
	    str_is_dec(str_from(label, str_rfind(label, '/') + 1), &tid))
		label = str_head(label, str_rfind(label, '/'));
	return label;
}

static struct str kind_of_mark(char mark)
{
	switch (mark) {
	case 'k':
		return STR("kernel");
	case 'j':
		return STR("managed");
	case 'r':
		return STR("runtime");
	case 'i':
		return STR("");
	default:
		return STR("native");
	}
}

/*
 * Returns the module of a frame.  If the module was not recorded, takes it from the label of an
 * unnamed frame: "[libc.so.6]".
 */
static struct str module_of(const struct site *p, struct str module, struct str label)
{
	if (!p->module && label.n > 2 && label.p[0] == '[' &&
	    label.p[label.n - 1] == ']' && !str_eq(label, STR("[unknown]")))
		return (struct str){ label.p + 1, label.n - 2 };
	return module;
}

static struct str of_namespace(const struct site *p, struct str module, struct str label,
                               char mark)
{
	struct str space = { 0 };

	if (!str_eq(module, STR("[stubs]")))
		space = namespace_of(label, mark == 'j');
	return space.n ? space : namespace_assembly(module_of(p, module, label));
}

/* Returns the name of a frame's group, or an empty string if it is unknown. */
static struct str of_frame(const struct grouping *w, const struct site *p)
{
	const struct interner *texts = &w->f->sites->texts;
	char mark;
	struct str label = mark_cut(intern_str(&w->f->names, p->label), &mark);

	switch (w->by) {
	case GROUP_FUNCTION:
		return label;
	case GROUP_MODULE:
		return module_of(p, intern_str(texts, p->module), label);
	case GROUP_ASSEMBLY:
		return namespace_assembly(
		        module_of(p, intern_str(texts, p->assembly), label));
	case GROUP_NAMESPACE:
		return of_namespace(p, intern_str(texts, p->assembly), label, mark);
	case GROUP_KIND:
		return kind_of_mark(mark);
	case GROUP_LINE:
		if (p->file)
			return arena_fmt(w->arena, PRSTR ":%u",
			                 STRARG(intern_str(texts, p->file)), p->line);
		return STR("");
	default:
		return STR("");
	}
}

static uint32_t group_of(const struct grouping *w, const struct stack_node *node)
{
	const struct site *p = site_at(w->f->sites, node->name);
	bool threads = w->by == GROUP_COMM || w->by == GROUP_PROCESS;
	struct groups *g = w->g;
	struct str name;

	if (threads && node->parent && !p->root)
		return g->of[node->parent];
	if (threads)
		return intern(&g->names, of_root(w, p));
	if (p->root)
		return node->self || node->fraction ? g->no_frames : 0;
	if (str_eq(intern_str(&w->f->names, p->label), STR("[no frames]")))
		return g->no_frames;
	name = of_frame(w, p);
	if (!name.n && p->inlined && g->of[node->parent] &&
	    g->of[node->parent] != g->no_frames && w->by != GROUP_LINE)
		return g->of[node->parent];
	return intern(&g->names, name.n ? name : STR("[unknown]"));
}

void group_nodes(struct groups *g, const struct fold *f, enum group_by by,
                 struct arena *a)
{
	struct grouping w = { .g = g, .f = f, .by = by, .arena = a };
	const struct stacks *s = &f->stacks;

	*g = (struct groups){ .of = arena_new(a, uint32_t, s->n) };
	intern_init(&g->names, a);
	g->no_frames = intern(&g->names, STR("[no frames]"));
	for (size_t i = 1; i < s->n; i++)
		g->of[i] = group_of(&w, &s->node[i]);
}

struct sum *group_sums(const struct groups *g, const struct stacks *s, struct arena *a)
{
	struct sum *sum = sums_by_group(s, g->of, g->names.n, a);

	/*
	 * The roots form the group no_frames.  Its weight is the self weight of the
	 * roots, the weight of samples without frames.  The total of a root also includes
	 * samples with frames.
	 */
	sum[g->no_frames].total = sum[g->no_frames].self;
	return sum;
}

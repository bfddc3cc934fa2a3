#include "pdiff_read.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compare/stable.h"
#include "symbol/report/summary.h"

struct list {
	const char **path;
	size_t n, cap;
	struct arena *a;
};

static void list_add(struct list *l, const char *path)
{
	*arena_push(l->a, l->path, l->n, l->cap) = path;
}

/*
 * Returns true if the name or the first bytes of a file show that it is a profile, folded stacks
 * or an archive.
 */
static bool is_profile(const char *path)
{
	static const char *const archives[] = { ".gz",  ".xz",  ".zst", ".bz2",
		                                ".zip", ".tar", ".tgz", ".lz4" };
	char head[1 << 12];
	ssize_t n;
	int fd;

	if (STR_ANY(str_of(path), str_ends, archives))
		return true;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	n = read(fd, head, sizeof(head));
	close(fd);
	return n > 0 && reader_bid((struct str){ head, (size_t)n }) != NULL;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Adds the profiles in a directory, sorted by name. */
static int list_directory(struct list *l, const char *path, unsigned depth,
                          struct diag *diag)
{
	DIR *dir = opendir(path);
	const struct dirent *d;
	size_t first = l->n;

	if (!dir)
		return diag_fatal(diag, "%s: %s", path, strerror(errno));
	while ((d = readdir(dir)) != NULL) {
		const char *name = *d->d_name == '.'
		                           ? NULL
		                           : arena_fmt(l->a, "%s/%s", path, d->d_name).p;
		struct stat st;

		if (!name || stat(name, &st) < 0)
			continue;
		if (S_ISREG(st.st_mode) && is_profile(name))
			list_add(l, name);
		else if (S_ISDIR(st.st_mode) && d->d_type != DT_LNK && depth < 32)
			(void)list_directory(l, name, depth + 1, diag);
	}
	closedir(dir);
	if (!depth && l->n == first)
		return diag_fatal(diag, "%s: has no profile", path);
	if (!depth)
		order_by(l->path + first, l->n - first, by_name);
	return 0;
}

int pdiff_list(struct pdiff *t)
{
	struct cmd *c = &t->fold.cmd;
	struct list l = { .a = &c->run };
	size_t nold = t->nold;

	for (size_t i = 0; i < c->ninputs; i++) {
		struct str path = str_of(c->inputs[i]);
		struct stat st;

		if (i == nold)
			t->nold = l.n;
		while (path.n > 1 && str_ends(path, STR("/")))
			path.n--;
		if (!path.n || stat(c->inputs[i], &st) < 0 || !S_ISDIR(st.st_mode))
			list_add(&l, c->inputs[i]);
		else if (list_directory(&l, arena_str(l.a, path).p, 0, &c->diag) < 0)
			return -1;
	}
	c->inputs = l.path;
	c->ninputs = l.n;
	return 0;
}

/*
 * The slices of a recording have equal numbers of samples.  A slice is made of pieces, because
 * the number of samples is known only at the end.
 */
enum { SLICES = 20, PIECE = 4 /* PIECE: number of samples */ };

/* An input that is being read. */
struct reading {
	struct pdiff *t;
	const char *input;
	struct arena arena;
	struct fold fold;
	struct slices pieces;
	struct measure_run measure;
	struct select_hits hits;
	struct head_sum head;
};

/*
 * Returns the stable name (compare/stable.h) for a name in the fold.  known[name] caches the
 * result + 1.
 */
static str_id stable_of(struct reading *r, uint32_t *known, str_id name)
{
	struct contrast *c = &r->t->compare;
	struct arena scratch = { 0 };
	str_id label, id;

	if (known[name])
		return known[name] - 1;
	label = fold_label(&r->fold, name);
	id = intern(&c->names, stable_name(intern_str(&r->fold.names, label), &scratch));
	arena_release(&scratch);
	arena_fit(c->arena, r->t->module, id + 1, r->t->modules_cap);
	if (r->fold.sites && !r->t->module[id].n)
		r->t->module[id] = arena_str(
		        c->arena, intern_str(&r->fold.sites->texts,
		                             site_at(r->fold.sites, name)->module));
	known[name] = id + 1;
	return id;
}

/*
 * For each node of the fold: the stable name, and the node in the stacks of all profiles.
 */
struct nodes {
	str_id *name;
	stack_id *pooled;
};

static struct nodes name_nodes(struct reading *r)
{
	const struct stacks *s = &r->fold.stacks;
	size_t names = r->fold.sites ? r->fold.sites->known.n : r->fold.names.n;
	uint32_t *known = arena_new(&r->arena, uint32_t, names + 2);
	struct nodes n = { arena_new(&r->arena, str_id, s->n + 1),
		           arena_new(&r->arena, stack_id, s->n + 1) };

	for (stack_id id = 1; id < s->n; id++) {
		n.name[id] = stable_of(r, known, s->node[id].name);
		n.pooled[id] = stack_push(&r->t->pooled.stacks,
		                          n.pooled[s->node[id].parent], n.name[id]);
	}
	return n;
}

/*
 * Adds the weight of each function to p: the total weight of the stacks that end in the function
 * or, with --total, of the stacks that contain the function.
 */
static void take_functions(struct reading *r, const struct stacks *s,
                           const struct nodes *n, struct contrast_profile *p)
{
	struct contrast *c = &r->t->compare;
	uint32_t *group = arena_new(&r->arena, uint32_t, s->n + 1);
	struct sum *sum;

	for (stack_id id = 1; id < s->n; id++)
		group[id] = n->name[id] + 1;
	sum = sums_by_group(s, group, c->names.n + 1, &r->arena);
	for (int pass = 0; pass < 2; pass++) {
		size_t at = 0;

		for (size_t i = 1; i <= c->names.n; i++) {
			double w =
			        weight_value(r->t->totals ? sum[i].total : sum[i].self);

			if (!(w > 0))
				continue;
			if (pass) {
				p->name[at] = (str_id)(i - 1);
				p->weight[at] = w;
			}
			at++;
		}
		if (!pass) {
			p->n = at;
			p->name = arena_new(c->arena, str_id, at + 1);
			p->weight = arena_new(c->arena, double, at + 1);
		}
	}
}

/* Returns the name of a stack, which is a line in the folded format. */
static str_id stack_name(struct reading *r, const struct nodes *n, stack_id id)
{
	const struct stack_node *node = r->fold.stacks.node;
	struct contrast *c = &r->t->compare;
	arena_scope(scratch);
	struct str line = intern_str(&c->names, n->name[id]);
	str_id name;

	for (stack_id up = node[id].parent; up; up = node[up].parent)
		line = arena_fmt(
		        &scratch, "%.*s;%.*s", (int)intern_str(&c->names, n->name[up]).n,
		        intern_str(&c->names, n->name[up]).p, (int)line.n, line.p);
	name = intern(&c->names, line);
	return name;
}

static void take_stacks(struct reading *r, const struct stacks *s, const struct nodes *n,
                        struct contrast_profile *p)
{
	struct contrast *c = &r->t->compare;

	p->name = arena_new(c->arena, str_id, s->n + 1);
	p->weight = arena_new(c->arena, double, s->n + 1);
	for (stack_id id = 1; id < s->n; id++) {
		double w = weight_value(sums_self(s, id));

		if (w > 0) {
			p->name[p->n] = stack_name(r, n, id);
			p->weight[p->n++] = w;
		}
	}
	arena_fit(c->arena, r->t->module, c->names.n, r->t->modules_cap);
}

/* Takes the weights of s, which has the same nodes as the fold. */
static void take_weights(struct reading *r, const struct stacks *s, const struct nodes *n,
                         struct contrast_profile *p)
{
	for (stack_id id = 1; id < s->n; id++)
		p->total += weight_value(sums_self(s, id));
	p->seconds = (double)r->head.head.duration_us / 1e6;
	if (r->t->stacks)
		take_stacks(r, s, n, p);
	else
		take_functions(r, s, n, p);
}

/* Adds the slices of a recording to its group, if the recording is long enough. */
static void take_slices(struct reading *r, const struct nodes *n, bool is_new)
{
	const struct stacks *whole = &r->fold.stacks;
	struct stacks part = *whole;
	struct slice piece;
	size_t each, at = 0;

	slices_sort(&r->pieces);
	each = r->pieces.count / SLICES;
	part.node = arena_new(&r->arena, struct stack_node, part.n);
	for (size_t k = 0; each && k < SLICES; k++) {
		struct contrast_profile *p = contrast_add(&r->t->slices, is_new);

		memcpy(part.node, whole->node, part.n * sizeof(*part.node));
		for (stack_id id = 0; id < part.n; id++)
			part.node[id].self = part.node[id].fraction = 0;
		for (size_t i = 0; i < each && slices_next(&r->pieces, &at, &piece); i++)
			for (size_t w = 0; w < piece.n; w++)
				stack_add(&part, piece.weight[w].stack,
				          piece.weight[w].weight, 0);
		take_weights(r, &part, n, p);
		p->seconds /= SLICES;
	}
}

static void take_profile(struct reading *r, bool is_new)
{
	struct pdiff *t = r->t;
	struct contrast_profile *p = contrast_add(&t->compare, is_new);
	const struct stacks *s = &r->fold.stacks;
	struct nodes n = name_nodes(r);

	take_weights(r, s, &n, p);
	for (stack_id id = 1; id < s->n; id++) {
		double w = weight_value(sums_self(s, id));

		if (w > 0)
			moved_add(&t->pooled, n.pooled[id], is_new, w);
	}
	p->gate = arena_new(t->compare.arena, double, t->ngates + 1);
	for (size_t i = 0; i < t->ngates; i++)
		p->gate[i] = t->gate[i].overall
		                     ? p->total
		                     : gate_weight(&t->gate[i], s, n.name,
		                                   &t->compare.names, &r->arena);
	if (r->fold.slices)
		take_slices(r, &n, is_new);
}

static void take_samples(struct reading *r, struct profile *p,
                         const struct select *select)
{
	struct sample s;

	measure_begin(&r->measure, select);
	while (profile_next(p, &s) > 0)
		measure_take(&r->measure, &s);
	measure_end(&r->measure);
}

/*
 * Adds event and unit of the input.  If the unit differs from earlier inputs, reports this and
 * returns false, unless --mix is given.
 */
static bool add_head(struct reading *r)
{
	struct pfold *t = &r->t->fold;

	if (head_add(&r->t->head, r->head.unstated ? NULL : &r->head.head) ||
	    t->measure.mix)
		return true;
	diag_fatal(&t->cmd.diag, "%s: its weights have another unit; --mix adds them up",
	           cmd_input_name(r->input));
	return false;
}

static bool read_profile(struct reading *r)
{
	struct pfold *t = &r->t->fold;
	struct profile_opts opts = cmd_profile_opts(&t->cmd, r->input);
	struct select own = t->select;
	const struct select *select = t->selects ? &own : NULL;
	struct profile *p;
	bool good = false;

	opts.formats |= READ_FOLDED;
	opts.kinds = measure_kinds(&t->measure);
	opts.events = &t->measure.events;
	p = profile_open(&opts);
	if (!p)
		return false;
	if (r->t->fold.cmd.ninputs == 2 && r->t->nold == 1 && !(r->t->opts.noise > 0) &&
	    !profile_traits(p)->is_folded) {
		slices_init(&r->pieces, &r->arena,
		            &(struct slices_opts){ .samples = PIECE });
		r->fold.slices = &r->pieces;
	}
	measure_open(&r->measure, p, select);
	profile_learn(p);
	if (select_settle(&own, profile_reader(p), false, &t->cmd.diag) == 0) {
		take_samples(r, p, select);
		good = measure_head(&r->measure, &r->head, &t->cmd.diag, r->input) &&
		       add_head(r);
	}
	profile_close(p);
	return good;
}

static void read_input(struct pdiff *t, size_t i)
{
	struct reading r = { .t = t,
		             .input = t->fold.cmd.inputs[i],
		             .head.arena = &r.arena };
	struct fold_opts opts = t->fold.fold;
	struct cmd *c = &t->fold.cmd;

	opts.labels.marks = 0;
	opts.no_lines = true;
	fold_init(&r.fold, &r.arena, &opts);
	fold_keep_sites(&r.fold);
	select_begin(&t->fold.select, &r.hits, &r.arena);
	measure_init(&r.measure, &t->fold.measure, &r.fold, &r.arena);
	if (!read_profile(&r)) {
		c->skipped = true;
	} else if (!r.measure.counts.samples) {
		measure_report_nothing(&r.measure, &c->diag,
		                       r.input ? r.input : "standard input", &r.arena);
		c->skipped = true;
	} else {
		take_profile(&r, i >= t->nold);
	}
	fold_end(&r.fold);
	arena_release(&r.arena);
	diag_count(&c->diag, "profiles", i + 1, c->ninputs);
}

bool pdiff_read(struct pdiff *t)
{
	const struct contrast *c = &t->compare;

	contrast_init(&t->compare, &t->opts, &t->fold.cmd.run);
	contrast_init(&t->slices, &t->opts, &t->fold.cmd.run);
	moved_init(&t->pooled, &t->fold.cmd.run);
	t->head.arena = &t->fold.cmd.run;
	for (size_t i = 0; i < t->fold.cmd.ninputs; i++)
		read_input(t, i);
	if (c->nold && c->n > c->nold)
		return true;
	diag_fatal(&t->fold.cmd.diag, "the %s group has no profile with samples",
	           c->nold ? "new" : "old");
	return false;
}

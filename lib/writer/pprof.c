/*
 * If protobuf messages are concatenated, a reader merges their fields into one message.  So each
 * sample, mapping, location and function is written as a small profile of its own.  This needs no
 * memory for the whole profile, only for tables of the ids that are used.
 */
#include "writer/pprof.h"

#include <profile.pb-c.h>

#include "stack/group.h"
#include "writer/caption.h"
#include "writer/gzip.h"

enum { LABELS = 4 };

/*
 * The site of a function, and the number of the location into which this function is inlined, or
 * 0.
 */
struct place {
	uint32_t into;
	str_id site;
	/*
	 * at least one stack has this location itself, and not only a location that is
	 * inlined into it
	 */
	bool used;
};

struct writer {
	const struct fold *f;
	struct gzip *gzip;
	struct arena *arena;
	struct interner strings;
	struct table functions, mappings; /* content -> number */
	size_t nfunctions, nmappings;
	struct {
		struct table numbers;
		/* indexed by the number of the location, from 1 */
		struct place *location;
		size_t n, cap;
	} locations;
	uint32_t *at;      /* indexed by node: the number of its location */
	uint64_t *path;    /* buffer for the locations of a sample */
	struct weight sum; /* sum of the samples so far */
	uint8_t *packed;   /* buffer for an encoded message */
	size_t path_cap, packed_cap;
};

static void emit(struct writer *w, const Pprof__Profile *part)
{
	size_t n = pprof__profile__get_packed_size(part);

	arena_fit(w->arena, w->packed, n, w->packed_cap);
	gzip_write(w->gzip, w->packed, pprof__profile__pack(part, w->packed));
}

static int64_t string(struct writer *w, struct str s)
{
	return intern(&w->strings, caption_clean(w->arena, s));
}

static const struct site *site_of(const struct writer *w, stack_id id)
{
	return site_at(w->f->sites, w->f->stacks.node[id].name);
}

/*
 * Returns true if node id is inlined into its parent.  One location of pprof then has both
 * functions.
 */
static bool is_joined(const struct writer *w, stack_id id)
{
	stack_id parent = w->f->stacks.node[id].parent;

	return parent && site_of(w, id)->inlined && !site_of(w, parent)->root;
}

static uint32_t find_location(struct writer *w, stack_id id)
{
	const struct stack_node *node = &w->f->stacks.node[id];
	uint32_t into = is_joined(w, id) ? w->at[node->parent] : 0;
	uint32_t *at = table_at(&w->locations.numbers, w->arena, into, node->name);

	if (!*at) {
		arena_fit(w->arena, w->locations.location, w->locations.n + 2,
		          w->locations.cap);
		*at = (uint32_t)++w->locations.n;
		w->locations.location[*at] =
		        (struct place){ .into = into, .site = node->name };
	}
	return *at;
}

/*
 * Sets the location of each node.  A location is used if a stack ends at its node, or if a child
 * of its node is not inlined into it.
 */
static void find_locations(struct writer *w)
{
	const struct stacks *s = &w->f->stacks;

	w->at = arena_new(w->arena, uint32_t, s->n);
	w->locations.location = arena_grow(w->arena, NULL, &w->locations.cap, 1,
	                                   sizeof(*w->locations.location));
	for (stack_id i = 1; i < s->n; i++) {
		w->at[i] = find_location(w, i);
		if (weight_value(sums_self(s, i)) > 0)
			w->locations.location[w->at[i]].used = true;
		if (!is_joined(w, i))
			w->locations.location[w->at[s->node[i].parent]].used = true;
	}
}

static Pprof__ValueType value_type(struct writer *w, struct str type, struct str unit)
{
	Pprof__ValueType v = PPROF__VALUE_TYPE__INIT;

	v.type = string(w, type);
	v.unit = string(w, unit);
	return v;
}

/* Returns the type of the weights.  Readers of pprof expect "cpu" in "nanoseconds". */
static Pprof__ValueType type_of(struct writer *w, const struct head *h)
{
	bool clock =
	        str_eq(h->event, STR("cpu-clock")) || str_eq(h->event, STR("task-clock"));

	if (str_eq(h->unit, STR("ns")))
		return value_type(w, clock ? STR("cpu") : h->event, STR("nanoseconds"));
	if (!h->unit.n || str_eq(h->unit, STR("samples")))
		return value_type(w, STR("samples"), STR("count"));
	if (str_eq(h->unit, STR("events")) || str_eq(h->unit, STR("mixed")))
		return value_type(w, h->event, STR("count"));
	return value_type(w, h->event, h->unit);
}

static void put_head(struct writer *w, const struct head *h)
{
	double total = weight_value(sums_totals(&w->f->stacks, w->arena)[0]);
	Pprof__ValueType type = type_of(w, h), *types[] = { &type };
	Pprof__Profile part = PPROF__PROFILE__INIT;

	part.n_sample_type = 1;
	part.sample_type = types;
	part.period_type = &type;
	part.period =
	        h->samples && total < 1e18 ? (int64_t)(total / (double)h->samples) : 1;
	emit(w, &part);
}

static int64_t whole(struct weight w)
{
	return w.n < INT64_MAX ? (int64_t)w.n : INT64_MAX;
}

/* Adds a label, unless its text is empty and its number is not positive. */
static void add_label(struct writer *w, Pprof__Label *label, size_t *n, struct str key,
                      struct str text, int64_t number)
{
	if (!text.n && number <= 0)
		return;
	pprof__label__init(&label[*n]);
	label[*n].key = string(w, key);
	label[*n].str = string(w, text);
	label[(*n)++].num = text.n ? 0 : number;
}

static size_t find_labels(struct writer *w, const struct site *root, Pprof__Label *label)
{
	struct str comm = intern_str(&w->f->sites->texts, root->comm);
	size_t n = 0;

	if (!root->root)
		return 0;
	if (!comm.n)
		comm = intern_str(&w->f->names, root->label);
	add_label(w, label, &n, STR("thread"), comm, 0);
	add_label(w, label, &n, STR("process"), group_process(w->f, root, w->arena), 0);
	add_label(w, label, &n, STR("pid"), STR(""), root->pid);
	add_label(w, label, &n, STR("tid"), STR(""), root->tid);
	return n;
}

static void put_sample(struct writer *w, stack_id id)
{
	const struct stacks *s = &w->f->stacks;
	Pprof__Label label[LABELS],
	        *labels[LABELS] = { label, label + 1, label + 2, label + 3 };
	Pprof__Sample sample = PPROF__SAMPLE__INIT, *samples[] = { &sample };
	Pprof__Profile part = PPROF__PROFILE__INIT;
	int64_t before = whole(w->sum), value;
	stack_id root = id;

	w->sum = weight_sum(w->sum, sums_self(s, id));
	value = whole(w->sum) - before;
	for (; id; id = s->node[id].parent) {
		*arena_push(w->arena, w->path, sample.n_location_id, w->path_cap) =
		        w->at[id];
		while (is_joined(w, id))
			id = s->node[id].parent;
		/* If the stack has several root frames, the innermost one is the thread. */
		if (!site_of(w, root)->root)
			root = id;
	}
	sample.location_id = w->path;
	sample.n_value = 1;
	sample.value = &value;
	sample.n_label = find_labels(w, site_of(w, root), label);
	sample.label = labels;
	part.n_sample = 1;
	part.sample = samples;
	emit(w, &part);
}

/*
 * Returns the module of a site.  If the site has no module, as in folded stacks, uses the mark of
 * a kernel frame.
 */
static struct str module_of(const struct writer *w, const struct site *site)
{
	char mark = 0;

	if (site->module)
		return intern_str(&w->f->sites->texts, site->module);
	label_without_mark(intern_str(&w->f->names, site->label), &mark);
	return mark == 'k' ? STR("[kernel.kallsyms]") : STR("");
}

/*
 * Writes the mapping of a site, and returns its number.  The flags of the mapping tell readers
 * not to look up names, because all known names are in the profile.
 */
static uint64_t put_mapping(struct writer *w, const struct site *site)
{
	const struct interner *texts = &w->f->sites->texts;
	Pprof__Mapping mapping = PPROF__MAPPING__INIT, *mappings[] = { &mapping };
	struct str id = intern_str(texts, site->build_id), module = module_of(w, site);
	Pprof__Profile part = PPROF__PROFILE__INIT;
	uint32_t *known;
	char hex[2 * 64];

	if (!module.n)
		return 0;
	known = table_at(&w->mappings, w->arena, (uint64_t)string(w, module),
	                 site->build_id);
	if (*known)
		return *known;
	mapping.id = *known = (uint32_t)++w->nmappings;
	mapping.filename = string(w, module);
	id = str_head(id, sizeof(hex) / 2);
	mapping.build_id = string(w, (struct str){ hex, out_bytes_at(hex, id) });
	mapping.has_functions = mapping.has_filenames = true;
	mapping.has_line_numbers = mapping.has_inline_frames = true;
	part.n_mapping = 1;
	part.mapping = mappings;
	emit(w, &part);
	return mapping.id;
}

/* Returns true if the module is a program, not a library or a map of JIT code. */
static bool is_program(struct str module)
{
	struct str base = str_base(module);

	return base.n && module.p[0] == '/' && !str_starts(module, STR("//")) &&
	       !str_starts(module, STR("/memfd:")) && !str_ends(base, STR(".map")) &&
	       !str_ends(base, STR(".dll")) && str_search(base, STR(".so")) == base.n;
}

/* Writes the mapping of the program first, because readers name the profile after it. */
static void put_program(struct writer *w)
{
	const struct sites *sites = w->f->sites;

	for (size_t i = 1; i < sites->known.n && !w->nmappings; i++) {
		const struct site *site = site_at(sites, (str_id)i);

		if (is_program(intern_str(&sites->texts, site->module)))
			put_mapping(w, site);
	}
}

/*
 * Writes the function of a site, and returns its number.  Writes no system name, so that readers
 * do not demangle the name.
 */
static uint64_t put_function(struct writer *w, const struct site *site)
{
	Pprof__Function function = PPROF__FUNCTION__INIT, *functions[] = { &function };
	Pprof__Profile part = PPROF__PROFILE__INIT;
	uint32_t *known = table_at(&w->functions, w->arena, site->label, site->file);
	char mark;

	if (*known)
		return *known;
	function.id = *known = (uint32_t)++w->nfunctions;
	function.name = string(
	        w, label_without_mark(intern_str(&w->f->names, site->label), &mark));
	function.filename = string(w, intern_str(&w->f->sites->texts, site->file));
	part.n_function = 1;
	part.function = functions;
	emit(w, &part);
	return function.id;
}

/* Lists the functions at a location, innermost first, and returns their number. */
static size_t list_lines(struct writer *w, uint32_t number, Pprof__Line ***lines)
{
	size_t n = 0, cap = 0;

	for (; number; number = w->locations.location[number].into) {
		const struct site *site =
		        site_at(w->f->sites, w->locations.location[number].site);
		Pprof__Line *line = arena_new(w->arena, Pprof__Line, 1);

		pprof__line__init(line);
		line->function_id = put_function(w, site);
		line->line = site->line;
		*lines = arena_grow(w->arena, n ? *lines : NULL, &cap, n + 1,
		                    sizeof(**lines));
		(*lines)[n++] = line;
	}
	return n;
}

static void put_location(struct writer *w, uint32_t number)
{
	const struct site *site =
	        site_at(w->f->sites, w->locations.location[number].site);
	Pprof__Location location = PPROF__LOCATION__INIT, *locations[] = { &location };
	Pprof__Profile part = PPROF__PROFILE__INIT;

	location.id = number;
	location.mapping_id = put_mapping(w, site);
	location.n_line = list_lines(w, number, &location.line);
	part.n_location = 1;
	part.location = locations;
	emit(w, &part);
}

static void put_strings(struct writer *w)
{
	for (size_t i = 0; i < w->strings.n; i++) {
		char *z = (char *)(uintptr_t)intern_str(&w->strings, (str_id)i).p;
		Pprof__Profile part = PPROF__PROFILE__INIT;

		part.n_string_table = 1;
		part.string_table = &z;
		emit(w, &part);
	}
}

void pprof_write(struct out *o, const struct fold *f, const struct head *h,
                 struct arena *scratch)
{
	struct writer w = { .f = f, .gzip = gzip_begin(o, scratch), .arena = scratch };
	stack_id *order = sums_preorder(&f->stacks, scratch);

	intern_init(&w.strings, scratch);
	put_head(&w, h);
	put_program(&w);
	find_locations(&w);
	for (size_t i = 1; i < f->stacks.n; i++)
		if (weight_value(sums_self(&f->stacks, order[i])) > 0)
			put_sample(&w, order[i]);
	for (uint32_t i = 1; i <= w.locations.n; i++)
		if (w.locations.location[i].used)
			put_location(&w, i);
	put_strings(&w);
	gzip_end(w.gzip);
}

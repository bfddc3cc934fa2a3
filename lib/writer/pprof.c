/*
 * If protobuf messages are concatenated, a reader merges their fields into one message.  So
 * each sample, mapping, location and function is written as a small profile of its own.  This
 * needs no memory for the whole profile, only for tables of the ids that are used.
 */
#include "writer/pprof.h"

#include "label/kind.h"
#include "reader/pprof/profile_fields.h"
#include "stack/group.h"
#include "writer/caption.h"
#include "writer/gzip.h"
#include "reader/wireput.h"

/*
 * The site (stack/site.h) of a function, and the number of the location into which this function
 * is inlined, or 0.
 */
struct place {
	uint32_t into;
	str_id site;
	/* at least one stack contains this location itself, not only functions inlined into it */
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
	struct weight sum; /* sum of the samples so far */
	/* inner: part of a message.  message: field of the profile.  out: the encoded field */
	struct buffer inner, message, out;
};

/* Writes the message as a field of the profile. */
static void emit(struct writer *w, uint32_t field)
{
	w->out.n = 0;
	wireput_bytes(&w->out, field, buffer_str(&w->message));
	gzip_write(w->gzip, w->out.p, w->out.n);
}

/* Adds w->inner to the message. */
static void add(struct writer *w, uint32_t field)
{
	wireput_bytes(&w->message, field, buffer_str(&w->inner));
}

static uint64_t string(struct writer *w, struct str s)
{
	return intern(&w->strings, caption_clean(w->arena, s));
}

static const struct site *site_of(const struct writer *w, stack_id id)
{
	return site_at(w->f->sites, w->f->stacks.node[id].name);
}

/*
 * Returns true if node id is inlined into its parent.  The functions of the node and of its
 * parent then share one location of pprof.
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
 * Sets the location of each node.  Marks a location as used if a stack ends at its node, or if
 * the node has a child that is not inlined into the node.
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

static void put_type(struct writer *w, struct str type, struct str unit)
{
	wireput_number(&w->message, TYPE_TYPE, string(w, type));
	wireput_number(&w->message, TYPE_UNIT, string(w, unit));
}

/* Writes the type of the weights.  Readers of pprof expect "cpu" in "nanoseconds". */
static void put_type_of(struct writer *w, const struct head *h)
{
	bool clock =
	        str_eq(h->event, STR("cpu-clock")) || str_eq(h->event, STR("task-clock"));

	if (str_eq(h->unit, STR("ns")))
		put_type(w, clock ? STR("cpu") : h->event, STR("nanoseconds"));
	else if (!h->unit.n || str_eq(h->unit, STR("samples")))
		put_type(w, STR("samples"), STR("count"));
	else if (str_eq(h->unit, STR("events")) || str_eq(h->unit, STR("mixed")))
		put_type(w, h->event, STR("count"));
	else
		put_type(w, h->event, h->unit);
}

static void put_head(struct writer *w, const struct head *h)
{
	double total = weight_value(sums_totals(&w->f->stacks, w->arena)[0]);
	double period = h->samples && total < 1e18 ? total / (double)h->samples : 1;

	put_type_of(w, h);
	wireput_bytes(&w->out, PROFILE_SAMPLE_TYPE, buffer_str(&w->message));
	wireput_bytes(&w->out, PROFILE_PERIOD_TYPE, buffer_str(&w->message));
	wireput_number(&w->out, PROFILE_PERIOD, (uint64_t)period);
	gzip_write(w->gzip, w->out.p, w->out.n);
}

static int64_t whole(struct weight w)
{
	return w.n < INT64_MAX ? (int64_t)w.n : INT64_MAX;
}

/* Adds a label if it has a text or a positive number. */
static void add_label(struct writer *w, struct str key, struct str text, int64_t number)
{
	if (!text.n && number <= 0)
		return;
	w->inner.n = 0;
	wireput_number(&w->inner, LABEL_KEY, string(w, key));
	wireput_number(&w->inner, LABEL_STR, string(w, text));
	wireput_number(&w->inner, LABEL_NUM, text.n ? 0 : (uint64_t)number);
	add(w, SAMPLE_LABEL);
}

static void add_labels(struct writer *w, const struct site *root)
{
	struct str comm = intern_str(&w->f->sites->texts, root->comm);

	if (!root->root)
		return;
	if (!comm.n)
		comm = intern_str(&w->f->names, root->label);
	add_label(w, STR("thread"), comm, 0);
	add_label(w, STR("process"), group_process(w->f, root, w->arena), 0);
	add_label(w, STR("pid"), STR(""), root->pid);
	add_label(w, STR("tid"), STR(""), root->tid);
}

static void put_sample(struct writer *w, stack_id id)
{
	const struct stacks *s = &w->f->stacks;
	int64_t before = whole(w->sum);
	stack_id root = id;

	w->sum = weight_sum(w->sum, sums_self(s, id));
	w->message.n = w->inner.n = 0;
	for (; id; id = s->node[id].parent) {
		wireput_varint(&w->inner, w->at[id]);
		while (is_joined(w, id))
			id = s->node[id].parent;
		/* If the stack has several root frames, the innermost one is the thread. */
		if (!site_of(w, root)->root)
			root = id;
	}
	add(w, SAMPLE_LOCATION);
	w->inner.n = 0;
	wireput_varint(&w->inner, (uint64_t)(whole(w->sum) - before));
	add(w, SAMPLE_VALUE);
	add_labels(w, site_of(w, root));
	emit(w, PROFILE_SAMPLE);
}

/*
 * Returns the module of a site.  In folded stacks, sites have no module, but a mark "_[k]" on
 * the name shows that the module is the kernel.
 */
static struct str module_of(const struct writer *w, const struct site *site)
{
	char mark = 0;

	if (site->module)
		return intern_str(&w->f->sites->texts, site->module);
	mark_cut(intern_str(&w->f->names, site->label), &mark);
	return mark == 'k' ? STR("[kernel.kallsyms]") : STR("");
}

/*
 * Writes the mapping of a site, and returns its number.  The flags of the mapping tell readers
 * not to look up names, because all known names are in the profile.
 */
static uint64_t put_mapping(struct writer *w, const struct site *site)
{
	const struct interner *texts = &w->f->sites->texts;
	struct str id = intern_str(texts, site->build_id), module = module_of(w, site);
	uint32_t *known;

	if (!module.n)
		return 0;
	known = table_at(&w->mappings, w->arena, string(w, module), site->build_id);
	if (*known)
		return *known;
	*known = (uint32_t)++w->nmappings;
	id = str_head(id, 64);
	w->message.n = 0;
	wireput_number(&w->message, MAPPING_ID, *known);
	wireput_number(&w->message, MAPPING_FILE, string(w, module));
	wireput_number(&w->message, MAPPING_BUILD_ID, string(w, arena_hex(w->arena, id)));
	for (uint32_t i = MAPPING_HAS_FUNCTIONS; i <= MAPPING_HAS_INLINED; i++)
		wireput_number(&w->message, i, 1);
	emit(w, PROFILE_MAPPING);
	return *known;
}

/* Writes the mapping of the program first, because readers use its name for the profile. */
static void put_program(struct writer *w)
{
	const struct sites *sites = w->f->sites;

	for (size_t i = 1; i < sites->known.n && !w->nmappings; i++) {
		const struct site *site = site_at(sites, (str_id)i);

		if (kind_is_program(intern_str(&sites->texts, site->module)))
			put_mapping(w, site);
	}
}

/*
 * Writes the function of a site, and returns its number.  Writes no system name, so that
 * readers do not demangle the name.
 */
static uint64_t put_function(struct writer *w, const struct site *site)
{
	uint32_t *known = table_at(&w->functions, w->arena, site->label, site->file);
	struct str label = intern_str(&w->f->names, site->label);
	char mark;

	if (*known)
		return *known;
	*known = (uint32_t)++w->nfunctions;
	w->message.n = 0;
	wireput_number(&w->message, FUNCTION_ID, *known);
	wireput_number(&w->message, FUNCTION_NAME, string(w, mark_cut(label, &mark)));
	wireput_number(&w->message, FUNCTION_FILE,
	               string(w, intern_str(&w->f->sites->texts, site->file)));
	emit(w, PROFILE_FUNCTION);
	return *known;
}

/* Writes a location after its mapping and functions.  The innermost function is first. */
static void put_location(struct writer *w, uint32_t number)
{
	const struct place *place = w->locations.location;
	const struct sites *sites = w->f->sites;
	uint64_t mapping = put_mapping(w, site_at(sites, place[number].site));

	for (uint32_t i = number; i; i = place[i].into)
		put_function(w, site_at(sites, place[i].site));
	w->message.n = 0;
	wireput_number(&w->message, LOCATION_ID, number);
	wireput_number(&w->message, LOCATION_MAPPING, mapping);
	for (uint32_t i = number; i; i = place[i].into) {
		const struct site *site = site_at(sites, place[i].site);

		w->inner.n = 0;
		wireput_number(&w->inner, LINE_FUNCTION, put_function(w, site));
		wireput_number(&w->inner, LINE_NUMBER, site->line);
		add(w, LOCATION_LINE);
	}
	emit(w, PROFILE_LOCATION);
}

void pprof_write(struct out *o, const struct fold *f, const struct head *h,
                 struct arena *scratch)
{
	struct writer w = { .f = f,
		            .gzip = gzip_begin(o, scratch),
		            .arena = scratch,
		            .inner = { .arena = scratch },
		            .message = { .arena = scratch },
		            .out = { .arena = scratch } };
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
	for (size_t i = 0; i < w.strings.n; i++) {
		w.message.n = 0;
		buffer_put(&w.message, intern_str(&w.strings, (str_id)i));
		emit(&w, PROFILE_STRING);
	}
	gzip_end(w.gzip);
}

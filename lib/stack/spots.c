#include "stack/spots.h"

#include <stdlib.h>

#include "label/async.h"
#include "label/label.h"
#include "label/namespace.h"
#include "process/process.h"

void spots_init(struct spots *s, struct arena *arena)
{
	*s = (struct spots){ .arena = arena };
	intern_init(&s->texts, arena);
}

void spots_begin(struct spots *s)
{
	memset(&s->input, 0, sizeof(s->input));
}

void spots_add_weight(struct spot_weight *to, const struct spot_weight *w)
{
	to->samples += w->samples;
	to->self = num_sum(to->self, w->self);
	to->total = num_sum(to->total, w->total);
}

/* Returns the index of the function with that label, module and build-id. */
static uint32_t find_function(struct spots *s, struct str label, str_id module,
                              str_id build_id)
{
	str_id name = intern(&s->texts, label);
	uint32_t *at =
	        table_at(&s->numbers, s->arena, (uint64_t)name << 32 | module, build_id);

	if (!*at) {
		arena_fit(s->arena, s->function, s->nfunctions + 1, s->functions_cap);
		arena_fit(s->arena, s->met, s->nfunctions + 1, s->met_cap);
		s->function[s->nfunctions++] = (struct spot_function){
			.name = name,
			.module = module,
			.build_id = build_id,
			.profile = UINT32_MAX,
			.async = (uint8_t)async_part_of(label),
		};
		s->has_async |= s->function[s->nfunctions - 1].async == ASYNC_METHOD;
		*at = (uint32_t)s->nfunctions;
	}
	return *at - 1;
}

static void list_add(struct spots *s, uint32_t n)
{
	*arena_push(&s->input.arena, s->input.list, s->input.nlist, s->input.list_cap) =
	        n;
}

/* Lists the functions in the labels of a name, outermost first. */
static void list_functions(struct spots *s, const struct profile *p,
                           const struct named *n, str_id build_id)
{
	static const struct label_opts full = { .tidy = TIDY_FULL };
	struct label_name name = { .func = profile_str(p, n->func),
		                   .module = profile_str(p, n->module),
		                   .flags = n->flags };
	str_id module =
	        intern(&s->texts, namespace_module(name.func, name.module, n->flags));
	arena_scope(scratch);
	struct str labels = label_frame(&scratch, &name, &full);
	size_t at = s->input.nlist;

	/* Inlined and ordinary calls count for the same function. */
	list_add(s, 0);
	while (labels.n) {
		uint32_t f = find_function(s, str_cut(&labels, ';'), module, build_id);

		if (!s->function[f].symbol)
			s->function[f].symbol = intern(&s->texts, name.func);
		if (!s->function[f].decl)
			s->function[f].decl = intern(&s->texts, profile_str(p, n->decl));
		list_add(s, f);
	}
	s->input.list[at] = (uint32_t)(s->input.nlist - at - 1);
}

/* Returns the list of functions for a name. */
static const uint32_t *functions_of(struct spots *s, const struct profile *p,
                                    const struct resolved *r, const struct named *n)
{
	bool has_id = r->m && r->m->kind == MAPPED_IMAGE;
	str_id build_id = has_id ? intern(&s->texts, r->m->build_id) : 0;
	uint32_t *at = table_at(&s->input.named, &s->input.arena,
	                        (uint64_t)n->func << 32 | n->module,
	                        (uint64_t)build_id << 32 | n->flags);

	if (!*at) {
		*at = (uint32_t)s->input.nlist + 1;
		list_functions(s, p, n, build_id);
	}
	return s->input.list + *at - 1;
}

enum placing { PLACING_KNOWN = 1, PLACING_UNKNOWN, PLACING_NO_FRAME };

/*
 * Returns PLACING_UNKNOWN for a frame that is neither in a mapping nor in a known module, and for a
 * name that a text states without an offset.  Returns PLACING_NO_FRAME for a line of a text that is
 * not a frame.
 */
static enum placing placing_of(const struct profile *p, const struct resolved *r)
{
	const struct named *outer;
	struct str module;

	if (!r->n)
		return PLACING_NO_FRAME;
	outer = &r->names[r->n - 1];
	module = profile_str(p, outer->module);
	if (r->m || outer->has_off)
		return PLACING_KNOWN;
	if (!(outer->flags & NAMED_UNKNOWN))
		return profile_traits(p)->has_locations ? PLACING_KNOWN : PLACING_UNKNOWN;
	return module.n && !str_eq(module, STR("[unknown]")) ? PLACING_KNOWN
	                                                     : PLACING_UNKNOWN;
}

/*
 * Adds a slot with the parts of its frame.  Returns the index of the first part.  If the frame has no
 * part, returns SPOTS_NO_PART.
 */
static uint32_t add_slot(struct spots *s, const struct profile *p, struct spot_slot slot)
{
	const struct resolved *r = profile_frame(p, slot.frame);
	size_t first = s->input.nparts;

	for (size_t i = r->n; i-- > 0;) {
		const uint32_t *list = functions_of(s, p, r, &r->names[i]);

		for (uint32_t k = 1; k <= list[0]; k++) {
			*arena_push(&s->input.arena, s->input.part, s->input.nparts,
			            s->input.parts_cap) =
			        (struct spot_part){ .function = list[k],
				                    .name = (uint32_t)i & INT32_MAX,
				                    .more = true };
		}
	}
	if (s->input.nparts == first)
		return SPOTS_NO_PART;
	s->input.part[s->input.nparts - 1].more = false;
	slot.first = (uint32_t)first & INT32_MAX;
	*arena_push(&s->input.arena, s->input.slot, s->input.nslots, s->input.slots_cap) =
	        slot;
	return (uint32_t)first;
}

uint32_t spots_slot(struct spots *s, const struct profile *p,
                    const struct spot_slot *slot, bool caller)
{
	uint32_t *part = table_at(&s->input.places, &s->input.arena,
	                          (uint64_t)slot->frame << 1 | caller, slot->addr);

	if (!*part)
		*part = 1 + add_slot(s, p, *slot);
	return *part - 1;
}

/* Finds the first part of frame i of a sample at s->input.sample[i].addr. */
static void find_part(struct spots *s, const struct profile *p,
                      const struct sample *sample, size_t i)
{
	const struct frame *f = &sample->ev->frames[i];
	struct spot_place *at = &s->input.sample[i];
	const struct spot_slot slot = { .addr = at->addr,
		                        .frame = sample->frames[i].id,
		                        .caller = profile_is_return(p, f) };

	at->part = 1 + spots_slot(s, p, &slot, f->caller);
	s->input.recent[slot.frame][f->caller].last = *at;
}

/* Returns the first part of frame i of the current sample, or NULL. */
static struct spot_part *first_part(const struct spots *s, size_t i)
{
	uint32_t part = s->input.sample[i].part - 1;

	return part == SPOTS_NO_PART ? NULL : s->input.part + part;
}

/*
 * Finds the parts of all frames.  Most lookups wait for memory, so the slots of all frames are
 * requested first.  Pointers to parts are only stored afterwards, because adding a part may move all
 * parts.
 */
static void find_parts(struct spots *s, const struct profile *p,
                       const struct sample *sample)
{
	arena_fit(&s->input.arena, s->input.recent, profile_frames(p),
	          s->input.recent_cap);
	arena_fit(&s->input.arena, s->input.sample, sample->nframes, s->input.sample_cap);
	for (size_t i = sample->nframes; i-- > 0;) {
		struct placed f = sample->frames[i];
		bool caller = sample->ev->frames[i].caller;
		struct spot_recent *known = &s->input.recent[f.id][caller];
		struct spot_place at = { 0 };

		if (!known->placing)
			known->placing = placing_of(p, profile_frame(p, f.id));
		if (known->placing == PLACING_KNOWN)
			at.addr = f.addr;
		if (known->placing == PLACING_NO_FRAME)
			at.part = SPOTS_NO_PART + 1;
		else if (known->last.addr == at.addr)
			at.part = known->last.part;
		if (!at.part)
			table_fetch(&s->input.places, (uint64_t)f.id << 1 | caller,
			            at.addr);
		s->input.sample[i] = at;
	}
	for (size_t i = sample->nframes; i-- > 0;) {
		if (!s->input.sample[i].part)
			find_part(s, p, sample, i);
		__builtin_prefetch(first_part(s, i));
	}
}

static void add_total(struct spots *s, struct spot_part *part, uint64_t weight)
{
	if (s->met[part->function] == s->sample)
		return;
	s->met[part->function] = s->sample;
	part->weight.total = num_sum(part->weight.total, weight);
}

/*
 * Returns the length of the path to which `part` is added.  If `part` continues an async method
 * of the path, the frames between this method and `part` are removed.
 */
static size_t without_resuming(const struct spots *s, size_t n,
                               const struct spot_part *part)
{
	size_t at = n;

	if (s->function[part->function].async != ASYNC_METHOD)
		return n;
	while (at && s->function[s->path[at - 1]->function].async == ASYNC_RESUMES)
		at--;
	return at && s->function[s->path[at - 1]->function].name ==
	                               s->function[part->function].name
	               ? at
	               : n;
}

/* Adds the totals of a sample that may contain continuations of async methods. */
static void add_async(struct spots *s, size_t nframes, uint64_t weight)
{
	size_t n = 0;

	for (size_t i = nframes; i-- > 0;) {
		struct spot_part *part = first_part(s, i);

		for (; part; part = spots_next_part(part)) {
			arena_fit(s->arena, s->path, n + 1, s->path_cap);
			n = without_resuming(s, n, part);
			s->path[n++] = part;
		}
	}
	for (size_t i = 0; i < n; i++)
		add_total(s, s->path[i], weight);
}

void spots_take(struct spots *s, const struct profile *p, const struct sample *sample,
                uint64_t weight)
{
	struct spot_part *part, *leaf = NULL;

	s->sample++;
	spots_add_weight(&s->whole, &(struct spot_weight){ 1, weight, weight });
	if (!sample->nframes)
		return;
	find_parts(s, p, sample);
	if (s->has_async)
		add_async(s, sample->nframes, weight);
	else
		for (size_t i = sample->nframes; i-- > 0;)
			for (part = first_part(s, i); part; part = spots_next_part(part))
				add_total(s, part, weight);
	for (part = first_part(s, 0); part; part = spots_next_part(part))
		leaf = part;
	if (!leaf)
		return;
	leaf->weight.samples++;
	leaf->weight.self = num_sum(leaf->weight.self, weight);
}

/*
 * Returns the address that determines the line and the function of a frame.  caller: the frame's
 * address is a return address.  The result is then the address of the byte before, which is in the
 * call.  If the function begins at the return address, no call precedes, so the result is the
 * return address itself.  The address 0 represents all addresses without a mapping.
 */
static uint64_t named_addr(const struct resolved *r, const struct spot_slot *slot)
{
	const struct named *outer = &r->names[r->n - 1];

	return slot->addr - (slot->addr && slot->caller &&
	                     !(outer->has_off && outer->begin == slot->addr));
}

/* Adds a spot, or adds its weight to an equal spot. */
static void add_spot(struct spots *s, const struct spot *add)
{
	uint32_t *at = table_at(&s->rows, s->arena,
	                        (uint64_t)add->function << 32 | add->line, add->addr);

	if (*at) {
		spots_add_weight(&s->spot[*at - 1].weight, &add->weight);
		return;
	}
	*arena_push(s->arena, s->spot, s->n, s->cap) = *add;
	*at = (uint32_t)s->n;
}

/* Enters the spots of the first profile in s->rows. */
static void index_spots(struct spots *s)
{
	size_t n = s->n;

	s->n = 0;
	for (size_t i = 0; i < n; i++) {
		struct spot spot = s->spot[i];

		add_spot(s, &spot);
	}
}

/* Adds the weight of a part of a slot. */
static void add_part(struct spots *s, const struct profile *p,
                     const struct spot_slot *slot, const struct spot_part *part,
                     uint32_t number)
{
	const struct resolved *r = profile_frame(p, slot->frame);
	const struct named *n = &r->names[part->name];
	struct spot_function *f = &s->function[part->function];
	struct spot spot = {
		.addr = named_addr(r, slot),
		.weight = part->weight,
		.function = part->function,
		.line = intern(&s->texts, profile_str(p, n->srcline)),
		.frame = slot->frame,
		.profile = number & INT32_MAX,
		.inlined = part->name + 1u < r->n,
	};

	if (s->rows.n)
		add_spot(s, &spot);
	else
		*arena_push(s->arena, s->spot, s->n, s->cap) = spot;
	spots_add_weight(&f->weight, &part->weight);
	if (f->profile == UINT32_MAX)
		f->profile = number;
}

/* Frees a table. */
static void drop_table(struct table *t, struct arena *arena)
{
	arena_drop(arena, t->slots, t->nslots, sizeof(*t->slots));
	*t = (struct table){ 0 };
}

void spots_end(struct spots *s, const struct profile *p, uint32_t number)
{
	drop_table(&s->input.places, &s->input.arena);
	if (!s->rows.n)
		index_spots(s);
	arena_fit(s->arena, s->spot, s->n + s->input.nslots, s->cap);
	for (size_t i = 0; i < s->input.nslots; i++) {
		const struct spot_slot *slot = &s->input.slot[i];
		struct spot_part *part = s->input.part + slot->first;

		for (; part; part = spots_next_part(part))
			if (part->weight.total || part->weight.self)
				add_part(s, p, slot, part, number);
	}
	arena_release(&s->input.arena);
}

static int by_address(const void *pa, const void *pb, void *ctx)
{
	const struct spot *a = pa, *b = pb;
	const struct spots *s = ctx;

	if (a->function != b->function)
		return num_cmp(a->function, b->function);
	if (a->addr != b->addr)
		return num_cmp(a->addr, b->addr);
	if (a->line != b->line)
		return str_cmp(spots_str(s, a->line), spots_str(s, b->line));
	return num_cmp(a->frame, b->frame) ?: num_cmp(a->inlined, b->inlined);
}

static bool is_same(const struct spot *a, const struct spot *b)
{
	return a->function == b->function && a->addr == b->addr && a->line == b->line;
}

void spots_settle(struct spots *s)
{
	struct spot *last = NULL;
	size_t n = s->n;

	drop_table(&s->rows, s->arena);
	if (n)
		qsort_r(s->spot, n, sizeof(*s->spot), by_address, s);
	s->n = 0;
	for (size_t i = 0; i < n; i++) {
		struct spot_function *f = &s->function[s->spot[i].function];

		if (last && is_same(last, &s->spot[i])) {
			spots_add_weight(&last->weight, &s->spot[i].weight);
			continue;
		}
		if (!f->n++)
			f->first = s->n;
		last = &s->spot[s->n++];
		*last = s->spot[i];
	}
}

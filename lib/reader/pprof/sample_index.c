#include "reader/pprof/sample_index.h"

#include "reader/pprof/profile_fields.h"
#include "reader/wire.h"

enum {
	STACKS_MOST = 1 << 18,
	ID_BYTES_MOST = 32 << 20,
	RESTS_MOST = 1 << 16,
	REST_BYTES_MOST = 8 << 20,
	GROUPS_MOST = 1 << 19,
	HASHED = 64, /* number of bytes that are hashed for the caches */
};

void sample_index_init(struct sample_index *x, struct arena *run)
{
	*x = (struct sample_index){ .run = run };
	intern_init(&x->stacks, run);
	intern_init(&x->rests, run);
	x->recent_stack = arena_new(run, str_id, SAMPLE_INDEX_RECENT);
	x->recent_rest = arena_new(run, str_id, SAMPLE_INDEX_RECENT);
}

/* Like intern_find, but faster if the cache has the string. */
static uint32_t find_recent(const struct interner *in, str_id *recent, struct str s)
{
	uint64_t hash = hash_more(hash_key(), str_head(s, HASHED));
	str_id *known = &recent[hash % SAMPLE_INDEX_RECENT], id = *known;

	if (id && str_eq(intern_str(in, id), s))
		return id;
	id = intern_find(in, s);
	if (id)
		*known = id;
	return id;
}

uint32_t sample_index_number(struct sample_index *x, struct str ids)
{
	uint32_t known = find_recent(&x->stacks, x->recent_stack, ids);

	if (known || x->stacks.n > STACKS_MOST || x->id_bytes + ids.n > ID_BYTES_MOST)
		return known;
	x->id_bytes += ids.n;
	return intern(&x->stacks, ids);
}

/*
 * Returns true if the fields of a sample after its first location ids have no damage.  A negative
 * value is damage, because each such sample is reported.  Further location ids belong to the rest,
 * so samples of a group have them in common.
 */
static bool is_plain(struct str fields)
{
	struct cursor in = cur_little(fields), values;
	struct wire w;

	while (wire_next(&in, &w)) {
		if (w.field != SAMPLE_VALUE && w.field != SAMPLE_LOCATION)
			continue;
		values = wire_numbers(&w);
		if (w.field == SAMPLE_LOCATION) {
			if (wire_is_cut(str_span(values.p, values.end)))
				return false;
			continue;
		}
		while (cur_left(&values) && !values.bad)
			if ((int64_t)cur_uleb(&values) < 0)
				return false;
		if (values.bad)
			return false;
	}
	return !in.bad;
}

uint32_t sample_index_rest(struct sample_index *x, struct str rest)
{
	return find_recent(&x->rests, x->recent_rest, rest);
}

/* Discards the groups. */
static void drop_groups(struct sample_index *x)
{
	x->ungrouped = true;
	arena_drop(x->run, x->group, x->groups_cap, sizeof(*x->group));
	arena_drop(x->run, x->groups.slots, x->groups.nslots, sizeof(*x->groups.slots));
	x->group = NULL;
	x->groups = (struct table){ 0 };
	x->ngroups = x->groups_cap = 0;
}

/*
 * Returns the number of the bytes after the location ids, or 0 if there is no room or if they are
 * damaged.
 */
static uint32_t number_rest(struct sample_index *x, struct str rest)
{
	uint32_t known = sample_index_rest(x, rest);

	if (known)
		return known;
	if (!is_plain(rest)) {
		x->damaged = true;
		return 0;
	}
	if (x->ungrouped || x->rests.n >= RESTS_MOST ||
	    x->rest_bytes + rest.n > REST_BYTES_MOST)
		return 0;
	x->rest_bytes += rest.n;
	return intern(&x->rests, rest);
}

/* Adds a sample to its group.  number: result of number_rest. */
static void group_sample(struct sample_index *x, uint32_t stack, uint32_t number,
                         uint64_t at)
{
	uint32_t *known, *last;
	struct sample_group *g;

	if (!number) {
		drop_groups(x);
		return;
	}
	arena_fit(x->run, x->last, x->stacks.n, x->last_cap);
	last = &x->last[stack];
	g = x->ngroups ? &x->group[*last] : NULL;
	if (g && g->stack == stack && g->rest == number && g->repeats < UINT32_MAX) {
		g->repeats++;
		return;
	}
	known = table_at(&x->groups, x->run, stack, number);
	if (*known && x->group[*known - 1].repeats < UINT32_MAX) {
		x->group[*known - 1].repeats++;
		*last = *known - 1;
		return;
	}
	if (x->ngroups == GROUPS_MOST) {
		drop_groups(x);
		return;
	}
	*last = (uint32_t)x->ngroups;
	*arena_push(x->run, x->group, x->ngroups, x->groups_cap) =
	        (struct sample_group){ .at = at, .stack = stack, .rest = number };
	*known = (uint32_t)x->ngroups;
}

static void note_step(struct sample_index *x, uint64_t at)
{
	if (!x->unstepped)
		*arena_push(x->run, x->step, x->nsteps, x->steps_cap) = at;
	x->unstepped = (x->unstepped + 1) % SAMPLE_INDEX_STEP;
}

void sample_index_add(struct sample_index *x, struct str message, uint64_t at)
{
	struct cursor in = cur_little(message);
	uint32_t stack = 0, rest;
	bool has_ids, whole = true;
	struct str ids;
	struct wire w;

	has_ids = wire_next_short(&in, &w) && w.field == SAMPLE_LOCATION;
	if (has_ids) {
		struct cursor numbers = wire_numbers(&w);

		ids = str_span(numbers.p, numbers.end);
		whole = !wire_is_cut(ids);
		stack = ids.n && whole ? sample_index_number(x, ids) : 0;
	}
	note_step(x, at);
	x->damaged |= !whole || in.bad;
	rest = number_rest(x, has_ids ? str_span(in.p, in.end) : message);
	if (x->ungrouped)
		return;
	/* A stack without a number has no group, because its ids are not compared. */
	if (has_ids && !stack)
		drop_groups(x);
	else
		group_sample(x, stack, rest, at);
}

size_t sample_index_group(const struct sample_index *x, uint64_t at)
{
	size_t low = 0, high = x->ngroups;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (x->group[mid].at < at)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

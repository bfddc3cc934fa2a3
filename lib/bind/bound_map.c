#include "bind/bound_map.h"

#include "bind/binder.h"
#include "bind/sampled.h"

struct bound_map *bound_map_add(struct binder *b, const struct bound_map *what)
{
	struct bound_maps *maps = b->maps;
	uint32_t *at = table_at(&maps->of_pid, b->run, (uint32_t)what->pid, 0);

	*arena_push(b->run, maps->map, maps->n, maps->cap) = *what;
	while (*at)
		at = &maps->map[*at - 1].next;
	*at = (uint32_t)maps->n;
	what->item->placed = true;
	return &maps->map[maps->n - 1];
}

const struct bound_map *bound_map_first(const struct binder *b, int32_t pid)
{
	uint32_t at = table_get(&b->maps->of_pid, (uint32_t)pid, 0);

	return at ? &b->maps->map[at - 1] : NULL;
}

const struct bound_map *bound_map_next(const struct binder *b,
                                       const struct bound_map *map)
{
	return map->next ? &b->maps->map[map->next - 1] : NULL;
}

/* Finds the piece of code in bm's dump at the address and time of q. */
static bool find_code(const struct bound_map *bm, const struct bind_query *q, size_t *out)
{
	uint64_t when = bm->by_time ? q->time_ns : UINT64_MAX;

	return jitdump_find(bm->dump, sampled_byte(q->ip, q->caller), when, out);
}

/* Names the code that bm has at an address. */
static bool name_at(const struct binder *b, const struct bound_map *bm, uint64_t at,
                    uint64_t time_ns, struct bound_name *out)
{
	const struct symbol *s;
	size_t i;

	if (bm->dump) {
		if (!jitdump_find(bm->dump, at, bm->by_time ? time_ns : UINT64_MAX, &i))
			return false;
		out->func = jitdump_name(bm->dump, i, b->run);
		out->off = at - bm->dump->code[i].start;
		out->dump = bm->dump;
		out->code = i;
		return true;
	}
	if (!bm->map)
		return false;
	if (bm->by_time && perfmap_find(bm->map, at, time_ns, &i)) {
		out->func = bm->map->times->name[i];
		out->off = at - bm->map->times->code[i].start;
		return true;
	}
	s = symtab_find(&bm->map->symbols, at);
	if (!s)
		return false;
	out->func = s->name;
	out->off = at - s->base;
	return true;
}

/*
 * Names a frame by the rule of symtab_find_frame: a return address that follows padding or a
 * gap may be the start of a function.
 */
static bool name_frame(const struct binder *b, const struct bound_map *bm,
                       const struct bind_query *q, struct bound_name *out)
{
	struct bound_name next = *out;
	bool there;

	if (!q->caller)
		return name_at(b, bm, q->ip, q->time_ns, out);
	there = name_at(b, bm, q->ip - 1, q->time_ns, out);
	out->off++;
	if (there && !symtab_is_padding(out->func))
		return true;
	if (!name_at(b, bm, q->ip, q->time_ns, &next) || next.off)
		return there;
	*out = next;
	return true;
}

/* Finds the piece of code that was at `at` at time_ns. */
static bool find_piece(const struct bound_map *bm, uint64_t at, uint64_t time_ns,
                       size_t *out)
{
	return bm->dump ? jitdump_find(bm->dump, at, time_ns, out)
	                : perfmap_find(bm->map, at, time_ns, out);
}

bool bound_map_reused(const struct bound_map *bm, uint64_t at)
{
	size_t first, last;

	if (bm->map && symtab_find(&bm->map->shared, at))
		return true;
	return find_piece(bm, at, 0, &first) && find_piece(bm, at, UINT64_MAX, &last) &&
	       first != last;
}

static bool find_earlier(const struct bound_map *bm, uint64_t at, size_t *piece)
{
	return bm->dump ? jitdump_earlier(bm->dump, at, piece)
	                : perfmap_earlier(bm->map, at, piece);
}

static struct str piece_name(const struct bound_map *bm, size_t piece, struct arena *a)
{
	return bm->map ? bm->map->times->name[piece] : jitdump_name(bm->dump, piece, a);
}

/*
 * Returns true if `at` had several names in turn.  Names of stubs do not count (perfmap_is_stub).
 */
static bool has_changed_name(const struct bound_map *bm, uint64_t at)
{
	arena_scope(scratch);
	bool renamed = bm->map && symtab_find(&bm->map->shared, at);
	struct str last, name;
	size_t piece;

	if (renamed || !find_piece(bm, at, UINT64_MAX, &piece))
		return renamed;
	last = piece_name(bm, piece, &scratch);
	while (!renamed && find_earlier(bm, at, &piece)) {
		name = piece_name(bm, piece, &scratch);
		if (perfmap_is_stub(last))
			last = name;
		renamed = !perfmap_is_stub(name) && !str_eq(name, last);
	}
	return renamed;
}

static bool has_code(const struct bound_map *bm, uint64_t at)
{
	size_t i;

	return find_piece(bm, at, UINT64_MAX, &i) ||
	       (bm->map && symtab_find(&bm->map->symbols, at));
}

bool bound_map_start(const struct binder *b, int32_t pid, uint64_t at, uint64_t *start)
{
	const struct bound_map *bm = bound_map_first(b, pid);
	const struct symbol *s;
	size_t i;

	for (; bm; bm = bound_map_next(b, bm)) {
		if (bm->dump && jitdump_find(bm->dump, at, UINT64_MAX, &i)) {
			*start = bm->dump->code[i].start;
			return true;
		}
		s = bm->map ? symtab_find(&bm->map->symbols, at) : NULL;
		if (s) {
			*start = s->base;
			return true;
		}
	}
	return false;
}

/* Returns true if the time of q selects one of the pieces of code at an address. */
static bool knows_time(const struct bound_map *bm, const struct bind_query *q)
{
	return bm->by_time && q->time_ns != UINT64_MAX;
}

/*
 * Returns the map that names the byte at `at` in q's process, or NULL.  Normally uses the first
 * map that contains the byte.  If the byte has had several names in the first map, prefers a
 * later map with times.  If no map has times, sets *guessed, and prefers a later map with a
 * single name for the byte.
 */
static const struct bound_map *find_map_at(const struct binder *b,
                                           const struct bind_query *q, uint64_t at,
                                           bool *guessed)
{
	bool kernel = q->m && q->m->kind == MAPPED_KERNEL;
	int32_t pid = q->m && !kernel ? q->m->pid : q->pid;
	const struct bound_map *bm = bound_map_first(b, pid), *first = NULL, *sure = NULL;
	bool guess = false;

	for (; bm; bm = bound_map_next(b, bm)) {
		if ((kernel && !(bm->map && bm->map->whole)) || !has_code(bm, at))
			continue;
		if (knows_time(bm, q) || (!guess && !has_changed_name(bm, at))) {
			*guessed = false;
			return bm;
		}
		guess = true;
		if (!sure && !has_changed_name(bm, at))
			sure = bm;
		first = first ? first : bm;
	}
	*guessed = guess;
	return sure ? sure : first;
}

/*
 * Returns the map that names q.  If no map contains the byte before a return address, looks up
 * the address itself.
 */
static const struct bound_map *find_map(const struct binder *b,
                                        const struct bind_query *q, bool *guessed)
{
	uint64_t at = sampled_byte(q->ip, q->caller);
	const struct bound_map *bm = find_map_at(b, q, at, guessed);

	return bm || !q->caller ? bm : find_map_at(b, q, q->ip, guessed);
}

bool bound_map_find(const struct binder *b, const struct bind_query *q,
                    struct bound_name *out)
{
	const struct bound_map *bm = find_map(b, q, &out->guessed);

	if (!bm)
		return false;
	out->by = bm->item;
	out->how = bm->forced ? VERIFIED_FORCED : VERIFIED_COVERS;
	out->jit = !(bm->map && bm->map->whole) || !q->m || mapping_is_jit(q->m);
	if (!name_frame(b, bm, q, out))
		return false;
	if (bm->dump)
		out->func = demangle_once(b->demangled, out->func, b->run);
	return true;
}

bool bound_map_line(const struct binder *b, const struct bind_query *q,
                    const struct bound_name *name, struct dwarf_place *out)
{
	struct dwarf_place place = { .func = name->func };
	uint64_t at =
	        name->dump->code[name->code].start + sampled_byte(name->off, q->caller);

	if (!jitdump_line(name->dump, name->code, at, b->run, &place.file, &place.line))
		return false;
	*out = place;
	return true;
}

bool bound_map_varies(const struct binder *b, const struct bind_query *q)
{
	bool guessed;
	const struct bound_map *bm =
	        q->m && !mapping_is_jit(q->m) ? NULL : find_map(b, q, &guessed);

	return bm && bm->by_time &&
	       (bound_map_reused(bm, sampled_byte(q->ip, q->caller)) ||
	        (q->caller && bound_map_reused(bm, q->ip)));
}

bool bound_map_code(const struct binder *b, const struct bind_query *q,
                    const struct jitdump **dump, size_t *code)
{
	const struct bound_map *bm = bound_map_first(b, q->m ? q->m->pid : q->pid);

	for (; bm; bm = bound_map_next(b, bm))
		if (bm->dump && find_code(bm, q, code)) {
			*dump = bm->dump;
			return true;
		}
	return false;
}

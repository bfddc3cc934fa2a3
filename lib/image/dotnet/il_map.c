#include "image/dotnet/il_map.h"

#include "base/cursor.h"

struct numbered_entry {
	struct il_entry entry;
	uint32_t order; /* position in the event */
};

ORDER(by_native, struct numbered_entry,
      num_cmp(a->entry.native, b->entry.native) ?: num_cmp(a->order, b->order))

struct il_map il_map_of_event(struct str il, struct str native, struct arena *a)
{
	struct cursor from = cur_little(il), to = cur_little(native);
	size_t n = (il.n < native.n ? il.n : native.n) / 4;
	arena_scope(scratch);
	struct numbered_entry *sorted = arena_new(&scratch, struct numbered_entry, n);
	struct il_entry *entry = arena_new(a, struct il_entry, n);

	for (size_t i = 0; i < n; i++) {
		sorted[i].entry = (struct il_entry){ .il = (int32_t)cur_u32(&from),
			                             .native = cur_u32(&to) };
		sorted[i].order = (uint32_t)i;
	}
	order_by(sorted, n, by_native);
	for (size_t i = 0; i < n; i++)
		entry[i] = sorted[i].entry;
	return (struct il_map){ entry, n };
}

bool il_map_find(const struct il_map *map, uint64_t native, int32_t *il)
{
	size_t low = bisect(map->n, i, map->entry[i].native <= native);

	if (!low)
		return false;
	/* An epilog belongs to the return that precedes it. */
	while (low > 1 && map->entry[low - 1].il == IL_EPILOG)
		low--;
	*il = map->entry[low - 1].il;
	return *il >= 0 || *il == IL_PROLOG;
}

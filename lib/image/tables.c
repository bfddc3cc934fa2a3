#include "image/tables.h"

#include "cache/order.h"
#include "source/ordered.h"

enum { CHEAP_BYTES = 4 << 20 }; /* up to this size, a checksum takes almost no time */

/*
 * Returns the largest size of a file for which a checksum takes less time than reading the
 * tables again.  Files with .symtab or DWARF have no limit, because their tables are large.
 */
static uint64_t worth_reading(const struct item *it)
{
	return it->elf && (it->elf->has_symtab || it->elf->has_dwarf) ? UINT64_MAX
	                                                              : CHEAP_BYTES;
}

bool tables_name(const struct locator *l, struct item *const *it, size_t n, char kind,
                 struct cache_name *out)
{
	struct cache_sum each[ORDER_FILES] = { 0 };
	bool own = false, placed;

	if (!cache_is_open(l->cache) || n > ORDER_FILES)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!it[i])
			continue;
		if (!it[i]->source ||
		    !source_identity(it[i]->source, it[i]->member, l->cache,
		                     worth_reading(it[i]), &each[i], &placed))
			return false;
		own |= !placed;
	}
	*out = (struct cache_name){ own ? (char)(kind - 'a' + 'A') : kind,
		                    ordered_all(l->cache, each, n) };
	return true;
}

void tables_order(const struct locator *l, struct item *const *it, size_t n,
                  const struct cache_name *name, struct str list)
{
	struct order o = { .kind = name->kind, .files = n, .list = list };

	for (size_t i = 0; i < n; i++) {
		o.name[i] = it[i] ? it[i]->name : (struct str){ 0 };
		o.fd[i] = it[i] ? source_reopen(it[i]->source, it[i]->member) : -1;
		/*
		 * If a file cannot be opened again because it has changed, the kind becomes 0,
		 * and the keeper makes no entry.
		 */
		o.kind = it[i] && o.fd[i] < 0 ? 0 : o.kind;
	}
	order_send(l->cache, &o);
}

#include "reader/nettrace/netcode.h"

#include "reader/nettrace/netevent_kind.h"

enum {
	GUID = 16,
	/* size in bytes of an IL map without its two lists of numbers */
	FIXED = 8 + 8 + 1 + 2
};

static struct str file_name(struct str path)
{
	size_t back = str_rfind(path, '\\');

	return str_base(back < path.n ? str_from(path, back + 1) : path);
}

/*
 * Reads a payload: u64 id, u64 assembly, u32 flags, u32 reserved, paths of the IL image and the
 * native image, u16 runtime.  Since version 2, GUID, u32 age and path of the PDB follow.
 */
static struct net_module read_module(struct cursor *in, struct arena *a)
{
	struct net_module m = { 0 };
	const char *guid;

	cur_take(in, 8 + 4 + 4);
	m.image = netevent_kind_utf16(in, a);
	m.name = file_name(m.image);
	if (str_ends(m.name, STR(".dll")) || str_ends(m.name, STR(".exe")))
		m.name.n -= 4;
	if (in->bad)
		return (struct net_module){ 0 };
	netfield_utf16(in);
	cur_u16(in);
	guid = cur_take(in, GUID);
	cur_u32(in);
	m.pdb = netevent_kind_utf16(in, a);
	if (in->bad || !guid)
		m.pdb = m.guid = (struct str){ 0 };
	else
		m.guid = (struct str){ guid, GUID };
	return m;
}

/*
 * A module is listed when it is loaded, and again at the end of the file.  If a later module
 * reuses the id, its data replace the data of the earlier module.
 */
void netcode_add_module(struct netcode *nc, struct str payload, struct arena *run)
{
	arena_scope(scratch);
	struct cursor in = cur_little(payload);
	uint64_t id = cur_u64(&in);
	struct net_module m = read_module(&in, &scratch), *known;
	uint32_t *at = m.name.n ? table_at(&nc->module_of, run, id, 0) : NULL;

	if (at && !*at) {
		arena_fit(run, nc->module, nc->nmodules + 1, nc->modules_cap);
		nc->module[nc->nmodules] = (struct net_module){ 0 };
		*at = (uint32_t)++nc->nmodules;
	}
	known = at ? &nc->module[*at - 1] : NULL;
	if (known && !(str_eq(known->image, m.image) && str_eq(known->guid, m.guid))) {
		in = cur_little(str_from(payload, sizeof(id)));
		*known = read_module(&in, run);
	}
}

const struct net_module *netcode_module(const struct netcode *nc, uint64_t id)
{
	uint32_t at = table_get(&nc->module_of, id, 0);

	return at ? &nc->module[at - 1] : NULL;
}

void netcode_add_map(struct netcode *nc, struct str payload, struct arena *run)
{
	struct cursor in = cur_little(payload);
	uint64_t method = cur_u64(&in), rejit = cur_u64(&in);
	uint32_t *at;

	if (in.bad)
		return;
	at = table_at(&nc->map_of, run, method, rejit);
	*table_item(at, run, nc->map, nc->nmaps, nc->maps_cap, payload) = payload;
}

void netcode_clear_maps(struct netcode *nc)
{
	nc->map_of = (struct table){ 0 };
	nc->map = NULL;
	nc->nmaps = nc->maps_cap = 0;
}

/*
 * A payload contains u64 method, u64 rejit, u8 extent, u16 count, the IL offsets, and the native
 * offsets.
 */
void netcode_find_map(const struct netcode *nc, uint64_t method, uint64_t rejit,
                      struct str *il, struct str *native)
{
	uint32_t at = table_get(&nc->map_of, method, rejit);
	struct cursor in = cur_little(at ? nc->map[at - 1] : (struct str){ 0 });
	size_t bytes;

	*il = *native = (struct str){ 0 };
	cur_take(&in, FIXED - 2);
	bytes = cur_u16(&in) * sizeof(uint32_t);
	if (in.bad || cur_left(&in) < 2 * bytes)
		return;
	*il = (struct str){ cur_take(&in, bytes), bytes };
	*native = (struct str){ cur_take(&in, bytes), bytes };
}

/*
 * netcode - collects data about sources of managed code in a nettrace: modules, and tables that
 * map IL offsets to native offsets.  Private to reader/.
 *
 * Payloads stay in the file, so each event needs only a few words of memory.
 */
#ifndef READER_NETTRACE_NETCODE_H
#define READER_NETTRACE_NETCODE_H

#include "base/table.h"
#include "reader/fields.h"

struct net_module {
	struct str name;       /* name of the assembly, without ".dll" */
	struct str image, pdb; /* as in code_fields */
	struct str guid;       /* points into the file */
};

/* Zero all fields before the first event is read. */
struct netcode {
	struct table module_of; /* ModuleID -> index of the module + 1 */
	struct net_module *module;
	size_t nmodules, modules_cap;
	struct table map_of; /* (MethodID, ReJITID) -> index of the map + 1 */
	struct str *map;     /* payloads */
	size_t nmaps, maps_cap;
};

/* Adds the payload of ModuleDCEnd and similar events.  Memory comes from `run`. */
void netcode_add_module(struct netcode *nc, struct str payload, struct arena *run);

/* Adds the payload of MethodILToNativeMap and similar events. */
void netcode_add_map(struct netcode *nc, struct str payload, struct arena *run);

/* Returns the module with that id, or NULL. */
const struct net_module *netcode_module(const struct netcode *nc, uint64_t id);

/* Forgets the IL maps after their memory was released.  Keeps the modules. */
void netcode_clear_maps(struct netcode *nc);

/*
 * Finds the IL map of a method.  If the method has no IL map, sets il and native to empty
 * strings.
 */
void netcode_find_map(const struct netcode *nc, uint64_t method, uint64_t rejit,
                      struct str *il, struct str *native);

#endif

/*
 * netcode - the sources of managed code in a nettrace: modules, and tables from offsets in IL to
 * offsets in code.  Private to reader/.
 *
 * Payloads stay in the file, so an event takes a few words of memory.
 */
#ifndef READER_NETTRACE_NETCODE_H
#define READER_NETTRACE_NETCODE_H

#include "base/arena.h"
#include "base/table.h"
#include "reader/fields.h"

struct net_module {
	struct str name;       /* name of the assembly, without ".dll" */
	struct str image, pdb; /* paths; see code_fields */
	struct str guid;       /* points into the file */
};

/* All fields must be 0 before the first event is read. */
struct netcode {
	struct table module_of; /* ModuleID -> index of module + 1 */
	struct net_module *module;
	size_t nmodules, modules_cap;
	struct table map_of; /* (MethodID, ReJITID) -> index of map + 1 */
	struct str *map;     /* payloads */
	size_t nmaps, maps_cap;
};

/* Adds the payload of ModuleDCEnd and similar events.  Memory comes from `run`. */
void netcode_add_module(struct netcode *nc, struct str payload, struct arena *run);

/* Adds the payload of MethodILToNativeMap and similar events. */
void netcode_add_map(struct netcode *nc, struct str payload, struct arena *run);

/* Returns the module with that id, or NULL. */
const struct net_module *netcode_module(const struct netcode *nc, uint64_t id);

/* Forgets the tables of offsets, but not the modules.  Their memory was released. */
void netcode_clear_maps(struct netcode *nc);

/* Finds the table of a method.  If there is no table, sets il and native to empty strings. */
void netcode_find_map(const struct netcode *nc, uint64_t method, uint64_t rejit,
                      struct str *il, struct str *native);

#endif

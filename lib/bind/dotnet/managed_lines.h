/*
 * managed_lines - finds source lines of .NET code in the PDB with the id of the assembly.  Private
 * to bind/.
 *
 * An address is an offset in the native code of a method.  A nettrace or a ReadyToRun image maps
 * this offset to an offset in the method's IL.  The PDB of the assembly maps the IL offset to a
 * line.
 */
#ifndef BIND_DOTNET_MANAGED_LINES_H
#define BIND_DOTNET_MANAGED_LINES_H

#include "bind/bind.h"
#include "image/dotnet/il_map.h"
#include "image/find_pdb.h"

/* A PDB and the result of the search for it. */
struct managed_pdb {
	struct wanted_pdb wanted; /* the first request for this PDB */
	struct ppdb *pdb;         /* NULL if it is missing */
	struct str *path;         /* indexed by document */
	size_t documents;
};

struct managed_lines {
	struct table of_guid; /* GUID -> index of the PDB + 1 */
	struct managed_pdb *pdb;
	size_t n, cap;
	/*
	 * The precompiled code that was looked up last.  The next address is often in the same
	 * code.
	 */
	struct {
		const struct r2r *methods; /* NULL before the first lookup */
		size_t index;
		uint64_t shift; /* offset in the map minus RVA */
		struct il_map map;
		struct arena arena; /* memory of the map */
	} last;
	/* The JIT code that was looked up last. */
	struct {
		const struct clr_code *code; /* NULL before the first lookup */
		struct il_map map;
		struct arena arena; /* memory of the map */
	} last_jit;
};

void managed_lines_end(struct managed_lines *t);

/*
 * Finds the source line of q, which has the given name.  Returns false if the line is unknown.
 * The result lives as long as b.
 */
bool managed_lines_find(const struct binder *b, const struct bind_query *q,
                        const struct bound_name *name, struct dwarf_place *out);

#endif

/*
 * runtime - finds where the language runtime of a running process writes its perf maps, and
 * how to enable them.
 */
#ifndef COLLECT_RUNTIME_H
#define COLLECT_RUNTIME_H

#include "base/arena.h"

enum { RUNTIME_FOLDERS = 16 };

enum runtime_kind { RUNTIME_OTHER, RUNTIME_DOTNET, RUNTIME_HOTSPOT };

/* Returns the kind of runtime in a process with these mappings. */
enum runtime_kind runtime_kind(struct str maps);

/*
 * Returns the value of variable `name` or, if unset, of `other`.  If neither is set, p is NULL.
 */
struct str runtime_variable(struct str variables, const char *name, const char *other);

/* Returns true if the environment variables of a .NET process enable its perf map. */
bool runtime_has_perf_map(struct str variables);

/*
 * Sets *out to the directories that may contain perf maps and jitdumps of a process: /tmp, and
 * absolute paths in its environment variables.  Each directory occurs once, without a final '/'.
 * Returns their number.
 */
size_t runtime_folders(struct str variables, struct str out[RUNTIME_FOLDERS]);

/*
 * Explains why the process may have no perf map, and how to get one.  variables: empty if they
 * are unreadable.  Returns an empty string if the process's runtime does not write perf maps.
 */
struct str runtime_advice(int32_t pid, struct str variables, struct str maps,
                          struct arena *a);

/* Returns false if most code has names without a perf map, as in Python. */
bool runtime_needs_map(struct str variables, struct str maps);

#endif

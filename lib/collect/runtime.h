/*
 * runtime - finds where the language runtime of a process writes its perf maps, and how to enable
 * them.
 */
#ifndef COLLECT_RUNTIME_H
#define COLLECT_RUNTIME_H

#include "base/arena.h"

enum { RUNTIME_FOLDERS = 16 };

enum runtime_kind { RUNTIME_OTHER, RUNTIME_DOTNET, RUNTIME_HOTSPOT };

/* Returns the runtime of a process with these mappings. */
enum runtime_kind runtime_kind(struct str maps);

/* Returns the value of variable `name`, else of `other`.  p is NULL if neither is set. */
struct str runtime_variable(struct str variables, const char *name, const char *other);

/* Returns true if the variables of a .NET process enable its perf map. */
bool runtime_has_perf_map(struct str variables);

/*
 * Sets out to the directories in which a process with this /proc/PID/environ may have written
 * perf maps and jitdumps: /tmp, and the absolute paths in its variables.  Each occurs once,
 * without a '/' at its end.  Returns their number.
 */
size_t runtime_folders(struct str variables, struct str out[RUNTIME_FOLDERS]);

/*
 * Explains why the process with this pid may have no perf map, and how to get one.  Use empty
 * variables if they could not be read.  Returns an empty string if its runtime does not write
 * perf maps.
 */
struct str runtime_advice(int32_t pid, struct str variables, struct str maps,
                          struct arena *a);

/* Returns false if most of the code has names without a perf map, as in Python. */
bool runtime_needs_map(struct str variables, struct str maps);

#endif

/*
 * runtime - the language runtime of a process: where it writes its perf maps, and how it is told
 * to write one.
 */
#ifndef COLLECT_RUNTIME_H
#define COLLECT_RUNTIME_H

#include "base/arena.h"

enum { RUNTIME_FOLDERS = 16 };

enum runtime_kind { RUNTIME_OTHER, RUNTIME_DOTNET, RUNTIME_HOTSPOT };

/* The runtime that a process with these mappings has. */
enum runtime_kind runtime_kind(struct str maps);

/* The value of the first of these variables that is set, or NULL in p. */
struct str runtime_variable(struct str variables, const char *name, const char *other);

/* True if the variables of a .NET process enable its perf map. */
bool runtime_has_perf_map(struct str variables);

/*
 * The directories where a process with this /proc/PID/environ may have written perf maps and
 * jitdumps: /tmp, and the absolute ones that variables name.  Each is there once, without a '/' at its
 * end.  Returns how many of out are set.
 */
size_t runtime_folders(struct str variables, struct str out[RUNTIME_FOLDERS]);

/*
 * Why there may be no perf map, and how to get one, for the process with this pid.  variables is
 * empty if it could not be read.  Empty: it is not a runtime that writes perf maps.
 */
struct str runtime_advice(int32_t pid, struct str variables, struct str maps,
                          struct arena *a);

/* False if most of the code of the process has names without a perf map, as that of Python. */
bool runtime_needs_map(struct str variables, struct str maps);

#endif

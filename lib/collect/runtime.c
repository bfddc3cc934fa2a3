#include "collect/runtime.h"

#include "process/known_runtime.h"

/*
 * Returns the value of an entry "NAME=value".  If NAME is not `name`, p of the result is NULL.
 */
static struct str value_of(struct str entry, const char *name)
{
	struct str variable = str_cut(&entry, '=');

	return str_eq(variable, str_of(name))
	               ? (struct str){ entry.p ? entry.p : "", entry.n }
	               : (struct str){ 0 };
}

static void add_folder(struct str path, struct str out[RUNTIME_FOLDERS], size_t *n)
{
	while (path.n > 1 && path.p[path.n - 1] == '/')
		path.n--;
	if (path.n < 2 || *path.p != '/')
		return;
	for (size_t i = 0; i < *n; i++)
		if (str_eq(out[i], path))
			return;
	if (*n < RUNTIME_FOLDERS)
		out[(*n)++] = path;
}

/* .NET before version 8 uses TMPDIR. */
size_t runtime_folders(struct str variables, struct str out[RUNTIME_FOLDERS])
{
	static const char *const names[] = { "TMPDIR", "DOTNET_PerfMapJitDumpPath",
		                             "COMPlus_PerfMapJitDumpPath" };
	size_t n = 0;

	add_folder(STR("/tmp"), out, &n);
	while (variables.n) {
		struct str entry = str_cut(&variables, '\0');

		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
			add_folder(value_of(entry, names[i]), out, &n);
	}
	return n;
}

struct str runtime_variable(struct str variables, const char *name, const char *other)
{
	struct str found = { 0 };

	while (variables.n) {
		struct str entry = str_cut(&variables, '\0'),
		           value = value_of(entry, name);

		if (value.p)
			return value;
		if (!found.p)
			found = value_of(entry, other);
	}
	return found;
}

/* Returns true if the value of PerfMapEnabled is a number other than 0. */
bool runtime_has_perf_map(struct str variables)
{
	struct str value = runtime_variable(variables, "DOTNET_PerfMapEnabled",
	                                    "COMPlus_PerfMapEnabled");

	while (str_skip(&value, STR("0")))
		;
	return value.n && str_is_digit(*value.p);
}

/* A single-file .NET program has no libcoreclr.so, but maps /memfd:doublemapper. */
enum runtime_kind runtime_kind(struct str maps)
{
	if (str_has(maps, STR("/libcoreclr.so")) ||
	    str_has(maps, STR("/memfd:doublemapper")))
		return RUNTIME_DOTNET;
	if (str_has(maps, STR("/libjvm.so")) && !str_has(maps, STR("/libj9jit")))
		return RUNTIME_HOTSPOT;
	return RUNTIME_OTHER;
}

/* Returns the first known runtime to which a mapped file belongs, or NULL. */
static const struct known_runtime *find_known(struct str maps)
{
	const struct known_runtime *best = NULL;

	while (maps.n) {
		struct str line = str_cut(&maps, '\n'),
		           path = str_from(line, str_find(line, '/'));
		const struct known_runtime *found = known_runtime_find(path);

		if (found && (!best || found < best))
			best = found;
	}
	return best;
}

struct str runtime_advice(int32_t pid, struct str variables, struct str maps,
                          struct arena *a)
{
	const struct known_runtime *known;

	if (!variables.n)
		return arena_fmt(a, "%d: perf map not found", pid);
	if (runtime_kind(maps) == RUNTIME_DOTNET) {
		if (runtime_has_perf_map(variables))
			return arena_fmt(
			        a,
			        "%d is .NET with perf maps enabled, but its map was "
			        "not found",
			        pid);
		return arena_fmt(a,
		                 "%d is .NET and has no perf map: start it with "
		                 "DOTNET_PerfMapEnabled=1 (before .NET 6: "
		                 "COMPlus_PerfMapEnabled=1)",
		                 pid);
	}
	if (str_has(maps, STR("/libjvm.so")))
		return arena_fmt(
		        a,
		        "%d is Java and has no perf map: jcmd %d Compiler.perfmap "
		        "(JDK 17) writes it",
		        pid, pid);
	known = find_known(maps);
	if (!known)
		return (struct str){ 0 };
	return arena_fmt(a, "%d is %s and has no perf map: start it with %s", pid,
	                 known->name, known->how);
}

bool runtime_needs_map(struct str variables, struct str maps)
{
	const struct known_runtime *known = find_known(maps);

	return !variables.n ||
	       (known && (known->asked || str_eq(str_of(known->name), STR("Node.js"))));
}

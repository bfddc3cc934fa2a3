#include "collect/runtime.h"

/*
 * Returns the value if entry, "NAME=value", is the variable name, else an empty string with p
 * NULL.
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

/* TMPDIR is used by .NET before 8. */
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

/* Returns true if PerfMapEnabled is a number other than 0. */
static bool has_perf_map(struct str variables)
{
	while (variables.n) {
		struct str entry = str_cut(&variables, '\0');
		struct str value = value_of(entry, "DOTNET_PerfMapEnabled");

		if (!value.p)
			value = value_of(entry, "COMPlus_PerfMapEnabled");
		while (str_starts(value, STR("0")))
			value = str_from(value, 1);
		if (value.n && str_is_digit(*value.p))
			return true;
	}
	return false;
}

static bool maps_file(struct str maps, struct str name)
{
	return str_search(maps, name) < maps.n;
}

struct str runtime_advice(int32_t pid, struct str variables, struct str maps,
                          struct arena *a)
{
	if (!variables.n)
		return arena_fmt(a, "%d: perf map not found", pid);
	if (maps_file(maps, STR("/libcoreclr.so"))) {
		if (has_perf_map(variables))
			return arena_fmt(a,
			                 "%d is .NET with perf maps enabled, but its map "
			                 "was not found",
			                 pid);
		return arena_fmt(a,
		                 "%d is .NET and has no perf map: start it with "
		                 "DOTNET_PerfMapEnabled=1 (before .NET 6: "
		                 "COMPlus_PerfMapEnabled=1)",
		                 pid);
	}
	if (maps_file(maps, STR("/libjvm.so")))
		return arena_fmt(
		        a,
		        "%d is Java and has no perf map: jcmd %d Compiler.perfmap "
		        "(JDK 17) writes it",
		        pid, pid);
	if (maps_file(maps, STR("/node\n")))
		return arena_fmt(a,
		                 "%d is Node and has no perf map: start it with "
		                 "--perf-basic-prof",
		                 pid);
	return (struct str){ 0 };
}

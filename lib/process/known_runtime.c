#include "process/known_runtime.h"

enum { DOTNET }; /* the first row */

/* Python of Debian has no frame pointers. */
#define PYTHON                                                                           \
	"python3 -X perf, Python 3.12 or later; if it has no frame pointers, python3 "   \
	"-X perf_jit, 3.13 or later, and --call-graph dwarf"

/*
 * Sorted by priority, because a process may have files of several runtimes.  A server that embeds
 * Python, or a JVM that loads a library of LLVM, belongs to its main runtime.
 */
static const struct known_runtime known[] = {
	[DOTNET] = { STR("libcoreclr.so"), ".NET",
	             "DOTNET_PerfMapEnabled=1, before .NET 6 COMPlus_PerfMapEnabled=1",
	             true },
	{ STR("libj9jit"), "OpenJ9", "java -XX:+PerfTool", false },
	{ STR("libjvm.so"), "Java",
	  "java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit, JDK 17 or later",
	  true },
	{ STR("beam.smp"), "Erlang", "erl +JPperf true", false },
	{ STR("beam.jit"), "Erlang", "erl +JPperf true", false },
	{ STR("deno"), "Deno", "deno run --v8-flags=--perf-basic-prof", false },
	{ STR("libnode.so"), "Node.js", "node --perf-basic-prof", false },
	{ STR("nodejs"), "Node.js", "node --perf-basic-prof", false },
	{ STR("node"), "Node.js", "node --perf-basic-prof", false },
	{ STR("electron"), "Chromium", "--no-sandbox --js-flags=--perf-basic-prof",
	  false },
	{ STR("chrom"), "Chromium", "--no-sandbox --js-flags=--perf-basic-prof", false },
	{ STR("wasmtime"), "Wasmtime", "wasmtime --profile=perfmap", false },
	{ STR("qemu-"), "QEMU", "qemu -perfmap, QEMU 8.0 or later", false },
	{ STR("libmonosgen"), "Mono", "mono --jitmap", false },
	{ STR("mono"), "Mono", "mono --jitmap", false },
	{ STR("llvmjit.so"), "PostgreSQL",
	  "jit_profiling_support=on, as a jitdump in ~/.debug/jit", false },
	{ STR("opcache.so"), "PHP", "php -d opcache.jit_debug=16", false },
	{ STR("libphp"), "PHP", "php -d opcache.jit_debug=16", false },
	{ STR("php"), "PHP", "php -d opcache.jit_debug=16", false },
	{ STR("libruby"), "Ruby", "ruby --yjit --yjit-perf, Ruby 3.3 or later", false },
	{ STR("ruby"), "Ruby", "ruby --yjit --yjit-perf, Ruby 3.3 or later", false },
	{ STR("libluajit"), "LuaJIT", "-DLUAJIT_USE_PERFTOOLS, when it is built", false },
	{ STR("luajit"), "LuaJIT", "-DLUAJIT_USE_PERFTOOLS, when it is built", false },
	{ STR("libpython3"), "Python", PYTHON, false },
	{ STR("python3"), "Python", PYTHON, false },
};

enum { KNOWN = sizeof(known) / sizeof(*known) };

/*
 * Returns true if `base` is `file`, or `file` with a suffix such as a version.  "node" matches
 * "node" and "node-20", but not "nodelist".
 */
static bool begins(struct str base, struct str file)
{
	struct str rest = str_from(base, file.n);

	return str_starts(base, file) &&
	       (!rest.n || !str_is_alnum(rest.p[0]) ||
	        (rest.p[0] >= '0' && rest.p[0] <= '9') || file.p[file.n - 1] == '-' ||
	        str_starts(file, STR("lib")) || str_eq(file, STR("chrom")));
}

bool known_runtime_is_doublemapper(struct str path)
{
	return str_starts(str_base(path), STR("memfd:doublemapper"));
}

const struct known_runtime *known_runtime_find(struct str path)
{
	struct str base = str_base(path);

	if (known_runtime_is_doublemapper(base) ||
	    str_eq(base, STR("System.Private.CoreLib.dll")))
		return &known[DOTNET];
	for (size_t i = 0; i < KNOWN; i++)
		if (begins(base, known[i].file))
			return &known[i];
	return NULL;
}

const struct known_runtime *known_runtime_get(size_t row)
{
	return &known[row];
}

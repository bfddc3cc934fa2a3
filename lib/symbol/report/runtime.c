#include "symbol/report/runtime.h"

#include "symbol/profile_private.h"

enum { DOTNET }; /* the first row */

/*
 * If several rows match the files of a process, the first one is used: a server that embeds
 * Python, or a JVM that loads a library of LLVM, is listed by its own runtime.
 */
static const struct runtime known[] = {
	[DOTNET] = { STR("libcoreclr.so"), ".NET",
	             "DOTNET_PerfMapEnabled=1, before .NET 6 COMPlus_PerfMapEnabled=1" },
	{ STR("libj9jit"), "OpenJ9", "java -XX:+PerfTool" },
	{ STR("libjvm.so"), "Java",
	  "java -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit, JDK 17 or later" },
	{ STR("beam.smp"), "Erlang", "erl +JPperf true" },
	{ STR("beam.jit"), "Erlang", "erl +JPperf true" },
	{ STR("deno"), "Deno", "deno run --v8-flags=--perf-basic-prof" },
	{ STR("libnode.so"), "Node.js", "node --perf-basic-prof" },
	{ STR("nodejs"), "Node.js", "node --perf-basic-prof" },
	{ STR("node"), "Node.js", "node --perf-basic-prof" },
	{ STR("electron"), "Chromium", "--no-sandbox --js-flags=--perf-basic-prof" },
	{ STR("chrom"), "Chromium", "--no-sandbox --js-flags=--perf-basic-prof" },
	{ STR("wasmtime"), "Wasmtime", "wasmtime --profile=perfmap" },
	{ STR("qemu-"), "QEMU", "qemu -perfmap, QEMU 8.0 or later" },
	{ STR("libmonosgen"), "Mono", "mono --jitmap" },
	{ STR("mono"), "Mono", "mono --jitmap" },
	{ STR("llvmjit.so"), "PostgreSQL",
	  "jit_profiling_support=on, as a jitdump in ~/.debug/jit" },
	{ STR("opcache.so"), "PHP", "php -d opcache.jit_debug=16" },
	{ STR("libphp"), "PHP", "php -d opcache.jit_debug=16" },
	{ STR("php"), "PHP", "php -d opcache.jit_debug=16" },
	{ STR("libruby"), "Ruby", "ruby --yjit --yjit-perf, Ruby 3.3 or later" },
	{ STR("ruby"), "Ruby", "ruby --yjit --yjit-perf, Ruby 3.3 or later" },
	{ STR("libluajit"), "LuaJIT", "-DLUAJIT_USE_PERFTOOLS, when it is built" },
	{ STR("luajit"), "LuaJIT", "-DLUAJIT_USE_PERFTOOLS, when it is built" },
	{ STR("libpython3"), "Python", "python3 -X perf, Python 3.12 or later" },
	{ STR("python3"), "Python", "python3 -X perf, Python 3.12 or later" },
};

enum { KNOWN = sizeof(known) / sizeof(*known), NO_RUNTIME = KNOWN + 1 };

/* "node" begins "node" and "node-20", but not "nodelist". */
static bool begins(struct str base, struct str file)
{
	struct str rest = str_from(base, file.n);

	return str_starts(base, file) &&
	       (!rest.n || !str_is_alnum(rest.p[0]) ||
	        (rest.p[0] >= '0' && rest.p[0] <= '9') || file.p[file.n - 1] == '-' ||
	        str_starts(file, STR("lib")) || str_eq(file, STR("chrom")));
}

const struct runtime *runtime_of_file(struct str path)
{
	struct str base = str_base(path);

	if (str_starts(base, STR("memfd:doublemapper")) ||
	    str_eq(base, STR("System.Private.CoreLib.dll")))
		return &known[DOTNET];
	for (size_t i = 0; i < KNOWN; i++)
		if (begins(base, known[i].file))
			return &known[i];
	return NULL;
}

/* Thousands of processes map the same files.  Returns the row + 1, or NO_RUNTIME. */
static uint32_t learn_path(struct runtimes *r, str_id path, struct arena *a)
{
	uint32_t *row = table_at(&r->of_path, a, path, 0);

	if (!*row) {
		const struct runtime *found =
		        runtime_of_file(intern_str(&r->p->session.names, path));

		*row = found ? (uint32_t)(found - known) + 1 : NO_RUNTIME;
	}
	return *row;
}

void runtime_learn(struct runtimes *r, const struct profile *p, struct arena *a)
{
	const struct mapping *const *maps;
	size_t n = process_mappings(p->session.ps, &maps);

	*r = (struct runtimes){ .p = p };
	for (size_t i = 0; i < n; i++) {
		uint32_t *at, row = learn_path(r, maps[i]->path, a);

		if (row == NO_RUNTIME)
			continue;
		r->dotnet |= row == DOTNET + 1;
		at = table_at(&r->of_pid, a, (uint32_t)maps[i]->pid, 0);
		if (!*at || row < *at)
			*at = row;
	}
}

/*
 * By the mappings that a process has at the end, because a child inherits the mappings of its
 * parent.
 */
static uint32_t inherited(const struct runtimes *r, int32_t pid)
{
	const struct processes *ps = r->p->session.ps;
	const struct mapping *m = process_from(ps, pid, 0);
	uint32_t best = NO_RUNTIME;

	for (; m; m = process_from(ps, pid, m->end)) {
		uint32_t row = table_get(&r->of_path, m->path, 0);

		if (row && row < best)
			best = row;
	}
	return best;
}

const struct runtime *runtime_of(const struct runtimes *r, int32_t pid)
{
	uint32_t row = table_get(&r->of_pid, (uint32_t)pid, 0);

	if (!row && pid >= 0)
		row = inherited(r, pid);
	return row && row != NO_RUNTIME ? &known[row - 1] : NULL;
}

bool runtime_has_dotnet(const struct runtimes *r)
{
	return r->dotnet;
}

uint64_t runtime_dotnet_major(const struct profile *p)
{
	static const struct str framework = STR("/Microsoft.NETCore.App/");
	const struct mapping *const *maps;
	size_t n = process_mappings(p->session.ps, &maps);
	uint64_t major;

	for (size_t i = 0; i < n; i++) {
		struct str path = intern_str(&p->session.names, maps[i]->path);
		struct str rest = str_from(path, str_search(path, framework));

		rest = str_from(rest, framework.n);
		if (rest.n && str_take_dec(&rest, &major))
			return major;
	}
	return 0;
}

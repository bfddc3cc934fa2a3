#include "label/kind.h"

#include "process/known_runtime.h"
#include "process/process.h"
#include "symbol/profile.h"

/* Returns true for "[kvm]", but not for "[vdso]".  perf prints kernel modules with brackets. */
static bool is_kernel_module(struct str module)
{
	static const char *const others[] = { "[vdso]",    "[vsyscall]", "[vvar]",
		                              "[heap]",    "[stack]",    "[unknown]",
		                              "[uprobes]", "[anon]",     "[JIT]" };

	if (module.n < 3 || module.p[0] != '[' || module.p[module.n - 1] != ']' ||
	    STR_ANY(module, str_eq, others))
		return false;
	for (size_t i = 1; i + 1 < module.n; i++)
		if (!str_is_alnum(module.p[i]) && module.p[i] != '_' &&
		    module.p[i] != '-')
			return false;
	return true;
}

static bool is_kernel(struct str module)
{
	static const char *const ends[] = { ".ko", ".ko.xz", ".ko.gz", ".ko.zst" };
	struct str base = str_base(module);

	return STR_ANY(module, str_ends, ends) || str_starts(module, STR("[kernel.")) ||
	       str_starts(module, STR("[guest.kernel.")) || is_kernel_module(module) ||
	       str_starts(base, STR("vmlinux")) || str_starts(base, STR("bpf_prog_")) ||
	       str_eq(module, STR("/proc/kcore"));
}

static bool is_jit(struct str module)
{
	struct str base = str_base(module);

	/* perf-PID.map may be in any directory, because a container's /tmp may be anywhere. */
	return str_pid(base, STR("perf-"), STR(".map")) >= 0 ||
	       process_is_injected(base) || known_runtime_is_doublemapper(base) ||
	       str_starts(module, STR("[JIT"));
}

/* Returns true for files of runtimes. */
static bool is_runtime(struct str base)
{
	static const char *const whole[] = { "dotnet",
		                             "java",
		                             "libhostfxr.so",
		                             "libhostpolicy.so",
		                             "libmscordaccore.so",
		                             "libjava.so",
		                             "libjli.so" };
	static const char *const begins[] = { "libcoreclr", "libclrjit", "libclrgc",
		                              "libv8.so" };

	return STR_ANY(base, str_starts, begins) || STR_ANY(base, str_eq, whole) ||
	       known_runtime_find(base);
}

struct str kind_module(struct str module)
{
	if (str_ends(module, STR(" (deleted)")))
		module.n -= strlen(" (deleted)");
	return module;
}

enum kind kind_of(struct str module, unsigned flags)
{
	module = kind_module(module);
	if (flags & NAMED_KERNEL || is_kernel(module))
		return KIND_KERNEL;
	if (flags & NAMED_JIT || is_jit(module))
		return KIND_JIT;
	if (str_ends(module, STR(".dll")))
		return KIND_DOTNET;
	return is_runtime(str_base(module)) ? KIND_RUNTIME : KIND_NATIVE;
}

bool kind_is_program(struct str module)
{
	struct str base = str_base(module);

	return base.n && module.p[0] == '/' && !str_starts(module, STR("//")) &&
	       !str_starts(module, STR("/memfd:")) && !str_ends(base, STR(".map")) &&
	       !str_ends(base, STR(".dll")) && !str_has(base, STR(".so"));
}

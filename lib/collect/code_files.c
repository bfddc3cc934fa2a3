#include "collect/code_files.h"

#include <strings.h>
#include <sys/mman.h>

#include "base/intern.h"
#include "reader/procmaps.h"

static bool is_assembly(struct str path)
{
	return path.n > 4 && (strncasecmp(path.p + path.n - 4, ".dll", 4) == 0 ||
	                      strncasecmp(path.p + path.n - 4, ".exe", 4) == 0);
}

bool code_files_is_jitdump(struct str path)
{
	return str_pid(str_base(path), STR("jit-"), STR(".dump")) >= 0;
}

static bool is_file(struct str path)
{
	static const char *const others[] = { "/memfd:", "/dev/", "/SYSV",
		                              "/anon_hugepage", "//anon" };

	return str_starts(path, STR("/")) && !STR_ANY(path, str_starts, others);
}

bool code_files_is_plain(struct str path)
{
	bool absolute = str_starts(path, STR("/"));

	if (str_has(path, STR("\\012")) || str_find(path, '\n') < path.n)
		return false;
	while (path.n)
		if (str_eq(str_cut(&path, '/'), STR("..")))
			return false;
	return absolute;
}

void code_files_read(struct code_files *out, struct str maps, struct arena *a)
{
	const struct str deleted = STR(" (deleted)");
	struct interner paths;
	struct mmap_event m;

	*out = (struct code_files){ 0 };
	intern_init(&paths, a);
	intern(&paths, (struct str){ 0 });
	while (procmaps_mapping(&maps, &m)) {
		struct code_file *file;
		size_t at;

		if (str_eq(m.path, STR("[vdso]"))) {
			out->vdso = m.start;
			out->vdso_end = m.start + m.len;
		}
		if (!is_file(m.path))
			continue;
		at = intern(&paths, m.path) - 1;
		if (at == out->n) {
			file = arena_push(a, out->file, out->n, out->cap);
			*file = (struct code_file){ .path = m.path,
				                    .start = m.start,
				                    .end = m.start + m.len };
			file->deleted = str_ends(m.path, deleted);
			if (file->deleted)
				file->path.n -= deleted.n;
			file->wanted = is_assembly(file->path) ||
			               code_files_is_jitdump(file->path);
		}
		file = &out->file[at];
		file->wanted |= (m.prot & PROT_EXEC) != 0;
	}
}

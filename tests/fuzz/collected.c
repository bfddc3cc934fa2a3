/*
 * A process as the collector reads it: status, a NUL, its variables, two NULs, its mappings.
 * Files have paths inside of the text, and folders are absolute.
 */
#include <stdint.h>
#include <stdlib.h>

#include "collect/code_files.h"
#include "collect/rights.h"
#include "collect/runtime.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str all = { (const char *)data, size }, status = str_cut(&all, '\0');
	size_t at = str_search(all, (struct str){ "\0", 2 });
	struct str variables = str_head(all, at), maps = str_from(all, at + 2);
	struct str folder[RUNTIME_FOLDERS];
	struct arena a = { 0 };
	struct code_files files;
	struct rights rights;

	if (rights_read(&rights, status, &a))
		must(rights_equal(&rights, &rights) && rights_differ(&rights, 0));
	at = runtime_folders(variables, folder);
	must(at >= 1 && at <= RUNTIME_FOLDERS);
	for (size_t i = 0; i < at; i++)
		must(folder[i].n > 1 && *folder[i].p == '/');
	if (runtime_kind(maps) != RUNTIME_OTHER)
		must(runtime_advice(1, variables, maps, &a).n != 0);
	if (runtime_has_perf_map(variables))
		must(runtime_variable(variables, "DOTNET_PerfMapEnabled",
		                      "COMPlus_PerfMapEnabled")
		             .n != 0);
	if (runtime_needs_map(variables, maps))
		must(runtime_advice(1, variables, maps, &a).n != 0);
	code_files_read(&files, maps, &a);
	for (size_t i = 0; i < files.n; i++) {
		const struct code_file *f = &files.file[i];

		must(f->end > f->start && f->path.n && *f->path.p == '/');
		must(f->path.p >= maps.p && f->path.p + f->path.n <= maps.p + maps.n);
		code_files_is_plain(f->path);
		code_files_is_jitdump(f->path);
	}
	arena_release(&a);
	return 0;
}

#include "source/libarchive.h"

#include <assert.h>
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* What a program linked with the library that these headers belong to would ask for. */
static const char so_name[] = "libarchive.so.13";
static_assert(ARCHIVE_VERSION_NUMBER / 1000000 == 3, "libarchive.so.13 is version 3");

const char *libarchive_load(struct libarchive *la)
{
	static const struct {
		const char *name;
		size_t at; /* of its pointer */
	} functions[] = {
#define LIBARCHIVE_ENTRY(name) { "archive_" #name, offsetof(struct libarchive, name) },
		LIBARCHIVE_EACH(LIBARCHIVE_ENTRY)
#undef LIBARCHIVE_ENTRY
	};
	/* Never closed: others may be using it, and the next archive would load it again. */
	void *library = dlopen(so_name, RTLD_LAZY | RTLD_LOCAL);

	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++) {
		void *function = library ? dlsym(library, functions[i].name) : NULL;

		if (!function)
			return dlerror();
		memcpy((char *)la + functions[i].at, &function, sizeof(function));
	}
	return NULL;
}

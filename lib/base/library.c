#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

const char *library_open(const char *file, const char *const *names, size_t n, void *to)
{
	/*
	 * RTLD_GLOBAL makes the library's functions visible to other libraries, as if the
	 * program were linked with this library.
	 */
	void *p = dlopen(file, RTLD_NOW | RTLD_GLOBAL);

	for (size_t i = 0; p && i < n; i++) {
		p = dlsym(RTLD_DEFAULT, names[i]);
		memcpy((char *)to + i * sizeof(p), &p, sizeof(p));
	}
	return p ? NULL : dlerror();
}

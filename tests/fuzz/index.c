/*
 * What the cache has of a directory, whose checksum is passed over: names lie in it, end
 * in NUL, and lead nowhere but below the directory.
 */
#include <stdint.h>
#include <stdlib.h>

#include "source/index.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static void look(struct str name)
{
	must(!name.p[name.n] && strlen(name.p) == name.n && name.p[0] != '/');
	must(!str_eq(name, STR("..")) && !str_starts(name, STR("../")));
	must(!str_ends(name, STR("/..")) && strstr(name.p, "/../") == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str front = { (const char *)data, size };
	struct arena a = { 0 };
	struct source_state state = { .fd = -1, .opts = { .run = &a } };
	struct source s = { .state = &state };

	if (index_read(&s, front)) {
		for (size_t i = 0; i < s.n; i++) {
			const struct member_file *f = s.members[i].file;

			look(s.members[i].name);
			must(s.members[i].name.n);
			must(!f || (f->id.n <= 36 && f->stamp.ino));
		}
		for (size_t i = 0; i < state.watched; i++)
			look(state.watch[i].name);
	}
	arena_release(&a);
	return 0;
}

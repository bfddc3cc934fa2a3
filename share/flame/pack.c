/*
 * pack - writes the sources of the picture's script or style, short, to standard output.
 *
 *	pack FILE...
 *
 * The build runs it once, so that pflame need not.
 */
#include <stdio.h>

#include "base/arena.h"
#include "writer/shrink.h"

/* All of a file; false: it cannot be read. */
static bool read_file(const char *path, struct arena *arena, struct str *bytes)
{
	FILE *f = fopen(path, "re");
	char *p = NULL;
	size_t cap = 0, n = 0, got;

	if (!f)
		return false;
	do {
		p = arena_grow(arena, p, &cap, n + 4096, 1);
		got = fread(p + n, 1, cap - n, f);
		n += got;
	} while (got);
	*bytes = (struct str){ p, n };
	got = (size_t)ferror(f);
	fclose(f);
	return !got;
}

int main(int argc, char **argv)
{
	struct arena arena = { 0 };
	struct out out;
	struct str bytes;
	int status = 0;

	if (out_open(&out, NULL) < 0)
		return 2;
	for (int i = 1; i < argc; i++) {
		if (!read_file(argv[i], &arena, &bytes)) {
			perror(argv[i]);
			status = 2;
			continue;
		}
		shrink_write(&out, bytes,
		             str_ends(str_of(argv[i]), STR(".css")) ? SHRINK_STYLE
		                                                    : SHRINK_SCRIPT);
		out_char(&out, '\n');
	}
	arena_release(&arena);
	return out_close(&out) < 0 ? 2 : status;
}

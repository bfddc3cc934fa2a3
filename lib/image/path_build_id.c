#include "image/path_build_id.h"

/*
 * Appends the bytes that `hex` represents to the n bytes of `id`.  Returns the new length, or 0
 * if `hex` is not hexadecimal or is too long.
 */
static size_t take_hex(struct str hex, char id[PATH_BUILD_ID_MAX], size_t n)
{
	if (!hex.n || n + hex.n / 2 > PATH_BUILD_ID_MAX || !str_hex_bytes(hex, id + n))
		return 0;
	return n + hex.n / 2;
}

/* Removes the last component from *path and returns it. */
static struct str last_part(struct str *path)
{
	struct str base = str_base(*path);

	*path = str_head(*path, path->n - base.n);
	if (path->n)
		path->n--;
	return base;
}

/* Reads the build-id of ".../.build-id/FIRST/REST". */
static size_t from_tree(struct str path, struct str first, struct str rest,
                        char id[PATH_BUILD_ID_MAX])
{
	size_t n;

	if (!str_eq(str_base(path), STR(".build-id")) || first.n != 2)
		return 0;
	if (str_ends(rest, STR(".debug")))
		rest.n -= strlen(".debug");
	n = take_hex(first, id, 0);
	return n ? take_hex(rest, id, n) : 0;
}

size_t path_build_id(struct str path, char id[PATH_BUILD_ID_MAX])
{
	struct str leaf = last_part(&path), folder = last_part(&path), above = path;
	struct str top = last_part(&above);
	size_t n = from_tree(path, folder, leaf, id);

	if (!n)
		n = from_tree(above, top, folder, id);
	if (!n && !str_skip(&folder, STR("elf-buildid-sym-")))
		str_skip(&folder, STR("elf-buildid-"));
	if (!n)
		n = take_hex(folder, id, 0);
	return n >= PATH_BUILD_ID_MIN ? n : 0;
}

#include "source/symlinks.h"

enum { FOLLOWED = 40, PATH_BYTES = 4096 }; /* the limits of Linux */

static struct symlink *find(const struct symlinks *l, struct str name)
{
	uint32_t at = table_get(&l->by_name, hash_str(name), name.n);

	return at && str_eq(l->link[at - 1].name, name) ? &l->link[at - 1] : NULL;
}

void symlinks_add(struct symlinks *l, struct str name, struct str target)
{
	uint32_t *at;

	if (!name.n || !target.n || name.n + target.n >= PATH_BYTES)
		return;
	at = table_at(&l->by_name, l->run, hash_str(name), name.n);
	*arena_push(l->run, l->link, l->n, l->cap) =
	        (struct symlink){ arena_str(l->run, name), arena_str(l->run, target) };
	/* If two links have the same name, the later one wins, as in tar x. */
	*at = (uint32_t)l->n;
}

/* Appends the components of `path` to `to`, which has n bytes.  ".." removes a component. */
static size_t append(char *to, size_t n, struct str path)
{
	while (path.n) {
		struct str part = str_cut(&path, '/');

		if (!part.n || str_eq(part, STR(".")))
			continue;
		if (str_eq(part, STR(".."))) {
			while (n && to[n - 1] != '/')
				n--;
			n -= n != 0;
			continue;
		}
		if (n)
			to[n++] = '/';
		memcpy(to + n, part.p, part.n);
		n += part.n;
	}
	return n;
}

/* Joins folder, target and rest to one path. */
static struct str join(struct str folder, struct str target, struct str rest,
                       struct arena *a)
{
	char *to = arena_new(a, char, folder.n + target.n + rest.n + 4);
	size_t n = 0;

	if (!str_starts(target, STR("/")))
		n = append(to, n, folder);
	n = append(to, n, target);
	return (struct str){ to, append(to, n, rest) };
}

struct str symlinks_target(const struct symlink *link, struct arena *a)
{
	return join(str_dir(link->name), link->target, (struct str){ 0 }, a);
}

/* Returns the first link in the path, and sets *rest to the part after it. */
static const struct symlink *first_link(const struct symlinks *l, struct str path,
                                        struct str *rest)
{
	for (size_t i = 1; i <= path.n; i++) {
		const struct symlink *link;

		if (i < path.n && path.p[i] != '/')
			continue;
		link = find(l, str_head(path, i));
		*rest = str_from(path, i);
		if (link)
			return link;
	}
	return NULL;
}

struct str symlinks_follow(const struct symlinks *l, struct str path, struct arena *a)
{
	struct str rest, none = { 0 };

	for (int i = 0; i < FOLLOWED && path.n < PATH_BYTES; i++) {
		const struct symlink *link = first_link(l, path, &rest);

		if (!link)
			return path;
		path = join(str_dir(link->name), link->target, rest, a);
	}
	return none;
}

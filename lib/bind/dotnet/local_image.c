#include "bind/dotnet/local_image.h"

#include "bind/binder.h"

static enum source_look only_pe(struct str name, struct str head)
{
	(void)name;
	return pe_bid(head) ? LOOK_WHOLE : LOOK_NOTHING;
}

static enum host_likeness compare(const struct binder *b, const struct mapping *m,
                                  const char **why)
{
	const struct locator *l = b->locator;

	if (l->host == HOST_TRUSTED)
		return HOST_SAME;
	return host_compare(l, m, why);
}

struct item *local_image_add(const struct binder *b, const struct mapping *m,
                             const char **why)
{
	struct locator *l = b->locator;
	const struct host_file f = host_file_of(l, m);
	struct item *it;

	if (!str_starts(f.name, STR("/")) || m->assumed || !host_has(l, m))
		return NULL;
	if (compare(b, m, why) == HOST_OTHER)
		return host_mention(l, &f);
	*why = NULL;
	it = host_add(l, f.name, f.opened.p, only_pe);
	return it && it->kind == ITEM_PE ? it : NULL;
}

enum host_likeness local_image_compare(const struct binder *b, const struct mapping *m,
                                       const struct item *it)
{
	const char *why;

	if (m->assumed || !str_eq(it->name, host_file_of(b->locator, m).name))
		return HOST_OTHER;
	return compare(b, m, &why);
}

struct item *local_image_program(struct binder *b, const struct mapping *m)
{
	struct locator *l = b->locator;
	const struct elf *e;
	struct item *it;
	const char *why;

	if (m->assumed || !host_is_bundle(l, m))
		return NULL;
	if (!m->build_id.n && compare(b, m, &why) != HOST_SAME)
		return NULL;
	it = host_find_mapped(l, m);
	e = it && it->program ? locate_elf(l, it) : NULL;
	if (!e || (m->build_id.n && !elf_same_id(e->build_id, m->build_id)))
		return NULL;
	return it;
}

/*
 * Files of the analysing machine.  A profile says their paths and is not to be
 * trusted: only regular files are opened, only ELF files are read, and never an
 * archive is unpacked.
 */
#include "image/locate.h"

enum { HOST_MAX = 16384 }; /* files that are opened */

static enum source_look only_elf(struct str name, struct str head)
{
	(void)name;
	return elf_bid(head) ? LOOK_WHOLE : LOOK_NOTHING;
}

void locate_use_host(struct locator *l, enum host_use use, const struct source_opts *o)
{
	l->host = use;
	if (use == HOST_NEVER)
		return;
	l->host_opts = *o;
	l->host_opts.look = only_elf;
	l->host_opts.is_profile = false;
	l->host_opts.plain = true;
	/* Items must not move any more. */
	l->item = arena_grow(l->run, l->item, &l->cap, l->n + HOST_MAX, sizeof(*l->item));
}

struct item *locate_host(struct locator *l, struct str path)
{
	struct source *s;
	str_id id;
	uint32_t *at;

	if (l->host == HOST_NEVER || !path.n || path.p[0] != '/')
		return NULL;
	id = intern(l->names, path);
	at = table_at(&l->host_tried, l->run, id, 0);
	if (*at)
		return *at > 1 ? &l->item[*at - 2] : NULL;
	*at = 1;
	s = l->nhost < HOST_MAX ? source_open(intern_str(l->names, id).p, &l->host_opts)
	                        : NULL;
	if (!s)
		return NULL;
	l->opened = arena_grow(l->run, l->opened, &l->opened_cap, l->nopened + 1,
	                       sizeof(struct source *));
	l->opened[l->nopened++] = s;
	l->nhost++;
	if (!elf_bid(source_head(s, 0)))
		return NULL;
	locate_add(l, s, false, SIZE_MAX);
	l->item[l->n - 1].local = true;
	*at = (uint32_t)l->n + 1;
	return &l->item[l->n - 1];
}

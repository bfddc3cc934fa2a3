#include "image/host.h"

#include <elf.h>
#include <sys/auxv.h>

enum {
	HOST_MAX = 16384,    /* files that are opened */
	VDSO_MAX = 64 << 10, /* bytes; it has two pages */
};

static enum source_look only_elf(struct str name, struct str head)
{
	(void)name;
	return elf_bid(head) ? LOOK_WHOLE : LOOK_NOTHING;
}

void host_use(struct locator *l, enum host_policy policy, const struct source_opts *o)
{
	l->host = policy;
	if (policy == HOST_NEVER)
		return;
	l->host_opts = *o;
	l->host_opts.look = only_elf;
	l->host_opts.is_profile = false;
	l->host_opts.plain = true;
	/* Items must not move any more. */
	l->item = arena_grow(l->run, l->item, &l->cap, l->n + HOST_MAX, sizeof(*l->item));
}

/* What the kernel maps into every process: an ELF file whose sections' headers come last. */
static struct str own_vdso(void)
{
	uintptr_t at = getauxval(AT_SYSINFO_EHDR);
	Elf64_Ehdr eh;
	size_t n;

	if (!at)
		return (struct str){ 0 };
	memcpy(&eh, (const void *)at, sizeof(eh)); // NOLINT(performance-no-int-to-ptr)
	n = eh.e_shoff + (size_t)eh.e_shnum * eh.e_shentsize;
	if (eh.e_ident[EI_CLASS] != ELFCLASS64 || n > VDSO_MAX)
		return (struct str){ 0 };
	return (struct str){ (const char *)at, n }; // NOLINT(performance-no-int-to-ptr)
}

/* NULL: this machine's cannot be read. */
static struct item *add_vdso(struct locator *l, struct str path)
{
	struct elf *elf = arena_new(l->run, struct elf, 1);
	struct item *it = &l->item[l->n];

	if (l->nhost == HOST_MAX || !elf_read(elf, own_vdso(), l->run))
		return NULL;
	l->nhost++;
	*it = (struct item){
		.kind = ITEM_ELF, .name = path, .local = true, .opened = true, .elf = elf
	};
	l->n++;
	return it;
}

struct item *host_find(struct locator *l, struct str path)
{
	bool vdso = str_eq(path, STR("[vdso]"));
	struct source *s;
	str_id id;
	uint32_t *at;

	if (l->host == HOST_NEVER || !path.n || (path.p[0] != '/' && !vdso))
		return NULL;
	id = intern(l->names, path);
	at = table_at(&l->host_tried, l->run, id, 0);
	if (*at)
		return *at > 1 ? &l->item[*at - 2] : NULL;
	*at = 1;
	if (vdso) {
		struct item *it = add_vdso(l, intern_str(l->names, id));

		*at = it ? (uint32_t)l->n + 1 : 1;
		return it;
	}
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

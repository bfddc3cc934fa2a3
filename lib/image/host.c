#include "image/host.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "image/path_build_id.h"

enum {
	HOST_MAX = 16384,    /* files that are opened */
	VDSO_MAX = 64 << 10, /* bytes; it has two pages */
	NOTES_MAX = 64 << 10,
	KALLSYMS_MAX = 256 << 20, /* bytes; 10 to 30 MB are usual */
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

/* NULL: there is no regular file of that path whose bytes look so. */
static struct source *open_file(struct locator *l, const char *path,
                                enum source_look (*look)(struct str, struct str))
{
	struct source_opts opts = l->host_opts;
	struct source *s;

	opts.look = look;
	s = l->nhost < HOST_MAX ? source_open(path, &opts) : NULL;
	if (!s)
		return NULL;
	l->opened = arena_grow(l->run, l->opened, &l->opened_cap, l->nopened + 1,
	                       sizeof(struct source *));
	l->opened[l->nopened++] = s;
	l->nhost++;
	return s;
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
	s = open_file(l, intern_str(l->names, id).p, only_elf);
	if (!s)
		return NULL;
	if (!elf_bid(source_head(s, 0)))
		return NULL;
	locate_add(l, s, false, SIZE_MAX);
	l->item[l->n - 1].local = true;
	*at = (uint32_t)l->n + 1;
	return &l->item[l->n - 1];
}

static enum source_look only_kallsyms(struct str name, struct str head)
{
	(void)name;
	return kallsyms_bid(head) ? LOOK_WHOLE : LOOK_NOTHING;
}

/* The bytes of a file below /proc or /sys, which says no size; empty: it cannot be read. */
static struct str read_pseudo_file(const char *path, size_t most, struct arena *a)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *buf = NULL;
	size_t n = 0, cap = 0;
	ssize_t got = 1;

	while (fd >= 0 && got > 0 && n < most) {
		buf = arena_grow(a, buf, &cap, n + NOTES_MAX, 1);
		got = read(fd, buf + n, cap - n);
		n += got > 0 ? (size_t)got : 0;
	}
	if (fd >= 0)
		close(fd);
	return got < 0 ? (struct str){ 0 } : (struct str){ buf, n };
}

static bool is_running_kernel(struct locator *l, struct str id)
{
	struct str notes = read_pseudo_file("/sys/kernel/notes", NOTES_MAX, l->run);

	return elf_same_id(elf_note_id(notes, false), id);
}

/* What perf kept when it recorded; right also after another boot. */
static struct item *add_perf_kallsyms(struct locator *l, struct str id)
{
	const char *home = getenv("HOME");
	struct source *s;
	struct str path;
	char hex[2 * PATH_BUILD_ID_MAX + 1];

	if (!home)
		return NULL;
	for (size_t i = 0; i < id.n; i++)
		snprintf(hex + 2 * i, 3, "%02x", (unsigned char)id.p[i]);
	path = arena_fmt(l->run, "%s/.debug/[kernel.kallsyms]/%s/kallsyms", home, hex);
	s = open_file(l, path.p, only_kallsyms);
	if (!s || !kallsyms_bid(source_head(s, 0)))
		return NULL;
	locate_add(l, s, false, SIZE_MAX);
	return &l->item[l->n - 1];
}

static struct item *add_running_kallsyms(struct locator *l)
{
	struct str bytes = read_pseudo_file("/proc/kallsyms", KALLSYMS_MAX, l->run);
	struct kallsyms *ks = arena_new(l->run, struct kallsyms, 1);
	struct item *it = &l->item[l->n];

	if (l->nhost == HOST_MAX)
		return NULL;
	l->nhost++;
	*it = (struct item){ .kind = ITEM_KALLSYMS,
		             .name = STR("/proc/kallsyms"),
		             .opened = true };
	if (kallsyms_read(ks, bytes, l->run))
		it->kallsyms = ks;
	l->n++;
	return it;
}

struct item *host_kallsyms(struct locator *l, struct str id)
{
	struct item *it;

	if (l->host == HOST_NEVER || !id.n || id.n > PATH_BUILD_ID_MAX)
		return NULL;
	if (l->kallsyms_tried)
		return elf_same_id(l->kallsyms_id, id) ? l->kallsyms : NULL;
	l->kallsyms_tried = true;
	l->kallsyms_id = arena_str(l->run, id);
	it = add_perf_kallsyms(l, id);
	if (!it && is_running_kernel(l, id))
		it = add_running_kallsyms(l);
	if (it)
		it->local = true;
	l->kallsyms = it;
	return it;
}

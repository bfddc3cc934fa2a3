#include "bind/native/inlined.h"

#include "base/guard.h"
#include "bind/binder.h"
#include "bind/native/kernel.h"
#include "bind/native/native.h"
#include "bind/sampled.h"
#include "image/dwarf/dwarf_cache.h"
#include "image/host.h"
#include "image/tables.h"

/* Opens the DWARF of an ELF file.  The item may be compressed. */
static struct dwarf *open_item(const struct binder *b, struct item *it)
{
	const struct elf *e = locate_elf(b->locator, it);

	return dwarf_open(e ? e->bytes : source_map(it->source, it->member), b->run);
}

static struct dwarf *open_program(const struct binder *b, struct native *n,
                                  struct item *it)
{
	struct cache *cache = b->locator->cache;
	const struct elf *e = it ? locate_elf(b->locator, it) : NULL;
	struct item *files[] = { it, n->alt };
	struct dwarf *d = NULL;

	if (!e || !e->has_dwarf)
		return NULL;
	if (n->alt)
		source_map(n->alt->source, n->alt->member);
	n->cached = tables_name(b->locator, files, 2, 'd', &n->dwarf_of);
	n->dwarf_item = it;
	if (n->cached)
		d = dwarf_cache_load(cache, &n->dwarf_of, e->bytes, b->run);
	return d ? d : open_item(b, it);
}

/* The program that contains the skeleton units of split DWARF. */
struct owner {
	const struct binder *b;
	const struct native *native;
	struct dwarf *package; /* NAME.dwp if the program is NAME */
	bool package_tried;
};

/* Opens an ELF file with that path.  The caller compares the id of the unit. */
static struct dwarf *open_called(const struct binder *b, struct str path)
{
	struct item *it = locate_path(b->locator, path, ITEM_ELF);

	if (!it)
		it = host_find(b->locator, path);
	return it ? open_item(b, it) : NULL;
}

static struct dwarf *package_of(struct owner *o)
{
	const struct item *image = o->native->image ? o->native->image : o->native->debug;

	if (!o->package_tried) {
		o->package_tried = true;
		o->package = open_called(
		        o->b, arena_fmt(o->b->run, PRSTR ".dwp", STRARG(image->name)));
	}
	return o->package;
}

static struct dwarf *find_split(void *ctx, struct str name, struct str directory)
{
	struct owner *o = ctx;
	struct dwarf *d = package_of(o);
	struct str path = name;

	if (!d && name.n && name.p[0] != '/')
		path = arena_fmt(o->b->run, PRSTR "/" PRSTR, STRARG(directory),
		                 STRARG(name));
	return d ? d : open_called(o->b, path);
}

static void take_splits(const struct binder *b, const struct native *n)
{
	struct owner *o = arena_new(b->run, struct owner, 1);
	struct dwarf_splits splits = { find_split, o };

	*o = (struct owner){ .b = b, .native = n };
	dwarf_give_splits(n->dwarf, &splits);
}

/* Arguments and result of a call into libdw for one program. */
struct dwarf_call {
	const struct binder *b;
	struct native *n;
	uint64_t va;
	struct dwarf_place *out;
	size_t max, found;
};

/* Calls into libdw.  If the library crashes, the program's DWARF is not used again. */
static void guard_dwarf(struct dwarf_call *c, void (*work)(void *ctx))
{
	const struct item *it = c->n->debug ? c->n->debug : c->n->image;
	const struct guard g = { .library = "libdw",
		                 .file = it ? it->name : STR(""),
		                 .diag = c->b->diag,
		                 .memory = true,
		                 .state = c->b->guard };
	enum guard_end end = guard_run(&g, work, c);

	if (end != GUARD_DONE)
		c->n->cached = false;
	if (end == GUARD_CRASHED)
		c->n->dwarf = NULL;
}

static void call_open(void *ctx)
{
	const struct dwarf_call *c = ctx;
	const struct binder *b = c->b;
	struct native *n = c->n;

	n->dwarf = open_program(b, n, n->debug);
	if (n->dwarf && n->image)
		n->moved = elf_moved(locate_elf(b->locator, n->image),
		                     locate_elf(b->locator, n->debug));
	if (!n->dwarf)
		n->dwarf = open_program(b, n, n->image);
	if (n->dwarf && n->alt)
		dwarf_give_alt(n->dwarf, open_item(b, n->alt));
	if (n->dwarf)
		take_splits(b, n);
}

static struct dwarf *dwarf_of(const struct binder *b, struct native *n)
{
	if (n->dwarf_tried)
		return n->dwarf;
	n->dwarf_tried = true;
	guard_dwarf(&(struct dwarf_call){ .b = b, .n = n }, call_open);
	return n->dwarf;
}

void inlined_report(const struct binder *b)
{
	const struct item *first = NULL;
	size_t missing = 0;

	for (size_t i = 0; i < b->natives->n; i++) {
		const struct native *n = &b->natives->native[i];

		if (!n->dwarf || !dwarf_splits_missing(n->dwarf))
			continue;
		missing += dwarf_splits_missing(n->dwarf);
		first = first ? first : n->image ? n->image : n->debug;
	}
	if (missing)
		diag_note(b->diag,
		          PRSTR ": %zu of its split units (.dwo, .dwp) are missing, and "
		                "so are their inlined functions; add them with -m",
		          STRARG(first->name), missing);
}

/* Returns the ELF files that name m, or NULL.  Sets *delta to va minus ip. */
static struct native *native_at(const struct binder *b, const struct mapping *m,
                                uint64_t *delta)
{
	struct native *n;

	if (!m)
		return NULL;
	if (m->kind == MAPPED_KERNEL)
		return kernel_native(b, m, delta);
	n = native_open(b, m, delta);
	*delta -= m->bias;
	return n;
}

bool inlined_is_known(const struct binder *b, const struct mapping *m)
{
	uint64_t delta;
	struct native *native = native_at(b, m, &delta);

	return native && dwarf_of(b, native);
}

static void call_find(void *ctx)
{
	struct dwarf_call *c = ctx;

	c->found = dwarf_find(c->n->dwarf, c->va, c->out, c->max);
}

size_t inlined_find(const struct binder *b, const struct bind_query *q,
                    struct dwarf_place *out, size_t max)
{
	uint64_t delta = 0;
	struct native *native = native_at(b, q->m, &delta);
	struct dwarf_call c = { .b = b, .n = native, .out = out, .max = max };

	if (!native || !dwarf_of(b, native))
		return 0;
	c.va = sampled_byte(q->ip, q->caller) + delta - native->moved;
	guard_dwarf(&c, call_find);
	for (size_t i = 0; i < c.found; i++)
		out[i].func = demangle_once(b->demangled, out[i].func, b->run);
	return c.found;
}

void inlined_visit(const struct binder *b, const struct bind_query *q, bool all)
{
	struct dwarf_place first;
	uint64_t delta = 0;
	struct native *native = native_at(b, q->m, &delta);
	const struct dwarf *d = native ? dwarf_of(b, native) : NULL;

	if (!d || (native->visited && !dwarf_has_splits(d) && !all))
		return;
	native->visited = true;
	(void)inlined_find(b, q, &first, 1);
}

static void keep(struct binder *b, struct native *n)
{
	struct item *files[] = { n->dwarf_item, n->alt };
	struct str list =
	        dwarf_cache_keep(n->dwarf, b->locator->cache, &n->dwarf_of, b->run);

	if (list.n)
		tables_order(b->locator, files, 2, &n->dwarf_of, list);
}

void inlined_close(struct binder *b)
{
	for (size_t i = 0; i < b->natives->n; i++) {
		struct native *n = &b->natives->native[i];

		if (n->dwarf && n->cached)
			keep(b, n);
		dwarf_close(n->dwarf);
	}
}

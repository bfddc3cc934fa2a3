#include "bind/native/made_tables.h"

#include "base/guard.h"
#include "bind/native/demangle.h"
#include "image/dwarf/dwarf_cache.h"
#include "image/elf/elf_cache.h"
#include "image/elf/elf_symbols.h"
#include "image/tables.h"

bool made_tables_kind(char kind)
{
	return kind == 't' || kind == 'd';
}

static struct str spell(void *ctx, struct str name)
{
	return demangle(name, DEMANGLE_SHORT, ctx);
}

/* A cache entry that is being made, and the files that it describes. */
struct making {
	struct cache *cache;
	struct cache_name name;
	const struct elf *e[ORDER_FILES];
	size_t n;
	struct str list;
	struct arena *arena;
	struct symtab symbols;
	struct dwarf *dwarf;
};

static void read_symbols(void *ctx)
{
	struct making *m = ctx;
	const struct elf_spelling sp = { spell, m->arena };

	elf_symbols(m->e, m->n, &sp, &m->symbols, m->arena);
}

/* m->e[1] is the common debug file of dwz, or NULL. */
static void read_dwarf(void *ctx)
{
	struct making *m = ctx;
	struct str bytes = m->e[0]->bytes, list = m->list;
	struct dwarf_place place;
	uint64_t va;

	m->dwarf = dwarf_cache_load(m->cache, &m->name, bytes, m->arena);
	if (!m->dwarf)
		m->dwarf = dwarf_open(bytes, m->arena);
	if (m->dwarf && m->e[1])
		dwarf_give_alt(m->dwarf, dwarf_open(m->e[1]->bytes, m->arena));
	for (; m->dwarf && list.n >= sizeof(va); list = str_from(list, sizeof(va))) {
		memcpy(&va, list.p, sizeof(va));
		dwarf_find(m->dwarf, va, &place, 1);
	}
}

/* Makes an entry.  If the library fails, does not store the entry, which may be incomplete. */
static void make(struct making *m, struct guard *g)
{
	bool symbols = m->name.kind == 't';

	g->library = symbols ? "libelf" : "libdw";
	if (guard_run(g, symbols ? read_symbols : read_dwarf, m) != GUARD_DONE)
		return;
	if (symbols)
		elf_cache_store(m->cache, &m->name, m->e, m->n, &m->symbols);
	else if (m->dwarf)
		dwarf_cache_keep(m->dwarf, m->cache, &m->name, m->arena);
}

/* Adds a file to the locator.  Returns false if the file cannot be read. */
static bool add_file(struct locator *l, struct str name, int fd, struct budget *budget)
{
	const struct source_opts opts = {
		.look = locate_look,
		.plain = true,
		.opened = arena_fmt(l->run, "/proc/self/fd/%d", fd).p,
		.cache = l->cache,
		.run = l->run,
		.budget = budget,
		.diag = budget->diag,
	};
	struct source *s = source_open(arena_str(l->run, name).p, &opts);

	if (s)
		locate_add(l, s, false, s->n);
	return s && s->n == 1;
}

void made_tables(struct cache *c, const struct order *o, struct budget *budget,
                 struct arena *a)
{
	struct making m = { .cache = c, .n = o->files, .list = o->list, .arena = a };
	struct guard g = { .diag = budget->diag, .memory = true };
	struct item *item[ORDER_FILES] = { 0 };
	struct interner names;
	struct locator l;
	size_t n = 0;

	intern_init(&names, a);
	locate_init(&l, a, &names);
	l.cache = c;
	for (size_t i = 0; i < o->files; i++)
		if (o->fd[i] >= 0 && !add_file(&l, o->name[i], o->fd[i], budget))
			return;
	for (size_t i = 0; i < o->files; i++) {
		item[i] = o->fd[i] < 0 ? NULL : &l.item[n++];
		m.e[i] = item[i] ? locate_elf(&l, item[i]) : NULL;
		if (item[i] && !m.e[i])
			return;
	}
	if (m.e[0] && tables_name(&l, item, o->files, o->kind, &m.name))
		make(&m, &g);
}

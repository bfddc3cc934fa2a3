#include "bind/native/match_given.h"

#include "bind/binder.h"
#include "bind/native/elf_calls.h"
#include "bind/native/native.h"

/* The evidence for an ELF file that -m names. */
struct trial {
	struct binder *b;
	struct item *item;
	const struct elf *elf;
	struct arena scratch;
	struct table seen; /* set of paths of the modules that were compared */
	/*
	 * by_id: number of mappings with a build-id, if the file has one.  same_name: number of
	 * mappings without build-id that have the file name of the file
	 */
	size_t same_name, by_id;
	size_t fit; /* number of modules that have the same segments as the file */
	/*
	 * number of modules counted in `fit` whose return addresses follow calls in the
	 * file
	 */
	size_t agree;
	/*
	 * the first two modules that agree.  If no module agrees, the first module that
	 * fits
	 */
	str_id module, other;
	/* counts of return addresses in `module`, if no module agrees */
	struct elf_calls calls;
};

static void remember(struct trial *t, size_t nth, str_id module)
{
	if (nth == 1)
		t->module = module;
	else if (nth == 2)
		t->other = module;
}

static void try_module(struct trial *t, const struct mapping *m)
{
	struct native_files files;
	struct elf_calls c = { 0 };

	if (!native_module_fits(t->b, m->path, t->item, &c))
		return;
	t->fit++;
	if (!elf_calls_agree(&c, true)) {
		if (!t->agree && !t->module) {
			t->module = m->path;
			t->calls = c;
		}
		return;
	}
	/* If the build-id of the mapping finds a file, the mapping needs no file of -m. */
	if (native_files_find(t->b->locator, m, t->b->run, &files) && files.image)
		return;
	remember(t, ++t->agree, m->path);
}

static void try_mapping(struct trial *t, const struct mapping *m)
{
	struct locator *l = t->b->locator;
	uint32_t *seen;

	if (m->kind != MAPPED_IMAGE || !native_is_file(intern_str(l->names, m->path)))
		return;
	if (m->build_id.n && t->elf->build_id.n) {
		t->by_id++;
		return;
	}
	if (!m->build_id.n &&
	    str_eq(str_base(t->item->name), str_base(intern_str(l->names, m->path)))) {
		t->same_name++;
		return;
	}
	seen = table_at(&t->seen, &t->scratch, m->path, 0);
	if (*seen || t->seen.n > SAME_NAME)
		return;
	*seen = 1;
	try_module(t, m);
}

static struct str reason_of(const struct trial *t)
{
	struct interner *names = t->b->locator->names;
	struct str module = intern_str(names, t->module);

	if (t->agree > 1)
		return arena_fmt(t->b->run, "it may be " PRSTR " or " PRSTR,
		                 STRARG(module), STRARG(intern_str(names, t->other)));
	if (t->fit && !t->calls.all)
		return arena_fmt(t->b->run,
		                 "its segments fit " PRSTR
		                 ", but no return address was sampled there",
		                 STRARG(module));
	if (t->fit)
		return arena_fmt(
		        t->b->run,
		        "its segments fit " PRSTR ", but of %zu return addresses sampled "
		        "there %zu follow calls in it",
		        STRARG(module), t->calls.all,
		        t->calls.last > t->calls.good ? t->calls.last : t->calls.good);
	/*
	 * If the file and a mapping have build-ids, the search by build-id decides whether the file
	 * is used.  The checks of this module then give no reason.
	 */
	return t->by_id ? (struct str){ 0 } : STR("its segments fit no mapping");
}

static void decide(struct trial *t)
{
	struct binder *b = t->b;
	struct str module, why;

	if (t->agree != 1) {
		why = reason_of(t);
		t->item->why = why.n ? why.p : t->item->why;
		return;
	}
	module = intern_str(b->locator->names, t->module);
	*table_at(&b->natives->given, b->run, t->module, 0) =
	        (uint32_t)(t->item - b->locator->item) + 1;
	diag_note(b->diag,
	          PRSTR ": taken for " PRSTR ", the only module that its segments and "
	                "calls fit; the recorded build is unknown",
	          STRARG(t->item->name), STRARG(module));
}

void match_given(struct binder *b)
{
	struct locator *l = b->locator;
	const struct mapping *const *maps;
	size_t n = process_mappings(b->ps, &maps);

	/*
	 * The loop may add files of this machine to l.  It skips them, because -m does not name
	 * them.
	 */
	for (size_t i = 0; i < l->n; i++) {
		struct trial t = { .b = b, .item = &l->item[i] };

		if (t.item->kind != ITEM_ELF || !locate_is_named(t.item))
			continue;
		t.elf = locate_elf(l, t.item);
		if (!t.elf || t.elf->bare || t.elf->relocatable)
			continue;
		for (size_t k = 0; k < n; k++)
			try_mapping(&t, maps[k]);
		if (!t.same_name)
			decide(&t);
		arena_release(&t.scratch);
	}
}

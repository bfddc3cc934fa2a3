#include "bind/dotnet/match_copied.h"

#include "bind/binder.h"
#include "bind/bound_map.h"
#include "bind/dotnet/bound_image.h"
#include "image/dotnet/assembly.h"

enum {
	/* least size of code, because shorter code may be equal by chance */
	ENOUGH_BYTES = 32,
	/* maximum number of methods that are compared for a mapping */
	METHODS_ASKED = 64,
	/* maximum number of methods with the wanted size that are tried in an image */
	PLACES_TRIED = 4096,
	PERCENT_SAME = 90,
	AGREEING = 2, /* least number of methods with equal bytes in dump and image */
};

/* A method of an image.  The methods are sorted by the size of their code. */
struct sized {
	uint32_t size, rva;
};

/* An image with its sorted methods. */
struct looked {
	const struct item *item;
	struct sized *method;
	size_t n;
};

/* The precompiled methods of a jitdump that are in one mapping. */
struct found_code {
	const struct mapping *m;
	const struct jitdump *dump;
	uint32_t code[METHODS_ASKED];
	size_t n;
};

struct copied {
	struct binder *b;
	struct arena scratch;
	struct found_code *found;
	size_t n, cap;
	struct table of_mapping; /* mapping id -> index of the found_code + 1 */
	struct looked *looked;
	size_t nlooked, looked_cap;
};

static bool is_memory(const struct mapping *m)
{
	return m->kind == MAPPED_ANON || m->kind == MAPPED_DOUBLEMAPPER;
}

static void note_code(struct copied *c, const struct bound_map *bm, size_t i)
{
	const struct jit_code *code = &bm->dump->code[i];
	const struct mapping *m = process_find(c->b->ps, bm->pid, code->start, MODE_USER);
	struct found_code *f;
	uint32_t *at;

	if (!m || !is_memory(m) || code->size < ENOUGH_BYTES ||
	    bound_image_get(c->b, m) ||
	    !str_ends(jitdump_name(bm->dump, i, &c->scratch), STR("[PreJIT]")))
		return;
	at = table_at(&c->of_mapping, &c->scratch, m->id, 0);
	f = table_item(at, &c->scratch, c->found, c->n, c->cap,
	               (struct found_code){ .m = m, .dump = bm->dump });
	if (f->n < METHODS_ASKED && f->dump == bm->dump)
		f->code[f->n++] = (uint32_t)i;
}

ORDER(by_size, struct sized, num_cmp(a->size, b->size) ?: num_cmp(a->rva, b->rva))

static const struct looked *look_into(struct copied *c, struct item *it)
{
	struct r2r *r;
	struct looked *l;

	for (size_t i = 0; i < c->nlooked; i++)
		if (c->looked[i].item == it)
			return &c->looked[i];
	l = arena_push(&c->scratch, c->looked, c->nlooked, c->looked_cap);
	*l = (struct looked){ .item = it };
	r = assembly_code(c->b->locator, it);
	l->n = r ? r2r_count(r) : 0;
	l->method = arena_new(&c->scratch, struct sized, l->n);
	for (size_t i = 0; i < l->n; i++) {
		struct r2r_range code = r2r_range(r, i);

		l->method[i] = (struct sized){ code.end - code.begin, code.begin };
	}
	order_by(l->method, l->n, by_size);
	return l;
}

static bool same_code(const struct pe *pe, uint64_t rva, struct str code)
{
	return code.n && str_eq(pe_bytes(pe, rva, code.n), code);
}

/*
 * Returns how many methods of f have the same bytes in the dump and in the image, if the image is
 * loaded at base.
 */
static size_t agreeing(const struct found_code *f, const struct pe *pe, uint64_t base)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		n += same_code(pe, f->dump->code[f->code[i]].start - base,
		               jitdump_code(f->dump, f->code[i]));
	return n;
}

/*
 * Finds the base address of an image.  Each method of the image with the same bytes as the
 * first method of f gives a possible base.  The other methods of f confirm one base.
 */
static bool find_base(struct copied *c, const struct found_code *f, struct item *it,
                      uint64_t *base)
{
	const struct pe *pe = locate_pe(c->b->locator, it);
	const struct looked *l = pe ? look_into(c, it) : NULL;
	struct str code = jitdump_code(f->dump, f->code[0]);
	struct sized want = { (uint32_t)code.n, 0 };
	size_t low = bisect(l ? l->n : 0, i, by_size(&l->method[i], &want) < 0);
	size_t need = f->n * PERCENT_SAME / 100;

	if (need < AGREEING)
		need = AGREEING;
	for (int tried = 0; l && low < l->n && tried < PLACES_TRIED; tried++, low++) {
		if (l->method[low].size != code.n)
			break;
		if (!same_code(pe, l->method[low].rva, code))
			continue;
		*base = f->dump->code[f->code[0]].start - l->method[low].rva;
		if (agreeing(f, pe, *base) >= need)
			return true;
	}
	return false;
}

/*
 * Returns the file name of the assembly that defines a method: "calc10.dll" for "int32 [calc10]
 * Calc.Program::...".
 */
static struct str assembly_of(struct str name, struct arena *a)
{
	size_t at = str_search(name, STR(" ["));
	struct str rest = str_from(name, at + 2);
	size_t end = str_find(rest, ']');

	if (end == rest.n)
		return (struct str){ 0 };
	return arena_fmt(a, PRSTR ".dll", STRARG(str_head(rest, end)));
}

/* Binds the image with that file name if its bytes match f. */
static bool try_called(struct copied *c, const struct found_code *f, struct str name)
{
	struct locator *l = c->b->locator;
	struct item *it = locate_base(l, name);

	for (int tried = 0; it && tried < SAME_NAME; tried++, it = locate_next(l, it)) {
		struct bound_image im = { .m = f->m, .image = it };

		if (it->kind != ITEM_PE || !find_base(c, f, it, &im.base))
			continue;
		bound_image_add(c->b, &im);
		diag_note(c->b->diag,
		          "%s: " PRSTR
		          " was copied to anonymous memory at %llx: %zu methods of a "
		          "jitdump have its code",
		          process_label(f->m->pid).text, STRARG(it->name),
		          (unsigned long long)im.base, f->n);
		return true;
	}
	return false;
}

/*
 * Binds the composite image that contains the code of a component.  `name` is the file name of
 * the component.  The component contains the name of the composite image.
 */
static bool try_owner(struct copied *c, const struct found_code *f, struct str name)
{
	struct locator *l = c->b->locator;
	struct item *it = locate_base(l, name);

	for (int tried = 0; it && tried < SAME_NAME; tried++, it = locate_next(l, it)) {
		const struct pe *pe = it->kind == ITEM_PE ? locate_pe(l, it) : NULL;
		struct str owner = pe ? r2r_owner(pe) : (struct str){ 0 };

		if (owner.n && try_called(c, f, owner))
			return true;
	}
	return false;
}

/*
 * Finds the image of f.  Tries the assembly of each method, because an image may also contain
 * instances of generics from other assemblies.
 */
static void place(struct copied *c, const struct found_code *f)
{
	struct table asked = { 0 };

	for (size_t i = 0; i < f->n; i++) {
		struct str name = jitdump_name(f->dump, f->code[i], &c->scratch);
		uint32_t *at;

		name = assembly_of(name, &c->scratch);
		at = table_at(&asked, &c->scratch, intern(c->b->locator->names, name), 0);
		if (*at || !name.n)
			continue;
		*at = 1;
		if (try_called(c, f, name) || try_owner(c, f, name))
			return;
	}
}

void match_copied(struct binder *b)
{
	struct copied c = { .b = b };

	for (size_t k = 0; k < b->maps->n; k++) {
		const struct bound_map *bm = &b->maps->map[k];

		for (size_t i = 0; bm->dump && i < bm->dump->n; i++)
			note_code(&c, bm, i);
	}
	for (size_t i = 0; i < c.n; i++)
		place(&c, &c.found[i]);
	arena_release(&c.scratch);
}

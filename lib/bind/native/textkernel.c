#include "bind/native/textkernel.h"

#include "bind/binder.h"

enum { KALLSYMS_TRIED = 16 }; /* saved lists among the sources */

/* "[kernel.kallsyms]", "[kernel]" */
static bool is_core(struct str module)
{
	return str_starts(module, STR("[kernel.kallsyms]")) ||
	       str_eq(module, STR("[kernel]"));
}

/* "xfs" of "[xfs]"; empty of the kernel itself. */
static struct str module_of(struct str module)
{
	if (is_core(module) || module.n < 3 || module.p[0] != '[' ||
	    module.p[module.n - 1] != ']')
		return (struct str){ 0 };
	return (struct str){ module.p + 1, module.n - 2 };
}

static const struct symbol *find(const struct kallsyms *ks, uint64_t ip, bool caller,
                                 struct str module, struct str *func)
{
	const struct symbol *s = symtab_find(&ks->symbols, caller ? ip - 1 : ip);
	struct str in;

	if (!s)
		return NULL;
	*func = kallsyms_split(s->name, &in);
	return str_eq(in, module) ? s : NULL;
}

/* Does the list have that function where the text has it? */
static void compare(struct heard_kernel *h, const struct kallsyms *ks,
                    const struct frame_text *ft)
{
	struct str func, module = module_of(ft->module);
	const struct symbol *s = find(ks, ft->addr, false, module, &func);

	if (!s || ft->addr - s->base != ft->func_off)
		h->differ++;
	else if (str_eq(func, ft->func))
		h->agree++;
}

static void hear(struct binder *b, struct heard_kernel *h, const struct frame_text *ft)
{
	const struct kallsyms *ks = locate_kallsyms(b->locator, h->item);

	if (!ks)
		return;
	if (ft->func.n && ft->has_off)
		compare(h, ks, ft);
	else if (is_core(ft->module) && ks->text && ks->etext)
		h->outside += ft->addr < ks->text || ft->addr > ks->etext;
}

static void list_kallsyms(struct binder *b)
{
	struct locator *l = b->locator;

	for (size_t i = 0; i < l->n && b->nheard < KALLSYMS_TRIED; i++) {
		if (l->item[i].kind != ITEM_KALLSYMS)
			continue;
		b->heard = arena_grow(b->run, b->heard, &b->heard_cap, b->nheard + 1,
		                      sizeof(*b->heard));
		b->heard[b->nheard++] = (struct heard_kernel){ .item = &l->item[i] };
	}
}

void bind_hear_kernel(struct binder *b, const struct frame_text *ft)
{
	uint32_t *at = table_at(&b->heard_at, b->run, ft->addr, 0);

	if (*at || ft->inlined || !(is_core(ft->module) || module_of(ft->module).n))
		return;
	if (!b->listed)
		list_kallsyms(b);
	b->listed = true;
	*at = 1;
	for (size_t i = 0; i < b->nheard; i++)
		hear(b, &b->heard[i], ft);
}

/* NULL: it fits. */
static const char *misfit(struct binder *b, const struct heard_kernel *h)
{
	if (!locate_kallsyms(b->locator, h->item))
		return "it has no symbols, or their addresses are hidden";
	if (h->differ * BIND_ALL_CALLS > h->agree * (100 - BIND_ALL_CALLS))
		return "kernel frames that have names are elsewhere in it";
	if (!h->agree && h->outside)
		return "kernel frames lie outside of its kernel's text";
	return NULL;
}

void bind_settle_kernel(struct binder *b)
{
	struct heard_kernel *best = NULL;

	for (size_t i = 0; i < b->nheard; i++) {
		struct heard_kernel *h = &b->heard[i];
		const char *why = misfit(b, h);

		if (why)
			diag_note(b->diag, PRSTR ": not used: %s", STRARG(h->item->name),
			          why);
		else if (!best || h->agree > best->agree)
			best = h;
	}
	if (!best)
		return;
	b->kernel_text = best;
	best->item->placed = true;
	if (best->agree)
		diag_detail(b->diag, PRSTR ": %zu kernel frames that have names agree",
		            STRARG(best->item->name), best->agree);
	else
		diag_note(b->diag,
		          PRSTR ": names kernel frames of the text, and nothing shows "
		                "that it is of the boot that ran",
		          STRARG(best->item->name));
}

bool bind_find_heard(const struct binder *b, uint64_t ip, struct str module, bool caller,
                     struct bound_name *out)
{
	const struct heard_kernel *h = b->kernel_text;
	const struct symbol *s;
	struct str func;

	if (!h || !(is_core(module) || module_of(module).n))
		return false;
	s = find(locate_kallsyms(b->locator, h->item), ip, caller, module_of(module),
	         &func);
	if (!s)
		return false;
	*out = (struct bound_name){ .func = func,
		                    .off = ip - s->base,
		                    .by = h->item,
		                    .how = h->agree ? VERIFIED_TEXT : VERIFIED_PATH };
	return true;
}

#include "bind/native/text_kallsyms.h"

#include "bind/binder.h"
#include "bind/native/kernel.h"

/* maximum number of kallsyms among the input files that are tried */
enum { KALLSYMS_TRIED = 16 };

/* Returns "xfs" for "[xfs]", and an empty string for the kernel itself. */
static struct str module_of(struct str module)
{
	if (kernel_is_core(module) || module.n < 3 || module.p[0] != '[' ||
	    module.p[module.n - 1] != ']')
		return (struct str){ 0 };
	return (struct str){ module.p + 1, module.n - 2 };
}

static const struct symbol *find(const struct kallsyms *ks, uint64_t ip, bool caller,
                                 struct str module, struct str *func)
{
	const struct symbol *s = symtab_find_frame(&ks->symbols, ip, caller, NULL);
	struct str in;

	if (!s)
		return NULL;
	*func = kallsyms_split(s->name, &in);
	return str_eq(in, module) ? s : NULL;
}

/* Compares the address of the function in ks with its address in the text. */
static void compare(struct compared_kallsyms *h, const struct kallsyms *ks,
                    const struct frame_text *ft)
{
	struct str func, module = module_of(ft->module);
	const struct symbol *s = find(ks, ft->addr, false, module, &func);

	if (!s || ft->addr - s->base != ft->func_off)
		h->differ++;
	else if (str_eq(func, ft->func))
		h->agree++;
}

static void note(struct binder *b, struct compared_kallsyms *h,
                 const struct frame_text *ft)
{
	const struct kallsyms *ks = locate_kallsyms(b->locator, h->item);

	if (!ks)
		return;
	if (ft->func.n && ft->has_off)
		compare(h, ks, ft);
	else if (kernel_is_core(ft->module) && ks->text && ks->etext)
		h->outside += ft->addr < ks->text || ft->addr > ks->etext;
}

static void list_kallsyms(struct binder *b)
{
	struct locator *l = b->locator;
	struct text_kallsyms *t = b->text_kallsyms;

	for (size_t i = 0; i < l->n && t->n < KALLSYMS_TRIED; i++) {
		if (l->item[i].kind != ITEM_KALLSYMS)
			continue;
		*arena_push(b->run, t->kallsyms, t->n, t->cap) =
		        (struct compared_kallsyms){ .item = &l->item[i] };
	}
	t->listed = true;
}

void text_kallsyms_note(struct binder *b, const struct frame_text *ft)
{
	struct text_kallsyms *t = b->text_kallsyms;
	uint32_t *at = table_at(&t->seen, b->run, ft->addr, 0);

	if (*at || ft->inlined ||
	    !(kernel_is_core(ft->module) || module_of(ft->module).n))
		return;
	if (!t->listed)
		list_kallsyms(b);
	*at = 1;
	for (size_t i = 0; i < t->n; i++)
		note(b, &t->kallsyms[i], ft);
}

/* Returns the reason why h cannot be used, or NULL. */
static const char *misfit(struct binder *b, const struct compared_kallsyms *h)
{
	if (!locate_kallsyms(b->locator, h->item))
		return "it has no symbols, or their addresses are hidden";
	if (h->differ * VERIFIED_CALLS_PERCENT >
	    h->agree * (100 - VERIFIED_CALLS_PERCENT))
		return "it disagrees with the named kernel frames";
	if (!h->agree && h->outside)
		return "kernel frames are outside the text of its kernel";
	return NULL;
}

void text_kallsyms_settle(struct binder *b)
{
	struct text_kallsyms *t = b->text_kallsyms;
	struct compared_kallsyms *best = NULL;

	for (struct compared_kallsyms *h = t->kallsyms; h < t->kallsyms + t->n; h++) {
		const char *why = misfit(b, h);

		if (why)
			diag_note(b->diag, PRSTR ": not used: %s", STRARG(h->item->name),
			          why);
		else if (!best || h->agree > best->agree)
			best = h;
	}
	if (!best)
		return;
	t->chosen = best;
	best->item->placed = true;
	if (best->agree)
		diag_detail(b->diag, PRSTR ": %zu named kernel frames agree",
		            STRARG(best->item->name), best->agree);
	else
		diag_note(b->diag,
		          PRSTR
		          ": names kernel frames of the text, but may be of another boot",
		          STRARG(best->item->name));
}

bool text_kallsyms_find(const struct binder *b, uint64_t ip, struct str module,
                        bool caller, struct bound_name *out)
{
	const struct compared_kallsyms *h = b->text_kallsyms->chosen;
	const struct symbol *s;
	struct str func;

	if (!h || !(kernel_is_core(module) || module_of(module).n))
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

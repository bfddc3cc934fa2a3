/*
 * Symbols with their modules, and their labels:
 *
 * 	Foo::operator()(int) const (/lib/x.so)
 * 	-> Foo::operator()
 * 	foo::bar::h0123456789abcdef (/bin/x)
 * 	-> foo::bar
 * 	Ljava/util/HashMap;::get->Ljava/util/HashMap;::getNode (/tmp/perf-1.map)
 * 	-> java.util.HashMap.get;java.util.HashMap.getNode
 * 	LazyCompile:*foo /app/x y.js:10:5 (/tmp/perf-1.map)
 * 	-> foo /app/x y.js:10:5
 * 	[unknown] (/memfd:doublemapper (deleted))
 * 	-> [memfd:doublemapper]
 */
#include "label/label.h"

#include <stdio.h>

#include "label/kind.h"
#include "label/tidy_dotnet.h"
#include "label/tidy_java.h"
#include "label/tidy_native.h"
#include "label/tidy_script.h"
#include "symbol/profile.h"

static bool is_control(char c)
{
	return (unsigned char)c < 0x20 || c == 0x7f;
}

/* From byte `from` on, replaces ';' by ':' and control characters by '?'. */
static void clean(struct tidy *t, size_t from)
{
	for (size_t i = from; i < t->n; i++)
		if (t->p[i] == ';')
			t->p[i] = ':';
		else if (is_control(t->p[i]))
			t->p[i] = '?';
}

static void put(struct tidy *t, struct str s)
{
	size_t from = t->n;

	tidy_put(t, s);
	clean(t, from);
}

static void put_byte(struct tidy *t, char c)
{
	tidy_put(t, (struct str){ &c, 1 });
}

struct str label_clean(struct arena *a, struct str s)
{
	struct tidy t = { .arena = a };
	size_t i = 0;

	while (i < s.n && s.p[i] != ';' && !is_control(s.p[i]))
		i++;
	if (i == s.n)
		return s;
	put(&t, s);
	return tidy_text(&t);
}

/*
 * Writes the label of unnamed code: the module in brackets, such as "[libc.so.6]".  Adds no
 * brackets to a module that already has brackets.
 */
static void put_unknown(struct tidy *t, struct str module, const struct label_name *name,
                        const struct label_opts *opts)
{
	bool bracketed = module.n && module.p[0] == '[';
	struct str base = bracketed ? module : str_base(module);
	char addr[32];

	if (!base.n)
		base = STR("unknown");
	if (bracketed && !opts->addrs) {
		put(t, base);
		return;
	}
	if (bracketed) {
		base = str_from(base, 1);
		base.n -= str_ends(base, STR("]"));
	}
	put_byte(t, '[');
	put(t, base);
	if (opts->addrs) {
		snprintf(addr, sizeof(addr), " <%llx>", (unsigned long long)name->addr);
		put(t, str_of(addr));
	}
	put_byte(t, ']');
}

size_t label_find_arrow(struct str s)
{
	size_t depth = 0;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c == '-' && i + 1 < s.n && s.p[i + 1] == '>') {
			if (!depth && !str_ends(str_head(s, i), STR("operator")))
				return i;
			i++;
		} else {
			depth = tidy_depth(depth, c, "(<[", ")>]");
		}
	}
	return s.n;
}

/* A frame whose label is being made. */
struct work {
	struct tidy out;
	const struct label_name *name;
	const struct label_opts *opts;
	enum kind kind;
	bool managed; /* the symbol is the name of a .NET method */
};

static const char *mark_of(const struct work *w, bool inlined)
{
	unsigned marks = w->opts->marks;

	if (marks & MARK_INLINED && inlined)
		return "_[i]";
	if (w->managed || w->kind == KIND_JIT || w->kind == KIND_DOTNET)
		return marks & MARK_JIT ? "_[j]" : "";
	if (w->kind == KIND_KERNEL)
		return marks & MARK_KERNEL ? "_[k]" : "";
	return w->kind == KIND_RUNTIME && marks & MARK_RUNTIME ? "_[r]" : "";
}

/* Writes the source line and the mark after a name. */
static void put_end(struct work *w, bool inlined)
{
	if (w->name->srcline.n && w->out.n) {
		put_byte(&w->out, ':');
		put(&w->out, w->name->srcline);
	}
	put(&w->out, str_of(mark_of(w, inlined)));
}

/* Writes a function of a chain. */
static void put_part(struct work *w, struct str part)
{
	struct tidy t = { .arena = w->out.arena, .level = w->opts->tidy };

	if (!tidy_java(&t, part))
		tidy_native(&t, part);
	put(&w->out, str_trim(tidy_text(&t)).n ? str_trim(tidy_text(&t)) : part);
}

/* Writes a chain of inlined functions.  The first function contains all others. */
static void put_chain(struct work *w, struct str func)
{
	bool inlined = w->name->flags & NAMED_INLINED;
	struct str whole = func;
	size_t begin = w->out.n;

	while (func.n) {
		size_t end = label_find_arrow(func);
		struct str part = str_trim(str_head(func, end));

		func = str_from(func, end + 2);
		if (!part.n)
			continue;
		if (w->out.n > begin) {
			put(&w->out, str_of(mark_of(w, inlined)));
			put_byte(&w->out, ';');
			inlined = true;
		}
		put_part(w, part);
	}
	if (w->out.n == begin)
		put(&w->out, whole);
	put_end(w, inlined);
}

static void put_tidy(struct work *w)
{
	bool jit = w->kind == KIND_JIT, managed = jit || w->kind == KIND_DOTNET;
	struct str func = str_trim(w->name->func);
	struct tidy t = { .arena = w->out.arena, .level = w->opts->tidy };

	if (jit && tidy_script(&t, func)) {
		put(&w->out, str_trim(tidy_text(&t)));
	} else if (tidy_dotnet(&t, func, managed)) {
		w->managed = true;
		put(&w->out, str_trim(tidy_text(&t)));
	} else if (jit || str_has(func, STR(";::"))) {
		put_chain(w, tidy_dotnet_without_tier(func, managed));
		return;
	} else {
		tidy_native(&t, managed ? tidy_dotnet_without_tier(func, true) : func);
		put(&w->out, str_trim(tidy_text(&t)));
	}
	put_end(w, w->name->flags & NAMED_INLINED);
}

struct str label_frame(struct arena *a, const struct label_name *name,
                       const struct label_opts *opts)
{
	struct work w = { .out = { .arena = a },
		          .name = name,
		          .opts = opts,
		          .kind = kind_of(name->module, name->flags) };
	struct str func = opts->tidy == TIDY_NONE ? name->func : str_trim(name->func);
	struct tidy raw = { .arena = a, .level = TIDY_NONE };
	bool unknown = name->flags & NAMED_UNKNOWN || !func.n;

	if (!unknown && opts->tidy != TIDY_NONE)
		put_tidy(&w);
	else if (!unknown && w.kind == KIND_NATIVE)
		w.managed = tidy_dotnet(&raw, str_trim(func), false);
	if (w.out.n)
		return tidy_text(&w.out);
	if (unknown)
		put_unknown(&w.out, kind_module(name->module), name, opts);
	else
		put(&w.out, func);
	put_end(&w, name->flags & NAMED_INLINED);
	return tidy_text(&w.out);
}

static void put_id(struct tidy *t, int32_t id)
{
	char digits[16];

	snprintf(digits, sizeof(digits), "%d", id);
	put(t, id < 0 ? STR("?") : str_of(digits));
}

struct str label_root(struct arena *a, struct str comm, int32_t pid, int32_t tid,
                      enum label_ids ids)
{
	struct tidy t = { .arena = a };

	comm = str_trim(comm);
	for (size_t i = 0; i < comm.n; i++) {
		struct str c = { comm.p + i, 1 };

		put(&t, *c.p == ' ' || *c.p == '\t' ? STR("_") : c);
	}
	if (!comm.n && tid < 0) {
		put(&t, STR("[unknown]"));
	} else if (!comm.n) {
		put_byte(&t, ':');
		put_id(&t, tid);
	}
	if (ids != LABEL_COMM) {
		put_byte(&t, '-');
		put_id(&t, pid);
	}
	if (ids == LABEL_TID) {
		put_byte(&t, '/');
		put_id(&t, tid);
	}
	return tidy_text(&t);
}

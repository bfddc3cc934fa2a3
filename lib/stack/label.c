/*
 * Some symbols, in the module behind them, and their labels:
 *
 *	Foo::operator()(int) const (/lib/x.so)
 *	-> Foo::operator()
 *	foo::bar::h0123456789abcdef (/bin/x)
 *	-> foo::bar
 *	Ljava/util/HashMap;::get->Ljava/util/HashMap;::getNode (/tmp/perf-1.map)
 *	-> java/util/HashMap:::get;java/util/HashMap:::getNode
 *	LazyCompile:*foo /app/x y.js:10:5 (/tmp/perf-1.map)
 *	-> LazyCompile:*foo /app/x y.js:10:5
 *	[unknown] (/memfd:doublemapper (deleted))
 *	-> [memfd:doublemapper]
 */
#include "stack/label.h"

#include <assert.h>
#include <stdio.h>

#include "stack/clr.h"
#include "stack/kind.h"
#include "stack/signature.h"
#include "symbol/profile.h"

/* A label being written; room for all of it is made before. */
struct text {
	char *p;
	size_t n, cap;
};

static void put_byte(struct text *t, char c)
{
	assert(t->n < t->cap);
	t->p[t->n++] = c;
}

static bool is_control(char c)
{
	return (unsigned char)c < 0x20 || c == 0x7f;
}

static void put(struct text *t, struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		put_byte(t, s.p[i] == ';' ? ':' : is_control(s.p[i]) ? '?' : s.p[i]);
}

struct str label_clean(struct arena *a, struct str s)
{
	struct text t = { .cap = s.n };
	size_t i = 0;

	while (i < s.n && s.p[i] != ';' && !is_control(s.p[i]))
		i++;
	if (i == s.n)
		return s;
	t.p = arena_new(a, char, s.n);
	put(&t, s);
	return (struct str){ t.p, t.n };
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* "[libc.so.6]" stands for all that is unnamed in it; brackets are not doubled. */
static void put_unknown(struct text *t, struct str module, const struct label_name *name,
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

/* V8 and others say the kind first, "LazyCompile:*foo /app/x y.js:10:5". */
static bool is_script(struct str func)
{
	size_t i = 0;

	while (i < func.n && is_letter(func.p[i]))
		i++;
	return i && i + 1 < func.n && func.p[i] == ':' && func.p[i + 1] != ':';
}

/* Rust's legacy mangling ends each path in "::h" and 16 hex digits. */
static struct str without_hash(struct str s)
{
	enum { DIGITS = 16, TAIL = 3 + DIGITS };
	struct str tail;

	if (s.n <= TAIL)
		return s;
	tail = str_from(s, s.n - TAIL);
	if (!str_starts(tail, STR("::h")))
		return s;
	for (size_t i = 3; i < TAIL; i++)
		if (!((tail.p[i] >= '0' && tail.p[i] <= '9') ||
		      (tail.p[i] >= 'a' && tail.p[i] <= 'f')))
			return s;
	return str_head(s, s.n - TAIL);
}

static void put_signature(struct text *t, struct arena *a, struct str func)
{
	struct signature sig = signature_cut(a, func);

	put(t, str_trim(without_hash(sig.name)));
	put(t, sig.suffix);
}

/*
 * One method of a chain: "Lorg/Foo;::call(Lorg/Bar;)Ljava/lang/Object;".  The L is
 * the descriptor's only where the ';' is there as well: "LambdaForm$MH" keeps it.
 */
static void put_java(struct text *t, struct arena *a, struct str part)
{
	size_t class_end = str_search(part, STR(";::")), args, back;

	if (class_end == part.n) {
		put_signature(t, a, part);
		return;
	}
	if (part.p[0] == 'L')
		part = str_from(part, 1), class_end--;
	args = class_end + str_find(str_from(part, class_end), '(');
	back = str_rfind(part, ')');
	put(t, back < part.n && args < back ? str_head(part, args) : part);
}

/* The first "->" that stands in no bracket and is no operator's name; s.n: none. */
static size_t find_arrow(struct str s)
{
	size_t depth = 0;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c == '-' && i + 1 < s.n && s.p[i + 1] == '>') {
			if (!depth && !str_ends(str_head(s, i), STR("operator")))
				return i;
			i++;
		} else if (c == '(' || c == '<' || c == '[') {
			depth++;
		} else if ((c == ')' || c == '>' || c == ']') && depth) {
			depth--;
		}
	}
	return s.n;
}

/* A frame whose label is being written. */
struct work {
	struct text out;
	struct arena *arena;
	const struct label_name *name;
	const struct label_opts *opts;
	enum kind kind;
	bool managed; /* the name itself is that of a .NET method */
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

/* What stands behind a name. */
static void put_end(struct work *w, bool inlined)
{
	if (w->name->srcline.n && w->out.n) {
		put_byte(&w->out, ':');
		put(&w->out, w->name->srcline);
	}
	put(&w->out, str_of(mark_of(w, inlined)));
}

/* A chain of inlined functions; the first is the one that is really there. */
static void put_chain(struct work *w, struct str func)
{
	bool inlined = w->name->flags & NAMED_INLINED;
	struct str whole = func;
	size_t begin = w->out.n;

	while (func.n) {
		size_t end = find_arrow(func);
		struct str part = str_trim(str_head(func, end));

		func = str_from(func, end + 2);
		if (!part.n)
			continue;
		if (w->out.n > begin) {
			put(&w->out, str_of(mark_of(w, inlined)));
			put_byte(&w->out, ';');
			inlined = true;
		}
		put_java(&w->out, w->arena, part);
	}
	if (w->out.n == begin)
		put(&w->out, whole);
	put_end(w, inlined);
}

static void put_tidy(struct work *w)
{
	bool jit = w->kind == KIND_JIT, managed = jit || w->kind == KIND_DOTNET;
	struct str func = str_trim(w->name->func), label;

	if (jit && is_script(func)) {
		put(&w->out, func);
	} else if (clr_label(w->arena, func, managed, &label)) {
		w->managed = true;
		put(&w->out, str_trim(label));
	} else if (jit || str_search(func, STR(";::")) < func.n) {
		put_chain(w, clr_without_tier(func, managed));
		return;
	} else {
		put_signature(&w->out, w->arena,
		              managed ? clr_without_tier(func, true) : func);
	}
	put_end(w, w->name->flags & NAMED_INLINED);
}

struct str label_frame(struct arena *a, const struct label_name *name,
                       const struct label_opts *opts)
{
	struct work w = { .arena = a,
		          .name = name,
		          .opts = opts,
		          .kind = kind_of(name->module, name->flags) };
	struct str func = opts->raw ? name->func : str_trim(name->func);
	bool unknown = name->flags & NAMED_UNKNOWN || !func.n;

	/* Each part of a chain takes two bytes at least and gives five more at most. */
	w.out.cap = 4 * func.n + name->module.n + name->srcline.n + 64;
	w.out.p = arena_new(a, char, w.out.cap);
	if (!unknown && !opts->raw)
		put_tidy(&w);
	else if (!unknown && w.kind == KIND_NATIVE)
		w.managed = clr_label(a, str_trim(func), false, &(struct str){ 0 });
	if (w.out.n)
		return (struct str){ w.out.p, w.out.n };
	if (unknown)
		put_unknown(&w.out, kind_module(name->module), name, opts);
	else
		put(&w.out, func);
	put_end(&w, name->flags & NAMED_INLINED);
	return (struct str){ w.out.p, w.out.n };
}

static void put_id(struct text *t, int32_t id)
{
	char digits[16];

	snprintf(digits, sizeof(digits), "%d", id);
	put(t, id < 0 ? STR("?") : str_of(digits));
}

struct str label_root(struct arena *a, struct str comm, int32_t pid, int32_t tid,
                      enum label_ids ids)
{
	struct text t = { .cap = comm.n + 64 };

	comm = str_trim(comm);
	t.p = arena_new(a, char, t.cap);
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
	return (struct str){ t.p, t.n };
}

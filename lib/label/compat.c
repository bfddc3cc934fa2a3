/*
 * Symbols with their modules, and the labels that FlameGraph and inferno print:
 *
 * 	Lx/Y;.m(Lx/Z;)V (/tmp/perf-1.map)       x/Y:.m
 * 	Lx/Y;::m->La/B;::n (/tmp/perf-1.map)     x/Y:::m;a/B:::n_[i]
 * 	net/http.(*Client).Do (/srv/app/go)      net/http.(*Client).Do
 * 	[unknown] ([kernel.kallsyms])       [[kernel.kallsyms]]
 *
 * Some labels differ between FlameGraph (first) and inferno (second):
 *
 * 	f<void (A&)>::g(int) (/lib/x.so)	 f<void  f<void (A&)>::g
 * 	RegExp:["'] (/tmp/perf-1.map)       RegExp:[]      RegExp:["']
 * 	_$LT$a..B$GT$::f::h0123456789abcdef      unchanged      <a::B>::f
 */
#include "label/compat.h"

#include "reader/event_name.h"
#include "label/kind.h"
#include "label/tidy_native.h"
#include "symbol/profile.h"

bool compat_is_java(struct str comm)
{
	return str_starts(comm, STR("java"));
}

static struct str whole_name(struct str name)
{
	return name;
}

compat_base *compat_event(enum compat compat)
{
	return compat == COMPAT_FLAMEGRAPH ? whole_name : event_name_without_modifiers;
}

uint64_t compat_weight(enum compat compat, uint64_t period)
{
	return compat == COMPAT_FLAMEGRAPH && !period ? 1 : period;
}

static bool is_anonymous_namespace(struct str s)
{
	return str_starts(s, STR("(anonymous namespace)"));
}

/*
 * Returns the number of bytes before the first '('.  If ".(" and a later ")." show that this is a
 * Go name, returns the whole length.
 */
static size_t flamegraph_length(struct str s)
{
	size_t open = str_search(s, STR(".("));

	if (str_has(str_from(s, open + 2), STR(").")))
		return s.n;
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] == '(' && !is_anonymous_namespace(str_from(s, i)))
			return i;
	return s.n;
}

/*
 * Returns the number of bytes before the first '(' that is outside of all brackets and not after
 * a dot.
 */
static size_t inferno_length(struct str s)
{
	long depth = 0;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c == '(' && !depth && !(i && s.p[i - 1] == '.') &&
		    !is_anonymous_namespace(str_from(s, i)))
			return i;
		if (c == '(' || c == '<' || c == '{' || c == '[')
			depth++;
		else if (c == ')' || c == '>' || c == '}' || c == ']')
			depth--;
	}
	return s.n;
}

/*
 * If the name ends with rustc's hash, decodes the escapes of rustc's legacy mangling, like
 * inferno.
 */
static struct str decode_rust(struct arena *a, struct str s)
{
	struct str rest = tidy_native_without_hash(s);
	struct tidy t = { .arena = a };

	if (rest.n == s.n)
		return s;
	if (str_starts(rest, STR("_$")))
		rest = str_from(rest, 1);
	while (rest.n) {
		struct str code, means = tidy_native_escape(rest, &code);

		if (!code.n && rest.p[0] == '$') {
			tidy_put(&t, rest);
			break;
		}
		tidy_put(&t, code.n ? means : str_head(rest, 1));
		rest = str_from(rest, code.n ? code.n : 1);
	}
	return tidy_text(&t);
}

/*
 * Writes a function of a chain without its arguments.  If the result would be empty, writes the
 * whole name.
 */
static void put_function(struct tidy *out, struct str func, const struct label_opts *opts)
{
	bool perl = opts->compat == COMPAT_FLAMEGRAPH;
	struct tidy t = { .arena = out->arena };
	struct str cut =
	        str_head(func, perl ? flamegraph_length(func) : inferno_length(func));

	for (size_t i = 0; i < cut.n; i++)
		if (!perl || (cut.p[i] != '"' && cut.p[i] != '\''))
			tidy_put(&t, str_head(str_from(cut, i), 1));
	cut = tidy_text(&t);
	if (opts->java && cut.n && cut.p[0] == 'L' && str_find(cut, '/') < cut.n)
		cut = str_from(cut, 1);
	tidy_put(out, label_clean(out->arena, cut.n ? cut : func));
}

/*
 * Returns the label of an unnamed frame: "[libc.so.6]", "[[kernel.kallsyms]]", "[unknown]", or
 * "[libc.so.6 <7f01>]" with --addrs.
 */
static struct str unknown_name(struct arena *a, struct str module, uint64_t addr,
                               bool addrs)
{
	struct str base = str_base(module);

	if (!base.n || str_eq(module, STR("[unknown]")))
		base = STR("unknown");
	if (addrs)
		return arena_fmt(a, "[" PRSTR " <%llx>]", STRARG(base),
		                 (unsigned long long)addr);
	return arena_fmt(a, "[" PRSTR "]", STRARG(base));
}

/*
 * Returns true if the last run of letters, digits, '-', '.' and '_' contains "vmlinux", as in
 * "vmlinux-6.1.0".
 */
static bool ends_in_vmlinux(struct str module)
{
	size_t at = module.n;

	while (at && (str_is_alnum(module.p[at - 1]) || strchr("-._", module.p[at - 1])))
		at--;
	return str_has(str_from(module, at), STR("vmlinux"));
}

static bool is_kernel(struct str module, enum compat compat)
{
	bool bracket = str_starts(module, STR("["));

	if (compat == COMPAT_FLAMEGRAPH)
		return (bracket || str_ends(module, STR("vmlinux"))) &&
		       !str_has(module, STR("unknown"));
	return (bracket || str_ends(module, STR(".ko")) || ends_in_vmlinux(module)) &&
	       !str_eq(module, STR("[unknown]"));
}

static bool is_jit(struct str module, enum compat compat)
{
	const struct str map = STR("/tmp/perf-");
	struct str rest = str_from(module, str_search(module, map) + map.n);
	uint64_t pid;

	if (compat == COMPAT_FLAMEGRAPH)
		return str_take_dec(&rest, &pid) && str_starts(rest, STR(".map"));
	return (str_starts(module, map) && str_ends(module, STR(".map"))) ||
	       (str_has(module, STR("/jitted-")) && str_ends(module, STR(".so")));
}

static struct str mark_of(struct str module, const struct label_opts *opts, bool inlined)
{
	if (inlined)
		return STR("_[i]");
	if (opts->marks & MARK_KERNEL && is_kernel(module, opts->compat))
		return STR("_[k]");
	if (opts->marks & MARK_JIT && is_jit(module, opts->compat))
		return STR("_[j]");
	return STR("");
}

/* Writes one function of a frame.  All functions after the first one are inlined. */
static void put_part(struct tidy *out, struct str func, const struct label_name *name,
                     const struct label_opts *opts)
{
	bool inlined = out->n > 0;

	if (inlined)
		tidy_put(out, STR(";"));
	put_function(out, func, opts);
	if (name->srcline.n) {
		tidy_put(out, STR(":"));
		tidy_put(out, label_clean(out->arena, name->srcline));
	}
	tidy_put(out, mark_of(kind_module(name->module), opts, inlined));
}

struct str compat_label(struct arena *a, const struct label_name *name,
                        const struct label_opts *opts)
{
	struct tidy out = { .arena = a };
	struct str whole = name->func, rest;

	if (name->flags & NAMED_UNKNOWN || !whole.n)
		whole = unknown_name(a, kind_module(name->module), name->addr,
		                     opts->addrs);
	else if (opts->compat == COMPAT_INFERNO)
		whole = decode_rust(a, whole);
	for (rest = whole; rest.n;) {
		size_t end = label_find_arrow(rest);

		if (end)
			put_part(&out, str_head(rest, end), name, opts);
		rest = str_from(rest, end + 2);
	}
	if (!out.n)
		put_part(&out, whole, name, opts);
	return tidy_text(&out);
}

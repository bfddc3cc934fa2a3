#include "writer/flame/palette.h"

#include <math.h>

#include "label/mark.h"

/* value of a colour channel: base + spread * v[from].  v has numbers from 0 to 1 */
struct channel {
	uint8_t base, spread, from;
};

struct tint {
	struct channel r, g, b;
	const char *means; /* description in the legend, or NULL */
};

/* Returns the index of the tint for a name without marks such as "_[k]". */
typedef size_t group_fn(struct str name, unsigned kinds);

struct palette {
	const char *name;
	/*
	 * selects the tint of a name.  NULL if there is only one tint, or if `sorted`
	 * selects the tint
	 */
	group_fn *group;
	/* indexed by enum sort: index of the tint for this kind of code.  May be NULL */
	const uint8_t *sorted;
	struct tint tint[PALETTE_GROUPS];
};

static bool has(struct str name, const char *what)
{
	return str_has(name, str_of(what));
}

/* Returns the class of a method: the text before "::", without return type and module. */
static struct str class_of(struct str name)
{
	struct str class = str_head(name, str_search(name, STR("::")));
	size_t blank = str_rfind(class, ' ');

	return blank < class.n && blank < str_find(class, '<')
	               ? str_from(class, blank + 1)
	               : class;
}

/*
 * Returns true for the names of .NET methods.  Most of them have a '.' before "::", unlike names
 * of C++ and Rust.
 */
static bool is_dotnet(struct str name)
{
	struct str class = class_of(name);
	size_t dot = str_find(class, '.');

	return dot && dot < str_find(class, '<') && dot < str_find(class, '(') &&
	       class.n < name.n && class.p[0] != '[';
}

static bool is_script(struct str name)
{
	static const char *const heads[] = { "LazyCompile:", "Function:", "Eval:",
		                             "JS:",          "Script:",   "Builtin:",
		                             "RegExp:",      "py::" };

	return STR_ANY(name, str_starts, heads);
}

static bool is_module(struct str name)
{
	return name.n > 2 && name.p[0] == '[' &&
	       (name.p[name.n - 1] == ']' || name.p[name.n - 1] == '>');
}

/* Returns the kind of code of a frame that has only a module: "[libjvm.so]", "[[vdso]]". */
static enum sort sort_of_module(struct str name)
{
	static const char *const runtimes[] = { "libcoreclr",  "libclrjit",  "libclrgc",
		                                "libclretwrc", "libhostfxr", "libhostpol",
		                                "libmscordac", "libmono",    "libjvm",
		                                "libnode",     "libSystem.", "libpython",
		                                "libv8",       "libruby",    "node]" };
	static const char *const managed[] = { "memfd:", "perf-", "JIT]", "jitted-" };
	struct str module = str_from(name, 1);

	if (str_starts(name, STR("[unknown")))
		return SORT_UNNAMED;
	if (module.p[0] == '[')
		return str_starts(module, STR("[vdso]")) ? SORT_NATIVE : SORT_KERNEL;
	if (str_starts(module, STR("kernel")) ||
	    str_starts(module, STR("guest.kernel")) || has(module, ".ko") ||
	    str_starts(module, STR("vmlinux")))
		return SORT_KERNEL;
	if (STR_ANY(module, str_starts, runtimes))
		return SORT_RUNTIME;
	if (has(module, ".dll") || has(module, ".exe") ||
	    STR_ANY(module, str_starts, managed))
		return SORT_USER;
	return SORT_NATIVE;
}

/* Returns the kind of code of a managed name, which depends only on the text of the name. */
static enum sort sort_of_managed(struct str name)
{
	static const char *const framework[] = { "System.", "Microsoft.", "Internal.",
		                                 "Interop" };
	static const char *const stubs[] = { "stub ",      "IL_STUB", "Generate",
		                             "[resume ",   "[async ", "instance",
		                             "DomainBound" };
	struct str class = class_of(name);

	if (STR_ANY(class, str_starts, framework))
		return SORT_FRAMEWORK;
	return STR_ANY(name, str_starts, stubs) || str_ends(name, STR("Stub"))
	               ? SORT_STUB
	               : SORT_USER;
}

enum sort palette_sort(struct str name)
{
	unsigned kinds;

	name = mark_cut_all(name, &kinds);
	if (kinds & MARK_KERNEL)
		return SORT_KERNEL;
	if (str_starts(name, STR("WKS::")) || str_starts(name, STR("SVR::")))
		return SORT_COLLECTOR;
	if (kinds & MARK_RUNTIME)
		return SORT_RUNTIME;
	if (is_module(name) && !(kinds & MARK_JIT))
		return sort_of_module(name);
	if (kinds & MARK_JIT || is_dotnet(name) || is_script(name))
		return sort_of_managed(name);
	return kinds & MARK_INLINED ? SORT_INLINED : SORT_NATIVE;
}

const char *palette_sort_name(enum sort sort)
{
	static const char *const names[SORTS] = { "unnamed", "native",    "inlined",
		                                  "managed", "framework", "generated",
		                                  "runtime", "collector", "kernel" };

	return names[sort];
}

enum { NATIVE, MANAGED, INLINED, RUNTIME, KERNEL, UNKNOWN };

static const uint8_t kinds_by_sort[SORTS] = {
	[SORT_UNNAMED] = UNKNOWN, [SORT_NATIVE] = NATIVE,     [SORT_INLINED] = INLINED,
	[SORT_USER] = MANAGED,    [SORT_FRAMEWORK] = MANAGED, [SORT_STUB] = MANAGED,
	[SORT_RUNTIME] = RUNTIME, [SORT_COLLECTOR] = RUNTIME, [SORT_KERNEL] = KERNEL,
};

enum { APPLICATION, FRAMEWORK, STUBS, CLR, COLLECTOR, OTHER, SYSTEM, NAMELESS };

static const uint8_t dotnet_by_sort[SORTS] = {
	[SORT_UNNAMED] = NAMELESS, [SORT_NATIVE] = OTHER,        [SORT_INLINED] = OTHER,
	[SORT_USER] = APPLICATION, [SORT_FRAMEWORK] = FRAMEWORK, [SORT_STUB] = STUBS,
	[SORT_RUNTIME] = CLR,      [SORT_COLLECTOR] = COLLECTOR, [SORT_KERNEL] = SYSTEM,
};

enum { RED, YELLOW, GREEN, AQUA, ORANGE, PURPLE };

static size_t group_java(struct str name, unsigned kinds)
{
	static const char *const packages[] = { "java/", "javax/", "jdk/", "net/",
		                                "org/",  "com/",   "io/",  "sun/" };
	struct str path = name.n && name.p[0] == 'L' ? str_from(name, 1) : name;

	if (kinds & MARK_JIT)
		return GREEN;
	if (kinds & MARK_INLINED)
		return AQUA;
	if (STR_ANY(path, str_starts, packages) || STR_ANY(name, str_starts, packages) ||
	    has(name, ":::"))
		return GREEN;
	if (has(name, "::"))
		return YELLOW;
	return kinds & MARK_KERNEL ? ORANGE : RED;
}

static size_t group_js(struct str name, unsigned kinds)
{
	if (has(name, "node_modules"))
		return PURPLE;
	if (kinds & MARK_JIT)
		return has(name, "/") ? GREEN : AQUA;
	if (has(name, "::"))
		return YELLOW;
	if (has(name, ".js"))
		return GREEN;
	if (has(name, ":"))
		return AQUA;
	return kinds & MARK_KERNEL ? ORANGE : RED;
}

static size_t group_perl(struct str name, unsigned kinds)
{
	if (has(name, "::"))
		return YELLOW;
	if (has(name, "Perl") || has(name, ".pl"))
		return GREEN;
	return kinds & MARK_KERNEL ? ORANGE : RED;
}

static size_t group_rust(struct str name, unsigned kinds)
{
	static const char *const shipped[] = { "core::",  "std::",  "alloc::",
		                               "<core::", "<std::", "<alloc::" };

	(void)kinds;
	if (STR_ANY(name, str_starts, shipped))
		return ORANGE;
	return has(name, "::") ? AQUA : YELLOW;
}

static size_t group_python(struct str name, unsigned kinds)
{
	(void)kinds;
	if (has(name, "site-packages") || has(name, "dist-packages"))
		return AQUA;
	if (has(name, "lib/python") || has(name, "<built-in") || has(name, "<frozen"))
		return YELLOW;
	return RED;
}

static size_t group_chain(struct str name, unsigned kinds)
{
	(void)name;
	return kinds & MARK_WAKER ? 1 : 0;
}

#define TINT_RED                                                                         \
	{                                                                                \
		{ 200, 55, 0 }, { 50, 80, 0 }, { 50, 80, 0 }, NULL                       \
	}
#define TINT_GREEN                                                                       \
	{                                                                                \
		{ 50, 60, 0 }, { 200, 55, 0 }, { 50, 60, 0 }, NULL                       \
	}
#define TINT_BLUE                                                                        \
	{                                                                                \
		{ 80, 60, 0 }, { 80, 60, 0 }, { 205, 50, 0 }, NULL                       \
	}
#define TINT_YELLOW                                                                      \
	{                                                                                \
		{ 175, 55, 0 }, { 175, 55, 0 }, { 50, 20, 0 }, NULL                      \
	}
#define TINT_PURPLE                                                                      \
	{                                                                                \
		{ 190, 65, 0 }, { 80, 60, 0 }, { 190, 65, 0 }, NULL                      \
	}
#define TINT_AQUA                                                                        \
	{                                                                                \
		{ 50, 60, 0 }, { 165, 55, 0 }, { 165, 55, 0 }, NULL                      \
	}
#define TINT_ORANGE                                                                      \
	{                                                                                \
		{ 190, 65, 0 }, { 90, 65, 0 }, { 0, 0, 0 }, NULL                         \
	}
#define TINTS_LANGUAGE                                                                   \
	{                                                                                \
		[RED] = TINT_RED, [YELLOW] = TINT_YELLOW, [GREEN] = TINT_GREEN,          \
		[AQUA] = TINT_AQUA, [ORANGE] = TINT_ORANGE, [PURPLE] = TINT_PURPLE       \
	}

/*
 * The groups of "kind" and "dotnet" differ in hue and in lightness: the runtime is dark, the
 * kernel is light.  The other palettes use the names and colour ranges of flamegraph.pl and
 * inferno.
 */
static const struct palette palettes[] = {
	{ "kind",
	  NULL,
	  kinds_by_sort,
	  { [NATIVE] = { { 244, 8, 0 }, { 160, 36, 0 }, { 88, 28, 1 }, "native" },
	    [MANAGED] = { { 96, 40, 0 }, { 188, 20, 1 }, { 142, 30, 2 }, "managed" },
	    [INLINED] = { { 248, 6, 1 }, { 220, 18, 0 }, { 122, 44, 0 }, "inlined" },
	    [RUNTIME] = { { 102, 22, 0 }, { 82, 22, 1 }, { 150, 24, 2 }, "runtime" },
	    [KERNEL] = { { 150, 30, 0 }, { 186, 24, 0 }, { 240, 12, 1 }, "kernel" },
	    [UNKNOWN] = { { 190, 20, 0 }, { 190, 20, 0 }, { 194, 20, 0 }, "unnamed" } } },
	{ "dotnet",
	  NULL,
	  dotnet_by_sort,
	  { [APPLICATION] = { { 246, 8, 0 }, { 152, 34, 0 }, { 78, 28, 1 }, "user code" },
	    [FRAMEWORK] = { { 112, 36, 0 }, { 196, 20, 1 }, { 152, 30, 2 }, "framework" },
	    [STUBS] = { { 248, 6, 1 }, { 220, 18, 0 }, { 122, 44, 0 }, "stubs" },
	    [CLR] = { { 102, 22, 0 }, { 82, 22, 1 }, { 150, 24, 2 }, "runtime" },
	    [COLLECTOR] = { { 158, 22, 0 },
	                    { 58, 18, 1 },
	                    { 118, 24, 2 },
	                    "garbage collector" },
	    [OTHER] = { { 206, 20, 0 }, { 176, 18, 0 }, { 146, 20, 1 }, "native" },
	    [SYSTEM] = { { 150, 30, 0 }, { 186, 24, 0 }, { 240, 12, 1 }, "kernel" },
	    [NAMELESS] = { { 190, 20, 0 },
	                   { 190, 20, 0 },
	                   { 194, 20, 0 },
	                   "unnamed" } } },
	{ "hot", NULL, NULL, { { { 205, 50, 2 }, { 0, 230, 0 }, { 0, 55, 1 }, NULL } } },
	{ "mem", NULL, NULL, { { { 0, 0, 0 }, { 190, 50, 1 }, { 0, 210, 0 }, NULL } } },
	{ "io", NULL, NULL, { { { 80, 60, 0 }, { 80, 60, 0 }, { 190, 55, 1 }, NULL } } },
	{ "red", NULL, NULL, { TINT_RED } },
	{ "green", NULL, NULL, { TINT_GREEN } },
	{ "blue", NULL, NULL, { TINT_BLUE } },
	{ "yellow", NULL, NULL, { TINT_YELLOW } },
	{ "purple", NULL, NULL, { TINT_PURPLE } },
	{ "aqua", NULL, NULL, { TINT_AQUA } },
	{ "orange", NULL, NULL, { TINT_ORANGE } },
	{ "java", group_java, NULL, TINTS_LANGUAGE },
	{ "js", group_js, NULL, TINTS_LANGUAGE },
	{ "perl", group_perl, NULL, TINTS_LANGUAGE },
	{ "rust", group_rust, NULL, TINTS_LANGUAGE },
	{ "python", group_python, NULL, TINTS_LANGUAGE },
	{ "wakeup", NULL, NULL, { TINT_AQUA } },
	{ "chain", group_chain, NULL, { TINT_BLUE, TINT_AQUA } },
};

enum { NPALETTES = sizeof(palettes) / sizeof(*palettes) };

const struct palette *palette_find(struct str name)
{
	for (size_t i = 0; i < NPALETTES; i++)
		if (str_eq(name, str_of(palettes[i].name)))
			return &palettes[i];
	return NULL;
}

const char *palette_name(size_t i)
{
	return i < NPALETTES ? palettes[i].name : NULL;
}

bool palette_depends_on_sort(const struct palette *p)
{
	return p->sorted != NULL;
}

size_t palette_sort_group(const struct palette *p, enum sort sort)
{
	return p->sorted ? p->sorted[sort] : 0;
}

size_t palette_group(const struct palette *p, struct str name)
{
	unsigned kinds;

	if (p->sorted)
		return p->sorted[palette_sort(name)];
	name = mark_cut_all(name, &kinds);
	return p->group ? p->group(name, kinds) : 0;
}

/*
 * Returns a number from 0 to 1 computed from the first few bytes, as flamegraph.pl --hash does.
 * Each byte has less influence than the previous byte.
 */
static double by_first_bytes(struct str name, bool backwards)
{
	double vector = 0, weight = 1, most = 1;
	int mod = 10;

	for (size_t i = 0; i < name.n && mod <= 12; i++) {
		size_t at = backwards ? name.n - 1 - i : i;

		vector += (unsigned char)name.p[at] % mod / (double)(mod - 1) * weight;
		mod++;
		most += weight;
		weight *= 0.7;
	}
	return 1 - vector / most;
}

/*
 * Returns the FNV-1a hash.  The hash function must not change, so that names keep their
 * colours in later versions.
 */
static uint64_t hash(struct str name)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < name.n; i++)
		h = (h ^ (unsigned char)name.p[i]) * 0x100000001b3u;
	h ^= h >> 29;
	h *= 0xbf58476d1ce4e5b9u;
	return h >> 32;
}

size_t palette_shade(struct str name, enum palette_shading how)
{
	unsigned kinds;
	double v;

	name = mark_cut_all(name, &kinds);
	if (is_module(name))
		return PALETTE_PALE;
	if (how == SHADE_BY_NAME)
		return hash(name) % PALETTE_SHADES;
	v = by_first_bytes(name, false);
	return v >= 1 ? PALETTE_SHADES - 1 : v <= 0 ? 0 : (size_t)(v * PALETTE_SHADES);
}

static uint8_t mix(struct channel c, const double v[3])
{
	return (uint8_t)(c.base + c.spread * v[c.from]);
}

static struct rgb blend(struct rgb a, struct rgb b, double share)
{
	return (struct rgb){ (uint8_t)lrint(a.r + (b.r - a.r) * share),
		             (uint8_t)lrint(a.g + (b.g - a.g) * share),
		             (uint8_t)lrint(a.b + (b.b - a.b) * share) };
}

struct rgb palette_color(const struct palette *p, size_t group, size_t shade)
{
	const struct tint *t = &p->tint[group < PALETTE_GROUPS ? group : 0];
	size_t s = shade < PALETTE_SHADES ? shade : PALETTE_SHADES / 2;
	double v[] = { (double)s, (double)(s * 3 % PALETTE_SHADES),
		       (double)(s * 5 % PALETTE_SHADES) };
	struct rgb c;

	for (size_t i = 0; i < 3; i++)
		v[i] = (v[i] + 0.5) / PALETTE_SHADES;
	c = (struct rgb){ mix(t->r, v), mix(t->g, v), mix(t->b, v) };
	return shade < PALETTE_SHADES ? c : blend(c, (struct rgb){ 255, 255, 255 }, 0.42);
}

const char *palette_means(const struct palette *p, size_t group)
{
	return group < PALETTE_GROUPS ? p->tint[group].means : NULL;
}

static double luminance(struct rgb c)
{
	const double weight[] = { 0.2126, 0.7152, 0.0722 };
	const uint8_t part[] = { c.r, c.g, c.b };
	double sum = 0;

	for (size_t i = 0; i < 3; i++) {
		double v = part[i] / 255.0;

		sum += weight[i] *
		       (v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
	}
	return sum;
}

double palette_contrast(struct rgb a, struct rgb b)
{
	double x = luminance(a), y = luminance(b);

	return x > y ? (x + 0.05) / (y + 0.05) : (y + 0.05) / (x + 0.05);
}

struct rgb palette_ink(struct rgb c)
{
	static const struct rgb inks[] = { { 27, 27, 31 },
		                           { 255, 255, 255 },
		                           { 0, 0, 0 } };

	for (size_t i = 0; i < 2; i++)
		if (palette_contrast(c, inks[i]) >= 4.5)
			return inks[i];
	return inks[2];
}

/*
 * The same colours are in share/flame/change.js (LESS, MORE) and color.js (light theme: fresh,
 * gone).
 */
static const struct {
	const char *name;
	struct rgb color;
} changes[CHANGES] = {
	[CHANGE_LESS] = { "less", { 58, 112, 214 } },
	[CHANGE_MORE] = { "more", { 224, 62, 54 } },
	[CHANGE_NEW] = { "new", { 246, 201, 69 } },
	[CHANGE_GONE] = { "gone", { 122, 90, 168 } },
};

const char *palette_change_name(enum change_kind c)
{
	return changes[c].name;
}

struct rgb palette_change_color(enum change_kind c, bool negate)
{
	if (negate && c <= CHANGE_MORE)
		c = c == CHANGE_LESS ? CHANGE_MORE : CHANGE_LESS;
	return changes[c].color;
}

struct rgb palette_change(double before, double after, bool negate)
{
	static const struct rgb none = { 230, 231, 235 };
	double by = after - before;
	enum change_kind c = by < 0 ? CHANGE_LESS : CHANGE_MORE;

	if (before == after)
		return none;
	if (before <= 0 || after <= 0)
		return changes[after <= 0 ? CHANGE_GONE : CHANGE_NEW].color;
	return blend(none, palette_change_color(c, negate),
	             0.15 + 0.85 * sqrt((by < 0 ? -by : by) / (before + after)));
}

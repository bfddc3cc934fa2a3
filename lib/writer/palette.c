#include "writer/palette.h"

#include "writer/caption.h"

/* base + spread * v[from] */
struct channel {
	uint8_t base, spread, from;
};

struct tint {
	struct channel r, g, b;
	const char *means; /* for the legend; NULL: nothing */
};

/* Which tint of p a name without its annotations gets. */
typedef size_t group_fn(struct str name, unsigned kinds);

struct palette {
	const char *name;
	group_fn *group; /* NULL: there is one tint */
	struct tint tint[PALETTE_GROUPS];
};

static bool has(struct str name, const char *what)
{
	return str_search(name, str_of(what)) < name.n;
}

/* What stands before the "::" of a method: its class, without return type and module. */
static struct str class_of(struct str name)
{
	struct str class = str_head(name, str_search(name, STR("::")));
	size_t blank = str_rfind(class, ' ');

	return blank < class.n && blank < str_find(class, '<')
	               ? str_from(class, blank + 1)
	               : class;
}

/* C++ and Rust have no '.' in front of a "::", .NET has one in most names. */
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

	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		if (str_starts(name, str_of(heads[i])))
			return true;
	return false;
}

static bool is_unknown(struct str name)
{
	return name.n && name.p[0] == '[' &&
	       (name.p[name.n - 1] == ']' || name.p[name.n - 1] == '>');
}

enum { NATIVE, MANAGED, INLINED, KERNEL, UNKNOWN };

static size_t group_kind(struct str name, unsigned kinds)
{
	if (kinds & KIND_KERNEL)
		return KERNEL;
	if (is_unknown(name))
		return UNKNOWN;
	if (kinds & KIND_INLINED)
		return INLINED;
	if (kinds & KIND_JIT || is_dotnet(name) || is_script(name))
		return MANAGED;
	return NATIVE;
}

enum { APPLICATION, FRAMEWORK, RUNTIME, COLLECTOR, SYSTEM, NAMELESS };

static size_t group_dotnet(struct str name, unsigned kinds)
{
	struct str class = class_of(name);

	if (kinds & KIND_KERNEL)
		return SYSTEM;
	if (is_unknown(name))
		return NAMELESS;
	if (str_starts(name, STR("WKS::")) || str_starts(name, STR("SVR::")))
		return COLLECTOR;
	if (!(kinds & KIND_JIT) && !is_dotnet(name))
		return RUNTIME;
	if (str_starts(class, STR("System.")) || str_starts(class, STR("Microsoft.")) ||
	    str_starts(class, STR("Internal.")) || str_starts(class, STR("Interop")))
		return FRAMEWORK;
	/* Stubs that the runtime makes: "stub GenerateResolveStub<2>". */
	return class.n == name.n ? RUNTIME : APPLICATION;
}

enum { RED, YELLOW, GREEN, AQUA, ORANGE };

static size_t group_java(struct str name, unsigned kinds)
{
	static const char *const packages[] = { "java/", "javax/", "jdk/", "net/",
		                                "org/",  "com/",   "io/",  "sun/" };
	struct str path = name.n && name.p[0] == 'L' ? str_from(name, 1) : name;

	if (kinds & KIND_JIT)
		return GREEN;
	if (kinds & KIND_INLINED)
		return AQUA;
	for (size_t i = 0; i < sizeof(packages) / sizeof(*packages); i++)
		if (str_starts(path, str_of(packages[i])) ||
		    str_starts(name, str_of(packages[i])))
			return GREEN;
	if (has(name, ":::"))
		return GREEN;
	if (has(name, "::"))
		return YELLOW;
	return kinds & KIND_KERNEL ? ORANGE : RED;
}

static size_t group_js(struct str name, unsigned kinds)
{
	if (kinds & KIND_JIT)
		return has(name, "/") ? GREEN : AQUA;
	if (has(name, "::"))
		return YELLOW;
	if (has(name, ".js"))
		return GREEN;
	if (has(name, ":"))
		return AQUA;
	return kinds & KIND_KERNEL ? ORANGE : RED;
}

static size_t group_perl(struct str name, unsigned kinds)
{
	if (has(name, "::"))
		return YELLOW;
	if (has(name, "Perl") || has(name, ".pl"))
		return GREEN;
	return kinds & KIND_KERNEL ? ORANGE : RED;
}

static size_t group_chain(struct str name, unsigned kinds)
{
	(void)name;
	return kinds & KIND_WAKER ? 1 : 0;
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
		[AQUA] = TINT_AQUA, [ORANGE] = TINT_ORANGE                               \
	}

/* All but the first two are flamegraph.pl's: names and ranges. */
static const struct palette palettes[] = {
	{ "kind",
	  group_kind,
	  { [NATIVE] = { { 243, 10, 0 }, { 150, 58, 0 }, { 84, 30, 1 }, "native" },
	    [MANAGED] = { { 104, 52, 0 },
	                  { 188, 26, 1 },
	                  { 132, 34, 2 },
	                  "managed, JIT" },
	    [INLINED] = { { 246, 8, 1 }, { 218, 22, 0 }, { 126, 48, 0 }, "inlined" },
	    [KERNEL] = { { 128, 42, 0 }, { 158, 36, 0 }, { 226, 20, 1 }, "kernel" },
	    [UNKNOWN] = { { 190, 26, 0 }, { 190, 26, 0 }, { 194, 26, 0 }, "unnamed" } } },
	{ "dotnet",
	  group_dotnet,
	  { [APPLICATION] = { { 243, 10, 0 },
	                      { 134, 62, 0 },
	                      { 84, 26, 1 },
	                      "application" },
	    [FRAMEWORK] = { { 104, 40, 0 }, { 190, 26, 1 }, { 130, 34, 2 }, "framework" },
	    [RUNTIME] = { { 120, 40, 0 },
	                  { 178, 34, 0 },
	                  { 214, 24, 1 },
	                  "runtime, native" },
	    [COLLECTOR] = { { 206, 30, 0 },
	                    { 138, 40, 0 },
	                    { 216, 24, 1 },
	                    "garbage collector" },
	    [SYSTEM] = { { 146, 34, 0 }, { 154, 34, 0 }, { 222, 22, 1 }, "kernel" },
	    [NAMELESS] = { { 190, 26, 0 },
	                   { 190, 26, 0 },
	                   { 194, 26, 0 },
	                   "unnamed" } } },
	{ "hot", NULL, { { { 205, 50, 2 }, { 0, 230, 0 }, { 0, 55, 1 }, NULL } } },
	{ "mem", NULL, { { { 0, 0, 0 }, { 190, 50, 1 }, { 0, 210, 0 }, NULL } } },
	{ "io", NULL, { { { 80, 60, 0 }, { 80, 60, 0 }, { 190, 55, 1 }, NULL } } },
	{ "red", NULL, { TINT_RED } },
	{ "green", NULL, { TINT_GREEN } },
	{ "blue", NULL, { TINT_BLUE } },
	{ "yellow", NULL, { TINT_YELLOW } },
	{ "purple", NULL, { TINT_PURPLE } },
	{ "aqua", NULL, { TINT_AQUA } },
	{ "orange", NULL, { TINT_ORANGE } },
	{ "java", group_java, TINTS_LANGUAGE },
	{ "js", group_js, TINTS_LANGUAGE },
	{ "perl", group_perl, TINTS_LANGUAGE },
	{ "wakeup", NULL, { TINT_AQUA } },
	{ "chain", group_chain, { TINT_BLUE, TINT_AQUA } },
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

/* FNV-1a; colours are to stay from version to version. */
static void spread(struct str name, double v[3])
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < name.n; i++)
		h = (h ^ (unsigned char)name.p[i]) * 0x100000001b3u;
	h ^= h >> 29;
	h *= 0xbf58476d1ce4e5b9u;
	for (int i = 0; i < 3; i++)
		v[i] = (double)(h >> (16 * (i + 1)) & 0xffff) / 65536;
}

/*
 * The first few bytes, each counting for less than the one before and modulo a
 * number that grows: what flamegraph.pl --hash computes.
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

static uint8_t mix(struct channel c, const double v[3])
{
	return (uint8_t)(c.base + c.spread * v[c.from]);
}

static size_t group_of(const struct palette *p, struct str name, unsigned kinds)
{
	return p->group ? p->group(name, kinds) : 0;
}

/* Frames that part two stacks from each other. */
static bool is_separator(struct str name)
{
	return str_eq(name, STR("-")) || str_eq(name, STR("--"));
}

struct rgb palette_color(const struct palette *p, struct str name, bool by_start)
{
	const struct tint *t;
	unsigned kinds;
	double v[3];

	name = caption_strip(name, &kinds);
	if (is_separator(name))
		return (struct rgb){ 160, 160, 160 };
	t = &p->tint[group_of(p, name, kinds)];
	if (by_start) {
		v[0] = by_first_bytes(name, false);
		v[1] = v[2] = by_first_bytes(name, true);
	} else {
		spread(name, v);
	}
	return (struct rgb){ mix(t->r, v), mix(t->g, v), mix(t->b, v) };
}

size_t palette_group(const struct palette *p, struct str name)
{
	unsigned kinds;

	name = caption_strip(name, &kinds);
	return is_separator(name) ? PALETTE_NO_GROUP : group_of(p, name, kinds);
}

const char *palette_means(const struct palette *p, size_t group, struct rgb *out)
{
	static const double middle[] = { 0.5, 0.5, 0.5 };
	const struct tint *t;

	if (group >= PALETTE_GROUPS)
		return NULL;
	t = &p->tint[group];
	*out = (struct rgb){ mix(t->r, middle), mix(t->g, middle), mix(t->b, middle) };
	return t->means;
}

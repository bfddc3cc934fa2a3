/*
 * Types in signatures are specified in ECMA-335 II.23.2.12.  ReadyToRun adds module override,
 * __Canon, and native value type.
 *
 * 	15 12 05 01 08    List`1<int32>; 05 is the token of List`1 (TypeRef 1)
 */
#include "image/dotnet/clr_text.h"

#include "base/out.h"

enum { MAX_RANK = 32 };

/* Reads a signed number.  It is stored rotated left by one bit, so the lowest bit is the sign. */
static int32_t sig_int(struct cursor *c)
{
	size_t before = cur_left(c);
	uint32_t v = sig_uint(c);
	static const int32_t range[] = { 0, 0x40, 0x2000, 0, 0x10000000 };

	return (int32_t)(v >> 1) - (v & 1 ? range[(before - cur_left(c)) % 5] : 0);
}

void clr_text_put(struct clr_text *t, struct str s)
{
	if (s.n > CLR_NAME - t->n) {
		t->full = true;
		return;
	}
	if (s.n)
		memcpy(t->p + t->n, s.p, s.n);
	t->n += s.n;
}

void clr_text_char(struct clr_text *t, char c)
{
	clr_text_put(t, (struct str){ &c, 1 });
}

void clr_text_dec(struct clr_text *t, int64_t v)
{
	char digits[20];
	uint64_t u = v < 0 ? -(uint64_t)v : (uint64_t)v;

	if (v < 0)
		clr_text_char(t, '-');
	clr_text_put(t, (struct str){ digits, out_dec_at(digits, u, 1) });
}

static const char *keyword(unsigned e, bool il)
{
	static const char *const names[][2] = {
		[0x01] = { "System.Void", "void" },
		[0x02] = { "System.Boolean", "bool" },
		[0x03] = { "System.Char", "char" },
		[0x04] = { "System.SByte", "int8" },
		[0x05] = { "System.Byte", "uint8" },
		[0x06] = { "System.Int16", "int16" },
		[0x07] = { "System.UInt16", "uint16" },
		[0x08] = { "System.Int32", "int32" },
		[0x09] = { "System.UInt32", "uint32" },
		[0x0a] = { "System.Int64", "int64" },
		[0x0b] = { "System.UInt64", "uint64" },
		[0x0c] = { "System.Single", "float32" },
		[0x0d] = { "System.Double", "float64" },
		[0x0e] = { "System.String", "string" },
		[0x16] = { "System.TypedReference", "typedref" },
		[0x18] = { "System.IntPtr", "native int" },
		[0x19] = { "System.UIntPtr", "native uint" },
		[0x1c] = { "System.Object", "object" },
		[0x3e] = { "System.__Canon", "System.__Canon" },
	};

	return e < sizeof(names) / sizeof(*names) ? names[e][il] : NULL;
}

/* Prints a name.  Escapes the same characters as the runtime. */
static void put_escaped(struct clr_text *t, struct str s, enum clr_style style)
{
	size_t from = 0;

	for (size_t i = 0; style == CLR_OWNER && i < s.n; i++) {
		char c = s.p[i];

		if (c != ',' && c != '[' && c != ']' && c != '&' && c != '*' &&
		    c != '+' && c != '\\')
			continue;
		clr_text_put(t, str_span(s.p + from, s.p + i));
		clr_text_char(t, '\\');
		from = i;
	}
	clr_text_put(t, str_from(s, from));
}

static void put_simple(struct clr_text *t, enum clr_style style,
                       const struct metadata *md, enum md_table table, uint32_t row)
{
	struct str ns = metadata_string(md, table, row, TYPE_NAMESPACE);

	if (ns.n) {
		put_escaped(t, ns, style);
		clr_text_char(t, '.');
	}
	put_escaped(t, metadata_string(md, table, row, TYPE_NAME), style);
}

/* Prints "[Assembly]#02000012" if the assembly that contains the name is missing. */
static void put_token(struct clr_text *t, struct str assembly, uint32_t coded)
{
	static const uint32_t table[] = { MD_TYPEDEF, MD_TYPEREF, MD_TYPESPEC, 0 };
	char digits[20];
	uint32_t token = table[coded & 3] << 24 | coded >> 2;

	t->lacking = true;
	clr_text_char(t, '[');
	clr_text_put(t, assembly);
	clr_text_put(t, STR("]#"));
	clr_text_put(t, (struct str){ digits, out_hex_at(digits, token, 8) });
}

static void put_scope(struct clr_text *t, const struct metadata *md, uint32_t scope)
{
	struct str name = r2r_modules_ref_name(t->r, md, scope);

	if (t->bare || !name.n)
		return;
	clr_text_char(t, '[');
	clr_text_put(t, name);
	clr_text_char(t, ']');
}

void clr_text_named(struct clr_text *t, enum clr_style style, struct clr_module in,
                    uint32_t coded)
{
	enum md_table table = (coded & 3) == 0 ? MD_TYPEDEF : MD_TYPEREF;
	uint32_t row = coded >> 2, scope = 0, chain[MD_DEPTH];
	size_t n = 0;

	if (!in.md || (coded & 3) > 1 || !row || row > in.md->table[table].n) {
		put_token(t, in.name, coded);
		return;
	}
	while (row && n < MD_DEPTH) {
		chain[n++] = row;
		if (table == MD_TYPEDEF) {
			row = metadata_enclosing(in.md, row);
		} else {
			scope = metadata_cell(in.md, MD_TYPEREF, row, TYPEREF_SCOPE);
			row = (scope & 3) == 3 ? scope >> 2 : 0;
		}
	}
	if (table == MD_TYPEREF && style == CLR_IL)
		put_scope(t, in.md, scope);
	while (n-- > 0) {
		put_simple(t, style, in.md, table, chain[n]);
		if (n)
			clr_text_char(t, style == CLR_IL ? '/' : '+');
	}
}

/*
 * Prints the type that a token refers to.  If the token is a TypeSpec, prints the type in its
 * signature.
 */
static bool put_token_type(struct clr_text *t, enum clr_style style, const char *kind,
                           struct cursor *c, struct clr_module in, unsigned depth)
{
	uint32_t coded = sig_uint(c);

	if (c->bad)
		return false;
	if ((coded & 3) == 2 && in.md) {
		struct str blob =
		        metadata_blob(in.md, MD_TYPESPEC, coded >> 2, TYPESPEC_SIGNATURE);
		struct cursor spec = cur_little(blob);

		return clr_text_type(t, style, &spec, in, in, depth + 1);
	}
	if (style == CLR_IL)
		clr_text_put(t, str_of(kind));
	clr_text_named(t, style, in, coded);
	return true;
}

static bool put_modified(struct clr_text *t, enum clr_style style, unsigned e,
                         struct cursor *c, struct clr_module in, struct clr_module home,
                         unsigned depth)
{
	struct cursor tok = *c;

	sig_uint(c);
	if (!clr_text_type(t, style, c, in, home, depth + 1))
		return false;
	if (style != CLR_IL)
		return true;
	clr_text_put(t, e == E_CMOD_REQD ? STR(" modreq(") : STR(" modopt("));
	if (!put_token_type(t, style, "", &tok, in, depth))
		return false;
	clr_text_char(t, ')');
	return true;
}

static bool put_shape(struct clr_text *t, enum clr_style style, struct cursor *c)
{
	uint32_t rank = sig_uint(c), sizes, lows, size[MAX_RANK] = { 0 };
	int32_t low[MAX_RANK] = { 0 };

	sizes = sig_uint(c);
	if (!rank || rank > MAX_RANK || sizes > rank)
		return false;
	for (uint32_t i = 0; i < sizes; i++)
		size[i] = sig_uint(c);
	lows = sig_uint(c);
	if (lows > rank)
		return false;
	for (uint32_t i = 0; i < lows; i++)
		low[i] = sig_int(c);
	clr_text_char(t, '[');
	if (rank == 1 && style != CLR_IL)
		clr_text_char(t, '*');
	else if (rank == 1 && !sizes && !lows)
		clr_text_put(t, STR("..."));
	for (uint32_t i = 0; i < rank; i++) {
		if (i)
			clr_text_char(t, ',');
		if (style != CLR_IL)
			continue;
		if (!low[i] && i < sizes) {
			clr_text_dec(t, size[i]);
		} else if (i < lows) {
			clr_text_dec(t, low[i]);
			clr_text_put(t, STR("..."));
			if (i < sizes)
				clr_text_dec(t, (int64_t)low[i] + size[i] - 1);
		}
	}
	clr_text_char(t, ']');
	return !c->bad;
}

static bool put_list(struct clr_text *t, enum clr_style style, struct cursor *c,
                     uint32_t n, struct clr_module in, struct clr_module home,
                     unsigned depth)
{
	for (uint32_t i = 0; i < n; i++) {
		if (i)
			clr_text_put(t, style == CLR_MAP ? STR(", ") : STR(","));
		if (!clr_text_type(t, style, c, in, home, depth + 1))
			return false;
	}
	return true;
}

/*
 * Prints a generic type with its arguments.  `home` defines the tokens of the arguments, even if
 * another module defines the type.
 */
static bool put_instance(struct clr_text *t, enum clr_style style, struct cursor *c,
                         struct clr_module in, struct clr_module home, unsigned depth)
{
	uint32_t n;

	if (!clr_text_type(t, style, c, in, home, depth + 1))
		return false;
	n = sig_uint(c);
	clr_text_char(t, style == CLR_IL ? '<' : '[');
	if (!put_list(t, style, c, n, home, home, depth))
		return false;
	clr_text_char(t, style == CLR_IL ? '>' : ']');
	return !c->bad;
}

void clr_text_convention(struct clr_text *t, unsigned convention)
{
	static const char *const names[16] = {
		"",
		"unmanaged cdecl ",
		"unmanaged stdcall ",
		"unmanaged thiscall ",
		"unmanaged fastcall ",
		"vararg ",
		"",
		"",
		"",
		"unmanaged ",
	};

	if (convention & 0x40)
		clr_text_put(t, STR("explicit "));
	if (convention & 0x20)
		clr_text_put(t, STR("instance "));
	if (names[convention & 15])
		clr_text_put(t, str_of(names[convention & 15]));
}

static bool put_pointer(struct clr_text *t, enum clr_style style, struct cursor *c,
                        struct clr_module in, struct clr_module home, unsigned depth)
{
	unsigned convention = cur_u8(c);
	uint32_t n;

	if (convention & CONV_GENERIC)
		sig_uint(c);
	n = sig_uint(c);
	if (style == CLR_IL) {
		clr_text_put(t, STR("method "));
		clr_text_convention(t, convention);
	}
	if (!clr_text_type(t, style, c, in, home, depth + 1))
		return false;
	clr_text_put(t, style == CLR_IL    ? STR(" *(")
	                : style == CLR_MAP ? STR(" (")
	                                   : STR("("));
	if (!put_list(t, style, c, n, in, home, depth))
		return false;
	clr_text_char(t, ')');
	return true;
}

static bool put_variable(struct clr_text *t, enum clr_style style, bool of_method,
                         uint32_t i, unsigned depth)
{
	const struct clr_args *args = of_method ? &t->of_method : &t->of_owner;
	uint64_t steps = t->steps;
	struct cursor c = args->at;
	bool good;

	if (style != CLR_MAP || i >= args->n) {
		clr_text_put(t, of_method ? STR("!!") : STR("!"));
		clr_text_dec(t, i);
		return true;
	}
	good = sig_skip_types(&c, i, &steps, 0);
	t->steps = (uint32_t)steps;
	return good && clr_text_type(t, style, &c, args->in, args->home, depth + 1);
}

static bool put_suffixed(struct clr_text *t, enum clr_style style, struct cursor *c,
                         struct clr_module in, struct clr_module home, unsigned depth,
                         struct str suffix)
{
	if (!clr_text_type(t, style, c, in, home, depth + 1))
		return false;
	clr_text_put(t, suffix);
	return true;
}

bool clr_text_type(struct clr_text *t, enum clr_style style, struct cursor *c,
                   struct clr_module in, struct clr_module home, unsigned depth)
{
	unsigned e = cur_u8(c);
	const char *word = keyword(e, style == CLR_IL);

	if (c->bad || t->full || depth > MD_DEPTH || !t->steps)
		return false;
	t->steps--;
	if (word) {
		clr_text_put(t, str_of(word));
		return true;
	}
	switch (e) {
	case E_PTR:
		return put_suffixed(t, style, c, in, home, depth, STR("*"));
	case E_BYREF:
		return put_suffixed(t, style, c, in, home, depth, STR("&"));
	case E_SZARRAY:
		return put_suffixed(t, style, c, in, home, depth, STR("[]"));
	case E_PINNED:
		return put_suffixed(t, style, c, in, home, depth,
		                    style == CLR_IL ? STR(" pinned") : STR(""));
	case E_NATIVE_VALUETYPE:
		return clr_text_type(t, style, c, in, home, depth + 1);
	case E_VALUETYPE:
		return put_token_type(t, style, "valuetype ", c, in, depth);
	case E_CLASS:
		return put_token_type(t, style, "class ", c, in, depth);
	case E_VAR:
	case E_MVAR:
		return put_variable(t, style, e == E_MVAR, sig_uint(c), depth);
	case E_CMOD_REQD:
	case E_CMOD_OPT:
		return put_modified(t, style, e, c, in, home, depth);
	case E_MODULE_OVERRIDE:
		return r2r_modules_get(t->r, sig_uint(c), &in) &&
		       clr_text_type(t, style, c, in, home, depth + 1);
	case E_ARRAY:
		return clr_text_type(t, style, c, in, home, depth + 1) &&
		       put_shape(t, style, c);
	case E_GENERICINST:
		return put_instance(t, style, c, in, home, depth);
	case E_FNPTR:
		return put_pointer(t, style, c, in, home, depth);
	default:
		return false;
	}
}

/*
 * The name of a method in the spellings of the runtime and of crossgen2, with line breaks added:
 *
 * 	instance bool [System.Linq] System.Linq.Lookup`2[System.__Canon,
 * 	System.Int32]::Contains(!0)
 * 	System.Boolean System.Linq.Lookup`2[System.__Canon, System.Int32]::Contains(
 * 	System.__Canon)
 *
 * The type arguments of a generic type are printed in the owner.  The type arguments of a generic
 * method are not printed.
 */
#include "image/dotnet/r2r_name.h"

#include "base/out.h"
#include "image/dotnet/clr_text.h"

enum { STEPS_A_NAME = 1 << 14 };

/* The method for which a name is made. */
struct subject {
	/* module that defines the type.  Its md is NULL if the module is not available */
	struct clr_module in;
	uint32_t row;  /* row of MethodDef */
	uint32_t type; /* row of TypeDef, or 0 if `owner` specifies the type */
	bool has_owner;
	struct cursor owner; /* a type signature */
	/* modules of the tokens in `owner` (from) and in its type arguments (home) */
	struct clr_module from, home;
	struct str name, signature; /* name and signature of the method */
	struct clr_module sig_in; /* the module that defines the tokens in `signature` */
};

/* Returns the TypeDef of an owner.  c: the type signature of the owner. */
static struct clr_type owner_type(struct r2r *r, struct cursor c, struct clr_module in)
{
	struct clr_type t = { in, 0 };

	for (int i = 0; i < MD_DEPTH; i++) {
		unsigned e = cur_u8(&c);
		uint32_t slot;

		switch (e) {
		case E_MODULE_OVERRIDE:
			slot = sig_uint(&c);
			if (c.bad || !r2r_modules_get(r, slot, &in))
				return t;
			break;
		case E_GENERICINST:
			break;
		case E_VALUETYPE:
		case E_CLASS:
			return r2r_modules_resolve(r, in, sig_uint(&c));
		default: /* primitives and arrays */
			t.in = r2r_modules_core(r);
			return t;
		}
	}
	return t;
}

/* Prints "[Assembly] Owner::06000123" if the assembly that contains the name is missing. */
static void put_less(struct clr_text *t, enum r2r_spelling how, const struct subject *m)
{
	enum clr_style style = how == R2R_AS_JIT ? CLR_OWNER : CLR_MAP;
	struct cursor c = m->owner;
	char digits[20];

	t->n = 0;
	t->full = false;
	t->lacking = true;
	t->steps = STEPS_A_NAME;
	clr_text_char(t, '[');
	clr_text_put(t, m->in.name);
	clr_text_put(t, STR("] "));
	if (m->has_owner) {
		size_t n = t->n;

		if (clr_text_type(t, style, &c, m->from, m->home, 0) && !t->full)
			clr_text_put(t, STR("::"));
		else
			t->n = n;
		t->full = false;
	}
	clr_text_put(t, (struct str){ digits,
	                              out_upper_hex_at(digits,
	                                               0x06000000u | (m->row & 0xffffff),
	                                               8) });
}

static bool put_owner(struct clr_text *t, enum clr_style style, const struct subject *m)
{
	struct cursor c = m->owner;

	if (m->has_owner)
		return clr_text_type(t, style, &c, m->from, m->home, 0);
	if (!m->type)
		return false;
	clr_text_named(t, style, m->in, m->type << 2);
	return true;
}

static bool put_arguments(struct clr_text *t, enum clr_style style, struct cursor *c,
                          uint32_t n, struct clr_module in)
{
	clr_text_char(t, '(');
	for (uint32_t i = 0; i < n; i++) {
		if (i)
			clr_text_put(t, style == CLR_MAP ? STR(", ") : STR(","));
		if (!clr_text_type(t, style, c, in, in, 0))
			return false;
	}
	clr_text_char(t, ')');
	return !t->full;
}

static struct cursor begin_signature(const struct subject *m, unsigned *convention,
                                     uint32_t *n)
{
	struct cursor c = cur_little(m->signature);

	*convention = cur_u8(&c);
	if (*convention & CONV_GENERIC)
		sig_uint(&c);
	*n = sig_uint(&c);
	return c;
}

static bool put_jit(struct clr_text *t, const struct subject *m)
{
	unsigned convention;
	uint32_t n;
	struct cursor c = begin_signature(m, &convention, &n);

	clr_text_convention(t, convention);
	if (!clr_text_type(t, CLR_IL, &c, m->sig_in, m->sig_in, 0))
		return false;
	clr_text_put(t, STR(" ["));
	clr_text_put(t, m->in.name);
	clr_text_put(t, STR("] "));
	if (!put_owner(t, CLR_OWNER, m))
		return false;
	clr_text_put(t, STR("::"));
	clr_text_put(t, m->name);
	return put_arguments(t, CLR_IL, &c, n, m->sig_in);
}

/* Returns the type arguments of an owner, which follow the generic type. */
static struct clr_args owner_args(struct r2r *r, const struct subject *m)
{
	struct clr_args args = { .at = m->owner, .in = m->home, .home = m->home };
	unsigned e;

	if (!m->has_owner)
		return args;
	do {
		e = cur_u8(&args.at);
		if (e == E_MODULE_OVERRIDE)
			sig_uint(&args.at);
	} while (e == E_MODULE_OVERRIDE);
	if (e == E_GENERICINST && sig_skip_type(&args.at, &r->steps, 0))
		args.n = sig_uint(&args.at);
	return args;
}

/* Prints a name in the spelling of an r2rmap.  This spelling omits a void return type. */
static bool put_map(struct clr_text *t, const struct subject *m)
{
	unsigned convention;
	uint32_t n;
	struct cursor c = begin_signature(m, &convention, &n), ret;

	ret = c;
	while (cur_left(&ret) && (*ret.p == E_CMOD_REQD || *ret.p == E_CMOD_OPT)) {
		cur_u8(&ret);
		sig_uint(&ret);
	}
	if (cur_left(&ret) && *ret.p == E_VOID) {
		cur_u8(&ret);
		c = ret;
	} else {
		if (!clr_text_type(t, CLR_MAP, &c, m->sig_in, m->sig_in, 0))
			return false;
		clr_text_char(t, ' ');
	}
	if (!put_owner(t, CLR_MAP, m))
		return false;
	clr_text_put(t, STR("::"));
	clr_text_put(t, m->name);
	return put_arguments(t, CLR_MAP, &c, n, m->sig_in);
}

/*
 * Prints the types of a signature without assemblies, for comparison.  Two signatures may name
 * different assemblies for the same type, because a facade forwards types.
 */
static bool put_bare(struct clr_text *t, struct str signature, struct clr_module in)
{
	struct subject m = { .signature = signature };
	unsigned convention;
	uint32_t n;
	struct cursor c = begin_signature(&m, &convention, &n);

	t->n = 0;
	t->bare = true;
	clr_text_convention(t, convention);
	return clr_text_type(t, CLR_IL, &c, in, in, 0) &&
	       put_arguments(t, CLR_IL, &c, n, in);
}

/* Returns the MethodDef of `type` with that name and signature, or 0. */
static uint32_t find_method(struct r2r *r, struct clr_type type, struct str name,
                            struct str signature, struct clr_module sig_in)
{
	struct clr_text want = { .r = r, .steps = STEPS_A_NAME };
	struct clr_text have = { .r = r, .steps = STEPS_A_NAME };
	uint32_t row, end;

	if (!type.in.md || !type.row || !put_bare(&want, signature, sig_in))
		return 0;
	metadata_methods(type.in.md, type.row, &row, &end);
	for (; row < end; row++)
		if (str_eq(name, metadata_string(type.in.md, MD_METHODDEF, row,
		                                 METHODDEF_NAME)) &&
		    put_bare(&have,
		             metadata_blob(type.in.md, MD_METHODDEF, row,
		                           METHODDEF_SIGNATURE),
		             type.in) &&
		    str_eq((struct str){ want.p, want.n },
		           (struct str){ have.p, have.n }))
			return row;
	return 0;
}

static bool define(struct subject *m)
{
	if (!m->in.md || !m->row || m->row > m->in.md->table[MD_METHODDEF].n)
		return false;
	m->name = metadata_string(m->in.md, MD_METHODDEF, m->row, METHODDEF_NAME);
	m->signature = metadata_blob(m->in.md, MD_METHODDEF, m->row, METHODDEF_SIGNATURE);
	m->sig_in = m->in;
	return true;
}

/*
 * Resolves a MemberRef.  If the method is not available, its name and signature are taken from
 * the MemberRef.
 */
static bool refer(struct r2r *r, struct subject *m, uint32_t row)
{
	const struct metadata *md = m->from.md;
	struct clr_type type = { m->from, 0 };
	uint32_t class;

	if (!md || !row || row > md->table[MD_MEMBERREF].n)
		return false;
	m->name = metadata_string(md, MD_MEMBERREF, row, MEMBERREF_NAME);
	m->signature = metadata_blob(md, MD_MEMBERREF, row, MEMBERREF_SIGNATURE);
	m->sig_in = m->from;
	class = metadata_cell(md, MD_MEMBERREF, row, MEMBERREF_CLASS);
	if (m->has_owner) {
		type = owner_type(r, m->owner, m->from);
	} else if ((class & 7) <= 1) {
		type = r2r_modules_resolve(r, m->from, class >> 3 << 2 | (class & 7));
	} else if ((class & 7) == 4) {
		struct str blob =
		        metadata_blob(md, MD_TYPESPEC, class >> 3, TYPESPEC_SIGNATURE);

		m->owner = cur_little(blob);
		m->has_owner = true;
		m->home = m->from;
		type = owner_type(r, m->owner, m->from);
	}
	m->in = type.in;
	m->type = type.row;
	m->row = find_method(r, type, m->name, m->signature, m->sig_in);
	return m->row ? define(m) : m->name.n && (m->has_owner || m->type);
}

/*
 * Finds the method of an instance.  If the row belongs to a method of another type, the assembly
 * has the wrong version, and the function returns false.
 */
static bool find_instance(struct r2r *r, struct subject *m, uint32_t where,
                          struct r2r_signature *sig)
{
	struct cursor c = cur_little(str_from(r->pe->bytes, where));
	struct clr_type type;

	if (!r2r_read_signature(r, &c, sig) || !r2r_modules_get(r, 0, &m->home))
		return false;
	m->from = m->home;
	if (sig->flags & SIG_CONTEXT && !r2r_modules_get(r, sig->module, &m->from))
		return false;
	m->has_owner = sig->flags & SIG_OWNER;
	m->owner = sig->owner;
	m->row = sig->row;
	m->in = m->from;
	if (sig->flags & SIG_MEMBERREF)
		return refer(r, m, sig->row);
	if (!m->has_owner) {
		if (!define(m))
			return false;
		m->type = metadata_owner(m->in.md, m->row);
		return m->type != 0;
	}
	type = owner_type(r, m->owner, m->from);
	m->in = type.in;
	return define(m) && (!type.row || metadata_owner(m->in.md, m->row) == type.row);
}

static bool find_subject(struct r2r *r, const struct r2r_code *code, struct subject *m,
                         struct r2r_signature *sig)
{
	if (code->kind == R2R_INSTANCE)
		return find_instance(r, m, code->where, sig);
	m->row = code->where;
	if (!r2r_modules_get(r, code->module, &m->in) || !define(m))
		return false;
	m->type = metadata_owner(m->in.md, m->row);
	return m->type != 0;
}

bool r2r_name_definition(struct r2r *r, size_t index, struct r2r_definition *out)
{
	const struct r2r_code *code = &r->code[index];
	struct r2r_signature sig = { 0 };
	struct subject m = { 0 };

	r->steps = (uint64_t)STEPS_A_NAME * 4;
	if (code->kind == R2R_THUNKS || !find_subject(r, code, &m, &sig) || !m.in.md ||
	    !m.row)
		return false;
	*out = (struct r2r_definition){ m.in.md, m.in.md == r->own, m.row };
	return true;
}

static void put_suffix(struct clr_text *t, const struct r2r_code *code)
{
	if (code->shared) {
		clr_text_put(t, STR("[shared-"));
		clr_text_dec(t, code->shared);
		clr_text_char(t, ']');
	}
	if (code->cold)
		clr_text_put(t, STR("[PreJit-cold]"));
}

/* Returns "[System.Linq!thunk]" for System.Linq. */
static struct str thunk_name(const struct r2r *r, struct arena *a)
{
	struct str file = r->file;

	if (str_ends(file, STR(".dll")))
		file.n -= 4;
	return arena_fmt(a, "[" PRSTR "!thunk]", STRARG(file));
}

struct str r2r_name(struct r2r *r, size_t index, struct arena *a, enum r2r_spelling how)
{
	const struct r2r_code *code = &r->code[index];
	struct r2r_signature sig = { 0 };
	struct subject m = { 0 };
	struct clr_text t;
	bool good;

	if (code->kind == R2R_THUNKS)
		return thunk_name(r, a);
	r->steps = (uint64_t)STEPS_A_NAME * 4;
	t.r = r;
	t.n = 0;
	t.bare = t.lacking = t.full = false;
	t.steps = STEPS_A_NAME;
	good = find_subject(r, code, &m, &sig);
	t.of_owner = how == R2R_AS_MAP && good ? owner_args(r, &m)
	                                       : (struct clr_args){ .n = 0 };
	t.of_method = (struct clr_args){ sig.args, sig.nargs, m.from, m.home };
	good = good && (how == R2R_AS_JIT ? put_jit(&t, &m) : put_map(&t, &m)) && !t.full;
	if (!good)
		put_less(&t, how, &m);
	put_suffix(&t, code);
	r->lacking += t.lacking;
	return arena_str(a, (struct str){ t.p, t.n });
}

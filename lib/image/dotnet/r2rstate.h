/*
 * r2rstate - what the parts of the ReadyToRun reader share; private to image/.
 *
 *	r2r.c      where code lies, and which method is which
 *	r2rskip.c  signatures: skipped; r2rtype.c their types printed
 *	r2rname.c  methods printed, r2rsign.c  the map's header
 *	r2rref.c   references to other assemblies
 */
#ifndef IMAGE_DOTNET_R2RSTATE_H
#define IMAGE_DOTNET_R2RSTATE_H

#include "image/dotnet/r2r.h"
#include "image/dotnet/r2rskip.h"

/* An assembly as far as it is known; md is NULL when only its name is. */
struct clr_module {
	struct str name;
	struct metadata *md;
};

/* Signatures name modules by number. */
struct r2r_slot {
	struct clr_module module;
	const unsigned char *mvid; /* NULL when the image does not say */
	bool looked;               /* md was asked for */
};

enum r2r_kind {
	R2R_NONE,
	R2R_DEF,      /* where: MethodDef row in module */
	R2R_INSTANCE, /* where: offset in the file of its signature */
	R2R_THUNKS,
};

struct r2r_code {
	uint32_t begin, end; /* rva */
	uint32_t where;
	uint16_t module; /* slot */
	uint8_t kind;
	bool cold;
	uint32_t shared; /* further methods that are this very code */
};

struct r2r {
	const struct pe *pe;
	struct str file;
	struct arena *arena;
	struct metadata *own;      /* NULL in a composite */
	struct metadata *manifest; /* references that the compiler added; or NULL */
	uint32_t own_refs;         /* AssemblyRef rows of own */
	bool composite;
	size_t ncomponents;     /* rows 1.. of the manifest */
	bool manifest_has_slot; /* since 6.3 */
	struct r2r_slot *slot;
	size_t nslots;
	struct r2r_code *code;
	size_t n;
	size_t unread, lacking;
	uint64_t steps; /* left for reading signatures: bounds hostile input */
	r2r_find_assembly *find;
	void *ctx;
};

/* r2r.c */
enum {
	SIG_ARGUMENTS = 0x04, /* of the method */
	SIG_MEMBERREF = 0x10, /* row is that of a MemberRef */
	SIG_CONSTRAINED = 0x20,
	SIG_OWNER = 0x40,   /* its type is given */
	SIG_CONTEXT = 0x80, /* tokens are in another module */
};

/* How InstanceMethodEntryPoints says which method. */
struct r2r_signature {
	uint32_t flags, module, row;
	struct cursor owner, args;
	uint32_t nargs;
};

/* Leaves c behind it.  False: it cannot be read. */
bool r2r_read_signature(struct r2r *r, struct cursor *c, struct r2r_signature *out);

/* r2rref.c */

void r2r_make_slots(struct r2r *r, struct str mvids);

/* A module by number; false: there is none of that number. */
bool r2r_module(struct r2r *r, uint32_t slot, struct clr_module *out);

/* A TypeDef with the module it is in; row 0: not found, and in is where it should be. */
struct clr_type {
	struct clr_module in;
	uint32_t row;
};
struct clr_type r2r_resolve(struct r2r *r, struct clr_module from, uint32_t coded);

/* What a TypeRef or ModuleRef refers to. */
struct str r2r_ref_name(struct r2r *r, const struct metadata *md, uint32_t scope);

/* The core library: where primitive types are defined. */
struct clr_module r2r_core(struct r2r *r);

/* r2rtype.c */

enum clr_style {
	CLR_OWNER, /* System.Collections.Generic.List`1[System.Int32] */
	CLR_IL,  /* class [System.Collections]System.Collections.Generic.List`1<int32> */
	CLR_MAP, /* System.Collections.Generic.List`1[System.Int32], !n filled in */
};

enum { CLR_NAME = 16384 };

/* Type arguments of an owner or of a method. */
struct clr_args {
	struct cursor at; /* the first */
	uint32_t n;
	struct clr_module in;   /* what their tokens are in */
	struct clr_module home; /* and those of their own arguments */
};

struct clr_text {
	struct r2r *r;
	bool bare;    /* without [Assembly] */
	bool lacking; /* something is missing in it */
	bool full;    /* longer than any name is */
	uint32_t steps;
	struct clr_args of_owner, of_method; /* CLR_MAP */
	size_t n;
	char p[CLR_NAME];
};

void clr_put(struct clr_text *t, struct str s);
void clr_put_char(struct clr_text *t, char c);
void clr_put_dec(struct clr_text *t, int64_t v);

/* A signature's type at c, its tokens in `in`, those of its type arguments in home. */
bool clr_put_type(struct clr_text *t, enum clr_style style, struct cursor *c,
                  struct clr_module in, struct clr_module home, unsigned depth);

/* A TypeDefOrRef by its name. */
void clr_put_named(struct clr_text *t, enum clr_style style, struct clr_module in,
                   uint32_t coded);

/* "instance ", "vararg " */
void clr_put_convention(struct clr_text *t, unsigned convention);

#endif

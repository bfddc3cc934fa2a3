/* clr_text - prints the types in signatures.  Private to image/dotnet/. */
#ifndef IMAGE_DOTNET_CLR_TEXT_H
#define IMAGE_DOTNET_CLR_TEXT_H

#include "image/dotnet/r2r_modules.h"

enum clr_style {
	CLR_OWNER, /* System.Collections.Generic.List`1[System.Int32] */
	CLR_IL, /* class [System.Collections]System.Collections.Generic.List`1<int32> */
	/* like CLR_OWNER, with the type arguments instead of !0, !1, ... */
	CLR_MAP,
};

enum { CLR_NAME = 16384 };

/* The type arguments of a generic type or method. */
struct clr_args {
	struct cursor at; /* the first argument */
	uint32_t n;
	struct clr_module in; /* module that defines the tokens of the arguments */
	/* module that defines the tokens of nested type arguments */
	struct clr_module home;
};

struct clr_text {
	struct r2r *r;
	bool bare;    /* omit [Assembly] */
	bool lacking; /* a part of the text is unknown */
	bool full;    /* the text exceeds CLR_NAME bytes */
	uint32_t steps;
	/* CLR_MAP prints these type arguments instead of !0 (of_owner) and !!0 (of_method) */
	struct clr_args of_owner, of_method;
	size_t n;
	char p[CLR_NAME];
};

void clr_text_put(struct clr_text *t, struct str s);
void clr_text_char(struct clr_text *t, char c);
void clr_text_dec(struct clr_text *t, int64_t v);

/*
 * Prints the type at c.  in: the module that defines its tokens.  home: the module that defines
 * the tokens of its type arguments.
 */
bool clr_text_type(struct clr_text *t, enum clr_style style, struct cursor *c,
                   struct clr_module in, struct clr_module home, unsigned depth);

/* Prints the name of a type, which is given as a coded index TypeDefOrRef. */
void clr_text_named(struct clr_text *t, enum clr_style style, struct clr_module in,
                    uint32_t coded);

/* Prints a calling convention, such as "instance " or "vararg ". */
void clr_text_convention(struct clr_text *t, unsigned convention);

#endif

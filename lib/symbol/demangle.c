/*
 * By libiberty, which tells the schemes apart:
 *
 *	_ZN4work12each_collatzEmm                       work::each_collatz
 *	_ZN4core3fmt5write17h0123456789abcdefE          core::fmt::write
 *	_RNvCskwGfYPst2Cb_3foo16example_function        foo::example_function
 *
 * Back references let a short name stand for an endless one; what is longer than
 * LONGEST is given up in the middle, before it takes time and memory.
 */
#include "symbol/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>

enum { LONGEST = 64 << 10 };

struct text {
	jmp_buf too_long;
	size_t n;
	char p[LONGEST];
};

static void put(const char *piece, size_t n, void *ctx)
{
	struct text *t = ctx;

	if (n > LONGEST - t->n)
		longjmp(t->too_long, 1);
	memcpy(t->p + t->n, piece, n);
	t->n += n;
}

/* Rust first: its old scheme looks like C++. */
static bool spell(const char *mangled, struct text *t)
{
	if (setjmp(t->too_long))
		return false;
	if (rust_demangle_callback(mangled, DMGL_NO_OPTS, put, t))
		return true;
	t->n = 0;
	return cplus_demangle_v3_callback(mangled, DMGL_NO_OPTS, put, t);
}

struct str demangle(struct str name, struct arena *a)
{
	struct str stub = STR("@plt"), mangled = name, out = name;
	struct arena scratch = { 0 };
	struct text *t;

	if (name.n < 3 || name.n > LONGEST || (name.p[0] != '_' && name.p[0] != 'R'))
		return name;
	if (str_ends(name, stub))
		mangled.n -= stub.n;
	t = arena_new(&scratch, struct text, 1);
	if (spell(arena_str(&scratch, mangled).p, t) && t->n) {
		if (mangled.n < name.n && t->n + stub.n <= LONGEST)
			put(stub.p, stub.n, t);
		out = arena_str(a, (struct str){ t->p, t->n });
	}
	arena_release(&scratch);
	return out;
}

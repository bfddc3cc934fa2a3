/*
 * demangle.c - uses libiberty for most schemes:
 *
 * 	_ZN4work12each_collatzEmm                      work::each_collatz
 * 	_ZN4core3fmt5write17h0123456789abcdefE    core::fmt::write
 * 	_RNvCskwGfYPst2Cb_3foo16example_function        foo::example_function
 * 	_D3std5stdio7writelnFAyaZv                    std.stdio.writeln(immutable(char)[])
 *
 * This file demangles OCaml names, which consist of a module, a function and a number:
 *
 * 	camlStdlib__List__map_213                      Stdlib.List.map_213
 *
 * java_name demangles Java names.  A short name with back references can expand without limit, so
 * demangling stops at LONGEST bytes.
 */
#include "bind/native/demangle.h"

#include "bind/native/java_name.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdlib.h>

enum { LONGEST = 64 << 10 };

/*
 * The output.  The buffer is not cleared for each name, because there are many names and most are
 * short.
 */
struct text {
	jmp_buf too_long;
	size_t n;
	char p[LONGEST];
	char mangled[LONGEST + 1];
};

static void put(const char *piece, size_t n, void *ctx)
{
	struct text *t = ctx;

	if (n > LONGEST - t->n)
		longjmp(t->too_long, 1);
	memcpy(t->p + t->n, piece, n);
	t->n += n;
}

/*
 * Demangles a Rust or C++ name.  Tries Rust first, because legacy Rust names look like C++ names.
 */
static bool spell_callback(int options, struct text *t)
{
	if (rust_demangle_callback(t->mangled, DMGL_NO_OPTS, put, t))
		return true;
	t->n = 0;
	return cplus_demangle_v3_callback(t->mangled, options, put, t);
}

/*
 * Demangles a name.  Returns false if the result is too long.  This is a separate function,
 * because longjmp may change the local variables of the function that calls setjmp.
 */
static bool spell(enum demangling how, struct text *t)
{
	if (setjmp(t->too_long))
		return false;
	return spell_callback(
	        how == DEMANGLE_FULL ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS, t);
}

/*
 * Limits for D names.  Each back reference ('Q') may double the length, and dlang_demangle cannot
 * be interrupted, so the input is limited.
 */
enum { D_LONGEST = 1024, D_REFERENCES = 8 };

static bool is_endless(struct str mangled)
{
	size_t references = 0;

	for (size_t i = 0; i < mangled.n; i++)
		references += mangled.p[i] == 'Q';
	return mangled.n > D_LONGEST || references > D_REFERENCES;
}

/* Writes ".constprop.0.cold" as " [clone .constprop.0] [clone .cold]", as in C++ names. */
static void put_clones(struct str suffix, struct text *t)
{
	while (suffix.n) {
		size_t n = 1;

		while (n < suffix.n && suffix.p[n] != '.')
			n++;
		while (n + 1 < suffix.n && suffix.p[n] == '.' &&
		       str_is_digit(suffix.p[n + 1]))
			for (n++; n < suffix.n && suffix.p[n] != '.';)
				n++;
		put(" [clone ", 8, t);
		put(suffix.p, n, t);
		put("]", 1, t);
		suffix = str_from(suffix, n);
	}
}

static bool spell_d(struct str mangled, struct text *t)
{
	size_t end = str_find(mangled, '.'), length;
	char *plain;

	if (is_endless(mangled))
		return false;
	t->mangled[end] = '\0';
	plain = dlang_demangle(t->mangled, DMGL_NO_OPTS);
	length = plain ? strlen(plain) : 0;
	if (length && length <= LONGEST / 2) {
		memcpy(t->p, plain, length);
		t->n = length;
		put_clones(str_from(mangled, end), t);
	}
	free(plain);
	return t->n != 0;
}

/*
 * Demangles an OCaml name.  "__" represents a dot, and "$2b" the character with that hexadecimal
 * code.
 */
static bool spell_ocaml(struct str s, struct text *t)
{
	s = str_from(s, 4);
	while (s.n) {
		struct str hex = str_head(str_from(s, 1), 2);
		size_t taken = 1;
		uint64_t c = (unsigned char)s.p[0];

		if (str_starts(s, STR("__"))) {
			c = '.';
			taken = 2;
		} else if (c == '$' && hex.n == 2 && str_is_hex(hex, &c)) {
			taken = 3;
		}
		t->p[t->n++] = (char)c;
		s = str_from(s, taken);
	}
	return true;
}

static bool is_ocaml(struct str name)
{
	return name.n > 4 && str_starts(name, STR("caml")) && name.p[4] >= 'A' &&
	       name.p[4] <= 'Z';
}

static bool is_mangled(struct str name)
{
	return name.n && name.n <= LONGEST &&
	       (name.p[0] == '_' || name.p[0] == 'R' || is_ocaml(name));
}

static bool spell_any(struct str mangled, enum demangling how, struct text *t)
{
	t->n = 0;
	memcpy(t->mangled, mangled.p, mangled.n);
	t->mangled[mangled.n] = '\0';
	if (is_ocaml(mangled))
		return spell_ocaml(mangled, t);
	if (str_starts(mangled, STR("_D")))
		return spell_d(mangled, t);
	return spell(how, t) && t->n;
}

struct str demangle(struct str name, enum demangling how, struct arena *a)
{
	struct str stub = STR("@plt"), mangled = name, out = name;
	struct text t;

	if (how != DEMANGLE_NOT && name.n && name.p[0] == 'L')
		return java_name(name, how == DEMANGLE_PERF, a);
	if (how == DEMANGLE_NOT || !is_mangled(name))
		return name;
	if (str_ends(name, stub))
		mangled.n -= stub.n;
	if (spell_any(mangled, how, &t)) {
		if (mangled.n < name.n && t.n + stub.n <= LONGEST)
			put(stub.p, stub.n, &t);
		out = arena_str(a, (struct str){ t.p, t.n });
	}
	return out;
}

struct str demangle_once(struct demangled *d, struct str name, struct arena *a)
{
	uint32_t *at = table_at(&d->index, a, (uintptr_t)name.p, name.n);

	return *table_item(at, a, d->name, d->n, d->cap, demangle(name, d->how, a));
}

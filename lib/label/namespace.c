#include "label/namespace.h"

#include "label/clone_suffix.h"
#include "label/kind.h"
#include "label/tidy_dotnet.h"

struct str namespace_module(struct str func, struct str module, unsigned flags)
{
	struct str assembly = { 0 };

	module = kind_module(module);
	if (str_eq(module, STR("[unknown]")))
		return (struct str){ 0 };
	if (kind_of(module, flags) != KIND_JIT)
		return module;
	if (tidy_dotnet_is_stub(func))
		return STR("[stubs]");
	return tidy_dotnet_assembly(func, &assembly) ? assembly : module;
}

struct str namespace_assembly(struct str module)
{
	struct str base = str_base(module);

	return str_ends(base, STR(".dll")) ? str_head(base, base.n - 4) : base;
}

/*
 * Returns the index of the first c outside of all brackets, or s.n.  If c is ':', searches for
 * "::".
 */
static size_t find_outside(struct str s, char c)
{
	size_t depth = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (!depth && s.p[i] == c &&
		    (c != ':' || (i + 1 < s.n && s.p[i + 1] == ':')))
			return i;
		depth = tidy_depth(depth, s.p[i], "<([{", ">)]}");
	}
	return s.n;
}

/* Returns the package of a Go name such as "net/http.(*Client).Do" or "runtime.mallocgc". */
static struct str go_package(struct str s)
{
	size_t slash = str_rfind(s, '/');
	size_t from = slash < s.n ? slash + 1 : 0;
	size_t dot = from + str_find(str_from(s, from), '.');

	if (dot + 1 >= s.n || !dot || clone_suffix_begins(str_from(s, dot + 1)))
		return (struct str){ 0 };
	return str_head(s, dot);
}

/* Returns the part of a name before its last dot, or an empty string. */
static struct str before_dot(struct str s)
{
	size_t dot = str_rfind(s, '.');

	return dot < s.n ? str_head(s, dot) : (struct str){ 0 };
}

struct str namespace_of(struct str label, bool managed)
{
	size_t colons, end;

	/* skip brackets of Rust, as in "<alloc::vec::Vec<T> as Clone>::clone" */
	while (label.n && strchr("<&*", label.p[0]))
		label = str_from(label, 1);
	if (str_starts(label, STR("[")) || str_starts(label, STR("stub ")))
		return (struct str){ 0 };
	colons = find_outside(label, ':');
	if (colons < label.n) {
		label = str_head(label, colons);
		return managed ? before_dot(str_head(label, find_outside(label, '<')))
		               : str_head(label, find_outside(label, '<'));
	}
	end = str_find(label, ' ');
	if (end < label.n && !str_starts(str_from(label, end), STR(" (")))
		return (struct str){ 0 };
	label = str_head(label, end);
	return managed ? before_dot(before_dot(label)) : go_package(label);
}

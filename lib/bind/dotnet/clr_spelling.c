#include "bind/dotnet/clr_spelling.h"

#include "base/buffer.h"

enum {
	MAX_ARGS = 16,
	MAX_DEPTH = 32,
	LONGEST = 1 << 14,
};

/* State of a conversion. */
struct spelling {
	struct str in;            /* unread part of the input */
	struct str arg[MAX_ARGS]; /* type arguments of the method's class */
	size_t nargs;
	struct buffer out;
};

static bool put(struct spelling *s, struct str piece)
{
	if (piece.n > LONGEST - s->out.n)
		return false;
	buffer_put(&s->out, piece);
	return true;
}

static bool put_char(struct spelling *s, char c)
{
	return put(s, (struct str){ &c, 1 });
}

/* Returns the length of s up to the bracket that closes its first bracket, or 0. */
static size_t balanced(struct str s, char open, char close)
{
	size_t depth = 0;

	for (size_t i = 0; i < s.n; i++) {
		depth += s.p[i] == open;
		if (s.p[i] == close && --depth == 0)
			return i + 1;
	}
	return 0;
}

struct str clr_spelling_untiered(struct str name)
{
	size_t at = name.n && name.p[name.n - 1] == ']' ? str_rfind(name, '[') : name.n;

	return at && at < name.n && name.p[at - 1] == ')' ? str_head(name, at) : name;
}

/* Splits "RET [ASM] REST" at the brackets that have a blank on both sides. */
static bool split(struct str name, struct str *ret, struct str *assembly,
                  struct str *rest)
{
	struct str mark = STR(" [");

	if (name.n > LONGEST)
		return false;
	for (size_t at = 0; at < name.n; at += mark.n) {
		struct str tail;
		size_t end;

		at += str_search(str_from(name, at), mark);
		tail = str_from(name, at + mark.n);
		end = str_find(tail, ']');
		if (at == name.n || end == tail.n)
			return false;
		*ret = str_head(name, at);
		*assembly = str_head(tail, end);
		*rest = str_from(tail, end + 1);
		if (str_skip(rest, STR(" ")))
			return true;
	}
	return false;
}

struct str clr_spelling_assembly(struct str name)
{
	struct str ret, assembly, rest, none = { 0 };

	return split(name, &ret, &assembly, &rest) ? assembly : none;
}

/*
 * Writes "T[A,B]".  Adds blanks after commas, except in dimensions of arrays, and removes
 * escapes.
 */
static bool put_owner(struct spelling *s, struct str owner)
{
	bool dims = false;

	for (size_t i = 0; i < owner.n; i++) {
		char c = owner.p[i], next = i + 1 < owner.n ? owner.p[i + 1] : '\0';

		if (c == '\\' && next) {
			c = next;
			i++;
		} else if (c == '[') {
			dims = next == ',';
		} else if (c == ',' && !dims) {
			if (!put(s, STR(", ")))
				return false;
			continue;
		}
		if (!put_char(s, c))
			return false;
		dims &= c == '[' || c == ',';
	}
	return true;
}

/*
 * Reads the type arguments of the owner, the class of the method.  "!0" and "!1" refer to these
 * arguments.
 */
static void take_args(struct spelling *s)
{
	struct str owner = buffer_str(&s->out);
	size_t at = str_find(owner, '['), depth = 0, begin = at + 1;

	for (size_t i = at; i < owner.n && s->nargs < MAX_ARGS; i++) {
		bool comma = str_starts(str_from(owner, i), STR(", "));
		bool close = owner.p[i] == ']';

		depth += owner.p[i] == '[';
		if (depth == 1 && (comma || close)) {
			s->arg[s->nargs++] = arena_str(
			        s->out.arena, str_span(owner.p + begin, owner.p + i));
			begin = i + 2;
		}
		depth -= close;
		if (!depth)
			break;
	}
}

static bool put_type(struct spelling *s, int depth);

/* Writes "<A,B>" after the name of a generic type as "[A,B]". */
static bool put_instance(struct spelling *s, int depth)
{
	if (!str_skip(&s->in, STR("<")))
		return true;
	if (!put_char(s, '['))
		return false;
	do {
		if (!put_type(s, depth + 1))
			return false;
	} while (str_skip(&s->in, STR(",")) && put(s, STR(", ")));
	return str_skip(&s->in, STR(">")) && put_char(s, ']');
}

/*
 * Returns the length of a type's name.  A '<' does not always end the name, because names made by
 * compilers contain it.
 */
static size_t name_length(struct str s)
{
	size_t i = 0;

	while (i < s.n && !strchr(",)>[&* ", s.p[i])) {
		bool begins = !i || strchr("./+", s.p[i - 1]);
		size_t skip =
		        s.p[i] == '<' && begins ? balanced(str_from(s, i), '<', '>') : 0;

		if (s.p[i] == '<' && !skip)
			break;
		i += skip ? skip : 1;
	}
	return i;
}

/* Writes a name such as "[System.Runtime]System.Outer/Inner" without its assembly. */
static bool put_named(struct spelling *s, int depth)
{
	struct str name;

	if (s->in.n && s->in.p[0] == '[')
		s->in = str_from(s->in, str_find(s->in, ']') + 1);
	name = str_head(s->in, name_length(s->in));
	s->in = str_from(s->in, name.n);
	for (size_t i = 0; i < name.n; i++)
		if (!put_char(s, name.p[i] == '/' ? '+' : name.p[i]))
			return false;
	return name.n && put_instance(s, depth);
}

static bool put_keyword(struct spelling *s)
{
	static const struct str words[][2] = {
		{ STR("native uint"), STR("System.UIntPtr") },
		{ STR("native int"), STR("System.IntPtr") },
		{ STR("typedref"), STR("System.TypedReference") },
		{ STR("string"), STR("System.String") },
		{ STR("object"), STR("System.Object") },
		{ STR("float32"), STR("System.Single") },
		{ STR("float64"), STR("System.Double") },
		{ STR("uint16"), STR("System.UInt16") },
		{ STR("uint32"), STR("System.UInt32") },
		{ STR("uint64"), STR("System.UInt64") },
		{ STR("uint8"), STR("System.Byte") },
		{ STR("int16"), STR("System.Int16") },
		{ STR("int32"), STR("System.Int32") },
		{ STR("int64"), STR("System.Int64") },
		{ STR("int8"), STR("System.SByte") },
		{ STR("bool"), STR("System.Boolean") },
		{ STR("char"), STR("System.Char") },
		{ STR("void"), STR("System.Void") },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (str_skip(&s->in, words[i][0]))
			return put(s, words[i][1]);
	return false;
}

/*
 * Writes the dimensions of an array.  "[0...,0...]" has rank 2.  "[...]" has rank 1 and a lower
 * bound other than 0.
 */
static bool put_array(struct spelling *s)
{
	struct str dims = str_head(s->in, str_find(s->in, ']'));

	if (dims.n == s->in.n || !put_char(s, '['))
		return false;
	s->in = str_from(s->in, dims.n + 1);
	if (dims.n > 1 && str_find(dims, ',') == dims.n && !put_char(s, '*'))
		return false;
	for (size_t i = 0; i < dims.n; i++)
		if (dims.p[i] == ',' && !put_char(s, ','))
			return false;
	return put_char(s, ']');
}

static bool put_suffixes(struct spelling *s)
{
	while (s->in.n) {
		char c = s->in.p[0];

		if (c == '[') {
			if (!put_array(s))
				return false;
		} else if (c == '&' || c == '*') {
			s->in = str_from(s->in, 1);
			if (!put_char(s, c))
				return false;
		} else if (str_starts(s->in, STR(" mod"))) {
			size_t skip = balanced(s->in, '(', ')');

			if (!skip)
				return false;
			s->in = str_from(s->in, skip);
		} else if (!str_skip(&s->in, STR(" pinned"))) {
			break;
		}
	}
	return true;
}

static bool put_type(struct spelling *s, int depth)
{
	uint64_t i;

	if (depth > MAX_DEPTH)
		return false;
	if (str_skip(&s->in, STR("class ")) || str_skip(&s->in, STR("valuetype "))) {
		if (!put_named(s, depth))
			return false;
	} else if (str_skip(&s->in, STR("!"))) {
		if (!str_take_dec(&s->in, &i) || i >= s->nargs || !put(s, s->arg[i]))
			return false;
	} else if (!put_keyword(s)) {
		return false;
	}
	return put_suffixes(s);
}

static bool put_whole_type(struct spelling *s, struct str type)
{
	s->in = type;
	return put_type(s, 0) && !s->in.n;
}

/* Writes a list of types and its closing bracket: "A,B)". */
static bool put_types(struct spelling *s, struct str types)
{
	s->in = types;
	if (!str_eq(types, STR(")"))) {
		do {
			if (!put_type(s, 0))
				return false;
		} while (str_skip(&s->in, STR(",")) && put(s, STR(", ")));
	}
	return str_eq(s->in, STR(")")) && put_char(s, ')');
}

/* Returns the position of the argument list at the end of s, or s.n if there is no list. */
static size_t list_begin(struct str s)
{
	size_t depth = 0;

	for (size_t i = s.n; i-- > 0;) {
		depth += s.p[i] == ')';
		if (s.p[i] == '(' && depth && !--depth)
			return i;
		if (!depth)
			break;
	}
	return s.n;
}

bool clr_spelling_convert(struct str name, struct arena *a, struct str *out)
{
	struct spelling s = { .out.arena = a };
	struct str ret, assembly, rest, owner, method;
	size_t list;

	if (!split(clr_spelling_untiered(name), &ret, &assembly, &rest))
		return false;
	owner = str_head(rest, str_search(rest, STR("::")));
	method = str_from(rest, owner.n + 2);
	list = list_begin(method);
	if (!owner.n || list == method.n)
		return false;
	str_skip(&ret, STR("explicit "));
	str_skip(&ret, STR("instance "));
	/* The owner's type arguments are read first, because the return type may refer to them. */
	if (!put_owner(&s, owner))
		return false;
	take_args(&s);
	s.out.n = 0;
	if (!put_whole_type(&s, ret))
		return false;
	if (str_eq(buffer_str(&s.out), STR("System.Void")))
		s.out.n = 0;
	else if (!put_char(&s, ' '))
		return false;
	if (!put_owner(&s, owner) || !put(&s, STR("::")) ||
	    !put(&s, str_head(method, list + 1)) ||
	    !put_types(&s, str_from(method, list + 1)))
		return false;
	*out = buffer_str(&s.out);
	return true;
}

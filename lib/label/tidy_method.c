/*
 * A type is a chain of segments, separated by '+'.  Each segment contains the number of its own
 * type parameters.  All type arguments are at the end:
 *
 * 	App.Outer`1+Inner`1+<>c+<<MA>b__1_0>d[System.__Canon,System.Int32]::MoveNext
 * 	-> App.Outer<T>.Inner<int>::MA (lambda 0, async)
 *
 * Compilers generate some of the segments.  <X>... is a part of method X:
 *
 * 	<X>d__4, <X>d	state machine of X     Roslyn
 * 	<X>b__1_0, <X>b__0      lambda 0 in X
 * 	<X>g__F|1_0	    local function F in X
 * 	<>c, <>c__3, <>c__DisplayClass9_1   captured variables of lambdas in the enclosing type
 * 	<X>c__async0, <X>c__Iterator2       state machine of X      mcs
 * 	<X>m__1, <X>c__AnonStorey0::<>m__1  lambda 1 in X
 * 	VB$StateMachine_4_X       state machine of X	Visual Basic
 * 	_Closure$__, _Closure$__R5-1, _Lambda$__5-0      closures, lambdas
 * 	X@12-3	      closure or state machine in X F#
 *
 * X may itself be a generated name, as in <<<Main>$>b__0_15>d.
 */
#include "label/tidy_method.h"

enum { SEGMENTS = 32, NOTES = 8, NESTING = 16 };

enum made {
	MADE_NOT,
	/* class of captured variables.  Its name does not contain the name of the method */
	MADE_HOLDER,
	MADE_MACHINE, /* state machine of a method */
	MADE_CLOSURE, /* F#: class of a lambda or a state machine */
};

/* A note in parentheses after the name. */
struct note {
	const char *kind; /* "lambda", or NULL for a local function */
	struct str text;  /* name of a local function, or number of a lambda */
	struct str args;  /* type arguments, separated by ',' */
};

struct method {
	struct str name; /* empty if unknown */
	struct str args; /* type arguments, separated by ',' */
	size_t nargs;    /* number of type parameters */
	struct note note[NOTES];
	size_t nnotes;
	enum made made; /* kind of the last segment */
	/* Visual Basic: number of the method, from the name of its closure class */
	struct str closure;
	bool mcs_iterator, mcs_async;
};

static void put_type(struct tidy *t, struct str type, unsigned depth);

static struct str digits(struct str s)
{
	size_t n = 0;

	while (n < s.n && str_is_digit(s.p[n]))
		n++;
	return str_head(s, n);
}

/* Returns the digits at the end of s. */
static struct str last_digits(struct str s)
{
	size_t n = s.n;

	while (n && str_is_digit(s.p[n - 1]))
		n--;
	return str_from(s, n);
}

static void add_note(struct method *m, const char *kind, struct str text)
{
	if (m->nnotes < NOTES)
		m->note[m->nnotes++] = (struct note){ .kind = kind, .text = text };
}

static enum made read_inside(struct method *m, struct str inside, unsigned depth);

/* Reads the text after "<X>". */
static enum made read_tail(struct method *m, struct str tail)
{
	if (str_starts(tail, STR("d")) && (tail.n == 1 || str_starts(tail, STR("d__"))))
		return MADE_MACHINE;
	if (str_starts(tail, STR("b__"))) {
		add_note(m, "lambda", last_digits(tail));
	} else if (str_starts(tail, STR("g____PInvoke|"))) {
		add_note(m, NULL, STR("P/Invoke"));
	} else if (str_starts(tail, STR("g__"))) {
		struct str rest = str_from(tail, 3);

		add_note(m, NULL, str_head(rest, str_rfind(rest, '|')));
	} else if (str_starts(tail, STR("m__"))) {
		add_note(m, "lambda", last_digits(tail));
	} else if (str_starts(tail, STR("c__async"))) {
		m->mcs_async = true;
		return MADE_MACHINE;
	} else if (str_starts(tail, STR("c__Iterator"))) {
		m->mcs_iterator = true;
		return MADE_MACHINE;
	} else if (str_starts(tail, STR("c__AnonStorey"))) {
		return MADE_HOLDER;
	}
	return MADE_NOT;
}

static bool is_tail(struct str tail)
{
	static const char *const begins[] = { "d__",          "b__",      "g__",
		                              "m__",          "c__async", "c__Iterator",
		                              "c__AnonStorey" };

	if (!tail.n || str_eq(tail, STR("$")) || str_eq(tail, STR("d")))
		return true;
	return STR_ANY(tail, str_starts, begins);
}

/*
 * Reads "<X>tail".  Sets the name to X, and *made to the kind that the tail determines.  Returns
 * false if s has another form.
 */
static bool read_angled(struct method *m, struct str s, unsigned depth, enum made *made)
{
	size_t end;
	struct str inside, tail;

	if (s.n < 2 || s.p[0] != '<' || depth > NESTING)
		return false;
	end = tidy_close(s, 0);
	if (s.p[end - 1] != '>')
		return false;
	inside = str_span(s.p + 1, s.p + end - 1);
	tail = str_from(s, end);
	if (!inside.n) {
		/*
		 * s is <>c, <>c__3, <>c__DisplayClass9_1 or, inside a class of mcs for captured
		 * variables, <>m__0.
		 */
		*made = MADE_HOLDER;
		if (str_eq(tail, STR("c")) || str_starts(tail, STR("c__")))
			return true;
		*made = MADE_NOT;
		if (!m->name.n || !str_starts(tail, STR("m__")))
			return false;
	} else if (!is_tail(tail)) {
		return false;
	} else {
		/*
		 * If mcs nests a state machine in another state machine, or in a class of
		 * captured variables, the inner state machine belongs to a lambda.
		 */
		if (m->name.n && str_starts(tail, STR("c__async")))
			add_note(m, "lambda", last_digits(tail));
		read_inside(m, inside, depth + 1);
	}
	*made = read_tail(m, tail);
	return true;
}

static enum made read_inside(struct method *m, struct str inside, unsigned depth)
{
	enum made made = MADE_NOT;

	if (!read_angled(m, inside, depth, &made))
		m->name = str_head(inside, str_find(inside, '`'));
	return made;
}

/* Reads VB$StateMachine_4_X. */
static bool read_vb_machine(struct method *m, struct str s)
{
	struct str rest;

	if (!str_skip(&s, STR("VB$StateMachine_")))
		return false;
	rest = str_from(s, digits(s).n);
	if (rest.n < 2 || rest.p[0] != '_')
		return false;
	m->name = str_from(rest, 1);
	if (str_starts(m->name, STR("_Lambda$__"))) {
		add_note(m, "lambda", str_from(m->name, strlen("_Lambda$__")));
		m->name = STR("");
	}
	return true;
}

/* Reads X@12-3, which F# generates for line 12 of X. */
static bool read_fsharp(struct method *m, struct str s)
{
	size_t at = str_rfind(s, '@');
	struct str line = digits(str_from(s, at + 1)), rest;

	if (at == s.n || !at || !line.n)
		return false;
	rest = str_from(s, at + 1 + line.n);
	if (rest.n && rest.p[0] != '-')
		return false;
	if (rest.n && digits(str_from(rest, 1)).n != rest.n - 1)
		return false;
	m->name = str_head(s, at);
	add_note(m, "lambda", rest.n ? str_from(rest, 1) : line);
	return true;
}

/* Reads a segment.  Returns MADE_NOT if the segment is a type in the source code. */
static enum made read_segment(struct method *m, struct str s)
{
	enum made made = MADE_NOT;

	if (read_vb_machine(m, s))
		return MADE_MACHINE;
	if (str_skip(&s, STR("_Closure$__"))) {
		m->closure = digits(s);
		return MADE_HOLDER;
	}
	if (read_fsharp(m, s))
		return MADE_CLOSURE;
	if (!read_angled(m, s, 0, &made))
		return MADE_NOT;
	return made;
}

/* Returns the index after the first n arguments.  Commas in brackets do not separate arguments. */
static size_t skip_args(struct str args, size_t n)
{
	size_t i = 0, depth = 0;

	for (; i < args.n; i++) {
		char c = args.p[i];

		depth = tidy_depth(depth, c, "[<(", "]>)");
		if (c == ',' && !depth && !--n)
			break;
	}
	return i;
}

/* Removes the first n arguments from *args, and returns them. */
static struct str take_args(struct str *args, size_t n)
{
	size_t end = n ? skip_args(*args, n) : 0;
	struct str taken = str_head(*args, end);

	*args = str_from(*args, n ? end + 1 : 0);
	return taken;
}

/* Writes type arguments such as "<int,T>".  "T" represents an unknown argument. */
static void put_args(struct tidy *t, struct str args, size_t n, unsigned depth)
{
	if (!n && !args.n)
		return;
	if (t->level == TIDY_SHORT) {
		tidy_put(t, STR("<…>"));
		return;
	}
	tidy_put(t, STR("<"));
	for (size_t i = 0; i < n || args.n; i++) {
		struct str arg = take_args(&args, 1);

		if (i)
			tidy_put(t, STR(","));
		if (arg.n)
			put_type(t, arg, depth + 1);
		else
			tidy_put(t, STR("T"));
	}
	tidy_put(t, STR(">"));
}

/*
 * Writes a name.  Omits the "<>" of <>f__AnonymousType1 and <>__AnonType0, and replaces the '/'
 * before a nested type by '.'.
 */
static void put_name(struct tidy *t, struct str s)
{
	size_t from = t->n, anonymous = str_search(s, STR("Anon"));

	if (str_starts(s, STR("<>")) && anonymous < s.n)
		s = str_from(s, anonymous);
	tidy_put(t, s);
	for (size_t i = from + 1; i + 1 < t->n; i++)
		if (t->p[i] == '/' && tidy_is_word(t->p[i - 1]) &&
		    tidy_is_word(t->p[i + 1]))
			t->p[i] = '.';
}

/* A segment of a type.  The name does not contain the number of type parameters. */
struct segment {
	struct str name;
	size_t nargs;
};

/* Removes the next segment from *rest, and returns it.  A '+' in brackets is part of a name. */
static struct segment next_segment(struct str *rest)
{
	struct segment out = { 0 };
	size_t depth = 0, i = 0, tick;
	uint64_t n;
	struct str s, number;

	for (; i < rest->n; i++) {
		char c = rest->p[i];

		depth = tidy_depth(depth, c, "<", ">");
		if (c == '+' && !depth)
			break;
	}
	s = str_head(*rest, i);
	*rest = str_from(*rest, i + 1);
	tick = str_rfind(s, '`');
	out.name = s;
	number = str_from(s, tick + 1);
	if (tick < s.n && str_is_dec(number, &n) && n < SEGMENTS) {
		out.name = str_head(s, tick);
		out.nargs = n;
	}
	return out;
}

/* Splits a type such as ``A`1+B[x,y]``.  Sets *args to the text in the last brackets. */
static void split_args(struct str *owner, struct str *args)
{
	size_t open = str_find(*owner, '[');

	*args = STR("");
	if (open == owner->n || owner->p[owner->n - 1] != ']')
		return;
	*args = str_span(owner->p + open + 1, owner->p + owner->n - 1);
	*owner = str_head(*owner, open);
}

/*
 * Writes the types of an owner, and stores the meaning of generated segments in *m.  Type
 * arguments of a state machine, or of a class of captured variables, belong to the method or local
 * function.
 */
static void put_owner(struct tidy *t, struct method *m, struct str owner, unsigned depth)
{
	struct str args;
	bool first = true;

	split_args(&owner, &args);
	while (owner.n) {
		struct segment s = next_segment(&owner);
		struct str own = take_args(&args, s.nargs);
		size_t had = m->nnotes;
		enum made made = read_segment(m, s.name);

		if (made == MADE_NOT) {
			if (!first)
				tidy_put(t, STR("."));
			put_name(t, s.name);
			/* The remaining arguments belong to the last type. */
			if (!owner.n && args.n && !s.nargs)
				own = args;
			put_args(t, own, s.nargs, depth);
			first = false;
			continue;
		}
		m->made = made;
		if (made == MADE_MACHINE && m->nnotes > had && m->nargs == 0 &&
		    !m->note[m->nnotes - 1].kind)
			m->note[m->nnotes - 1].args = own;
		else if (s.nargs) {
			m->args = own;
			m->nargs = s.nargs;
		}
	}
}

struct basic {
	const char *name, *keyword;
};

static const struct basic basics[] = {
	{ "System.__Canon", "T" },     { "System.Int32", "int" },
	{ "System.String", "string" }, { "System.Boolean", "bool" },
	{ "System.Object", "object" }, { "System.Int64", "long" },
	{ "System.Byte", "byte" },     { "System.Char", "char" },
	{ "System.Double", "double" }, { "System.Single", "float" },
	{ "System.UInt32", "uint" },   { "System.UInt64", "ulong" },
	{ "System.Int16", "short" },   { "System.UInt16", "ushort" },
	{ "System.SByte", "sbyte" },   { "System.Decimal", "decimal" },
	{ "System.IntPtr", "nint" },   { "System.UIntPtr", "nuint" },
	{ "System.Void", "void" },     { "__Canon", "T" },
};

static bool put_basic(struct tidy *t, struct str s)
{
	for (size_t i = 0; i < sizeof(basics) / sizeof(*basics); i++)
		if (str_eq(s, str_of(basics[i].name))) {
			tidy_put(t, str_of(basics[i].keyword));
			return true;
		}
	return false;
}

/* Returns the length of s without suffixes for arrays, references and pointers: "[]", "&", "*". */
static size_t element_length(struct str s)
{
	for (;;) {
		size_t open = s.n;

		if (s.n && (s.p[s.n - 1] == '&' || s.p[s.n - 1] == '*')) {
			s.n--;
			continue;
		}
		if (!s.n || s.p[s.n - 1] != ']')
			return s.n;
		for (open--; open && strchr(",0.*", s.p[open - 1]);)
			open--;
		if (!open || s.p[open - 1] != '[')
			return s.n;
		s.n = open - 1;
	}
}

/*
 * Writes a type that has no suffix for arrays, references or pointers.  If the innermost type
 * is generated, also writes its method.
 */
static void put_element(struct tidy *t, struct str element, unsigned depth)
{
	struct method m = { 0 };

	put_owner(t, &m, element, depth);
	if (m.name.n) {
		tidy_put(t, STR("::"));
		tidy_put(t, m.name);
	}
}

static void put_type(struct tidy *t, struct str type, unsigned depth)
{
	struct str element = str_head(type, element_length(type));

	if (depth > NESTING) {
		tidy_put(t, STR("..."));
		return;
	}
	if (!put_basic(t, element))
		put_element(t, element, depth);
	tidy_put(t, str_from(type, element.n));
}

void tidy_method_type(struct tidy *t, struct str type)
{
	size_t n = element_length(type);

	put_element(t, str_head(type, n), 0);
	tidy_put(t, str_from(type, n));
}

static void put_notes(struct tidy *t, const struct method *m, const char *last)
{
	const char *gap = m->name.n ? " (" : "(";

	for (const struct note *n = m->note; n < m->note + m->nnotes; n++) {
		tidy_put(t, str_of(gap));
		gap = ", ";
		if (n->kind)
			tidy_put(t, str_of(n->kind));
		if (n->kind && n->text.n && t->level != TIDY_SHORT)
			tidy_put(t, STR(" "));
		if (n->kind && m->closure.n && t->level != TIDY_SHORT) {
			tidy_put(t, m->closure);
			tidy_put(t, STR("-"));
		}
		if (!n->kind || t->level != TIDY_SHORT)
			tidy_put(t, n->text);
		put_args(t, n->args, 0, 0);
	}
	if (last) {
		tidy_put(t, str_of(gap));
		tidy_put(t, str_of(last));
		gap = ", ";
	}
	if (gap[0] == ',')
		tidy_put(t, STR(")"));
}

/* Writes the name of a method.  '-' represents '.' in explicit implementations of interfaces. */
static void put_method_name(struct tidy *t, struct str name)
{
	bool generic = str_find(name, '<') < name.n;
	size_t from = t->n;

	tidy_put(t, name);
	for (size_t i = from; generic && i < t->n; i++)
		if (t->p[i] == '-')
			t->p[i] = '.';
}

/*
 * Returns the kind of a state machine.  The method that runs the machine determines its kind.
 */
static const char *machine_kind(const struct method *m, struct str method,
                                enum tidy_returns returns)
{
	if (m->mcs_async || str_starts(method, STR("SetStateMachine")) ||
	    str_has(method, STR("IAsync")) || str_has(method, STR("IValueTaskSource")))
		return "async";
	if (m->mcs_iterator || str_has(method, STR("IEnumer")) ||
	    str_has(method, STR("IDisposable")) || str_eq(method, STR("Dispose")) ||
	    str_eq(method, STR("GenerateNext")) ||
	    str_starts(method, STR("<>m__Finally")) ||
	    str_has(method, STR("get_Current")) || str_has(method, STR("GetEnumerator")))
		return "iterator";
	if (!str_eq(method, STR("MoveNext")))
		return str_starts(method, STR(".c")) ? "created" : "resumed";
	if (returns == RETURNS_UNSAID || returns == RETURNS_OTHER)
		return "resumed";
	return returns == RETURNS_VOID ? "async" : "iterator";
}

/* Returns true for the type of a box in which the runtime stores a state machine. */
static bool is_box(struct str owner)
{
	struct str args;

	split_args(&owner, &args);
	if (str_rfind(owner, '`') < owner.n)
		owner = str_head(owner, str_rfind(owner, '`'));
	return str_ends(owner, STR("StateMachineBox")) &&
	       str_starts(owner, STR("System.Runtime.CompilerServices."));
}

/* Writes the method of the state machine in AsyncStateMachineBox`1[Result,Machine]. */
static void put_box(struct tidy *t, struct str owner)
{
	struct method m = { 0 };
	size_t from = t->n;
	struct str args;

	split_args(&owner, &args);
	while (args.n) {
		struct str arg = take_args(&args, 1);

		m = (struct method){ 0 };
		t->n = from;
		put_owner(t, &m, arg, 0);
		if (m.made == MADE_MACHINE || m.made == MADE_CLOSURE)
			break;
	}
	if (m.made != MADE_MACHINE && m.made != MADE_CLOSURE) {
		t->n = from;
		tidy_put(t, STR("[async resume]"));
		return;
	}
	if (m.made == MADE_CLOSURE)
		m.nnotes = 0;
	tidy_put(t, STR("::"));
	put_method_name(t, m.name);
	put_args(t, m.args, m.nargs, 0);
	put_notes(t, &m, "async");
}

/* If a closure of F# is a state machine, returns its kind.  Otherwise returns NULL. */
static const char *closure_kind(struct method *m, struct str method,
                                enum tidy_returns returns)
{
	const char *kind = NULL;

	if (str_eq(method, STR("MoveNext")) || str_eq(method, STR("SetStateMachine")))
		kind = returns == RETURNS_BOOL ? "iterator" : "async";
	else if (str_eq(method, STR("GenerateNext")) ||
	         str_has(method, STR("Enumerat")) ||
	         str_eq(method, STR("get_LastGenerated")) ||
	         str_eq(method, STR("get_CheckClose")) || str_eq(method, STR("Close")))
		kind = "iterator";
	if (kind)
		m->nnotes = 0;
	return kind;
}

/*
 * Reads the method of a type.  The compiler may have generated the method, and the method may
 * have type arguments.  Returns a note about the method, or NULL.
 */
static const char *read_method(struct method *m, struct str method)
{
	enum made made;

	if (m->nnotes == 0 && str_eq(method, STR("<Main>"))) {
		m->name = STR("Main");
		return "entry";
	}
	if (str_skip(&method, STR("_Lambda$__"))) {
		add_note(m, "lambda", method);
		return NULL;
	}
	if (m->made == MADE_HOLDER && str_starts(method, STR(".c"))) {
		m->nargs = 0;
		m->args = STR("");
		if (!m->name.n)
			m->name = method;
		return "closure";
	}
	if (method.n && method.p[method.n - 1] == ']' && str_find(method, '[')) {
		split_args(&method, &m->args);
		m->nargs = m->args.n != 0;
	}
	if (!read_angled(m, method, 0, &made) || made == MADE_HOLDER)
		m->name = method;
	return NULL;
}

void tidy_method(struct tidy *t, struct str owner, struct str method,
                 enum tidy_returns returns)
{
	struct method m = { 0 };
	const char *last = NULL;

	if (is_box(owner)) {
		put_box(t, owner);
		return;
	}
	put_owner(t, &m, owner, 0);
	if (m.made == MADE_MACHINE)
		last = machine_kind(&m, method, returns);
	else if (m.made == MADE_CLOSURE)
		last = closure_kind(&m, method, returns);
	else
		last = read_method(&m, method);
	tidy_put(t, STR("::"));
	put_method_name(t, m.name);
	put_args(t, m.args, m.nargs, 0);
	put_notes(t, &m, last);
}

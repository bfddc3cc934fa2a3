/*
 * The kernel writes formats such as this one (include/trace/stages/):
 *
 * 	name: irq_handler_exit
 * 	ID: 126
 * 	format:
 * 	        field:__data_loc char[] name;   offset:8;       size:4; signed:0;
 * 	        ...
 *
 * 	print fmt: "irq=%s ret=%s", __get_str(name), REC->ret ? "handled" : "unhandled"
 *
 * The print format is a string and C expressions:
 *
 * 	expr    = unary { binary unary } [ "?" expr ":" expr ]
 * 	unary   = { "!" | "~" | "-" | "(" type ")" } primary
 * 	primary = NUMBER | 'c' | STRING | NAME | "REC" "->" NAME [ "[" NUMBER "]" ]
 * 	        | "(REC)" "->" NAME | "(" expr ")" | call
 * 	call    = "__get_str" "(" NAME ")"   and similar calls
 * 	        | "__print_flags" "(" expr "," STRING { "," pair } ")"
 * 	        | "__print_hex" "(" elements "," length ")"   and similar calls
 * 	pair    = "{" expr "," ( STRING | "0" | "((void *)0)" ) "}"
 */
#include "reader/tracepoint/format_check.h"

#define PRINT "\nprint fmt: "

enum {
	DEPTH = 48, /* maximum nesting of brackets and conditional expressions */
	/* maximum number of operators, because the library recurses over them */
	OPERATORS = 512,
	WIDTH = 4,  /* maximum number of digits of a width in a format string */
	DIGITS = 9, /* maximum number of digits of a number in a field's line */
};

struct parser {
	struct str head; /* lines that describe fields */
	const char *p, *end;
	unsigned depth, operators;
	struct format_lengths *lengths;
};

static bool expression(struct parser *x);

static bool is_word(char c)
{
	return str_is_alnum(c) || c == '_';
}

static char peek(struct parser *x)
{
	while (x->p < x->end && (*x->p == ' ' || *x->p == '\n' || *x->p == '\t'))
		x->p++;
	return x->p < x->end ? *x->p : 0;
}

static bool take(struct parser *x, const char *token)
{
	size_t n = strlen(token);

	peek(x);
	if ((size_t)(x->end - x->p) < n || memcmp(x->p, token, n) != 0)
		return false;
	x->p += n;
	return true;
}

static struct str take_word(struct parser *x)
{
	const char *begin;

	peek(x);
	for (begin = x->p; x->p < x->end && is_word(*x->p); x->p++)
		;
	return str_span(begin, x->p);
}

static bool is_name(struct str s)
{
	return s.n && s.n < FORMAT_NAME && !str_is_digit(*s.p);
}

static bool take_octal(struct str *s, uint64_t *out)
{
	for (*out = 0; s->n && *s->p >= '0' && *s->p <= '7'; *s = str_from(*s, 1)) {
		if (*out >> 61)
			return false;
		*out = *out * 8 + (uint64_t)(*s->p - '0');
	}
	return true;
}

/* Reads a C number.  Refuses a number such as 0080, which the library would read as 0. */
static bool take_number(struct parser *x, uint64_t *out)
{
	struct str s = take_word(x);
	bool (*take_digits)(struct str *, uint64_t *) = str_take_dec;

	if (str_skip(&s, STR("0x")) || str_skip(&s, STR("0X")))
		take_digits = str_take_hex;
	else if (str_starts(s, STR("0")))
		take_digits = take_octal;
	if (!take_digits(&s, out))
		return false;
	while (s.n && (*s.p == 'u' || *s.p == 'U' || *s.p == 'l' || *s.p == 'L'))
		s = str_from(s, 1);
	return !s.n;
}

/* Returns true if there is a field with that name.  ';' or '[' must follow the name. */
static bool is_field(const struct parser *x, struct str name)
{
	struct str rest = x->head;
	size_t at;

	if (!is_name(name))
		return false;
	while ((at = str_search(rest, name)) < rest.n) {
		bool begins = at && !is_word(rest.p[at - 1]);

		rest = str_from(rest, at + name.n);
		if (begins && rest.n && (*rest.p == ';' || *rest.p == '['))
			return true;
	}
	return false;
}

/*
 * Returns true if all widths in the format string are short numbers.  Other widths, or widths in
 * arguments, may print megabytes.  Precisions only shorten the output, so they are safe.
 */
static bool is_safe_string(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		size_t digits = 0;

		if (s.p[i] != '%')
			continue;
		for (i++; i < s.n && (s.p[i] == '-' || s.p[i] == '#' || s.p[i] == '+' ||
		                      s.p[i] == ' ');
		     i++)
			;
		for (; i < s.n && str_is_digit(s.p[i]); i++)
			digits++;
		if (digits > WIDTH || (i < s.n && s.p[i] == '*'))
			return false;
		if (i < s.n && s.p[i] == '.') {
			for (digits = 0, i++; i < s.n && str_is_digit(s.p[i]); i++)
				digits++;
			if (digits > WIDTH)
				return false;
		}
	}
	return true;
}

/* Reads a string that consists of one or several adjacent literals. */
static bool string(struct parser *x)
{
	if (peek(x) != '"')
		return false;
	while (peek(x) == '"') {
		const char *begin = ++x->p;

		for (; x->p < x->end && *x->p != '"'; x->p++)
			if (*x->p == '\\' && x->p + 1 < x->end)
				x->p++;
		if (x->p >= x->end || !is_safe_string(str_span(begin, x->p)))
			return false;
		x->p++;
	}
	return true;
}

static bool parse_bracketed_field(struct parser *x)
{
	return take(x, "(") && is_field(x, take_word(x)) && take(x, ")");
}

static bool type_name(struct parser *x)
{
	if (!is_name(take_word(x)))
		return false;
	while (is_word(peek(x)))
		if (!is_name(take_word(x)))
			return false;
	while (take(x, "*"))
		;
	return true;
}

static bool size_of(struct parser *x)
{
	return take(x, "sizeof") && take(x, "(") && type_name(x) && take(x, ")");
}

/* Reads a null pointer.  In some lists, it replaces the name of the last pair. */
static bool null(struct parser *x)
{
	return take(x, "((void *)0)") || (peek(x) == '0' && take_word(x).n == 1);
}

/* Reads pairs: ", { value, "name" }, ... )". */
static bool pairs(struct parser *x)
{
	while (take(x, ",")) {
		if (!take(x, "{") || !expression(x) || !take(x, ",") ||
		    !(null(x) || string(x)) || !take(x, "}"))
			return false;
	}
	return take(x, ")");
}

/*
 * Reads the number of elements to print: a small number, the 16-bit length of a dynamic array, or
 * a field.  The field is checked in each payload.
 */
static bool length(struct parser *x)
{
	struct format_lengths *t = x->lengths;
	struct str name;
	uint64_t n;

	if (str_is_digit(peek(x)))
		return take_number(x, &n) && n <= FORMAT_LENGTH;
	if (take(x, "__get_dynamic_array_len")) {
		if (!parse_bracketed_field(x))
			return false;
		return !take(x, "/") || size_of(x) || (take_number(x, &n) && n);
	}
	if (!take(x, "REC->") || t->n == FORMAT_LENGTHS)
		return false;
	name = take_word(x);
	if (!is_field(x, name))
		return false;
	memcpy(t->name[t->n], name.p, name.n);
	t->name[t->n++][name.n] = 0;
	return true;
}

static bool print_flags(struct parser *x)
{
	return take(x, "(") && expression(x) && take(x, ",") && string(x) && pairs(x);
}

static bool print_symbolic(struct parser *x)
{
	return take(x, "(") && expression(x) && pairs(x);
}

/* Reads a value that is printed element by element: a field or a dynamic array. */
static bool elements(struct parser *x)
{
	if (!take(x, "("))
		return false;
	if (take(x, "REC->"))
		return is_field(x, take_word(x));
	return take(x, "__get_dynamic_array") && parse_bracketed_field(x);
}

static bool print_hex(struct parser *x)
{
	return elements(x) && take(x, ",") && length(x) && take(x, ")");
}

static bool print_array(struct parser *x)
{
	uint64_t n = 0;

	if (!elements(x) || !take(x, ",") || !length(x) || !take(x, ","))
		return false;
	return (str_is_digit(peek(x)) ? take_number(x, &n) && n <= 8 : size_of(x)) &&
	       take(x, ")");
}

/*
 * Reads the arguments of __builtin_expect.  The library evaluates only the first argument.
 */
static bool expect(struct parser *x)
{
	uint64_t n;

	return take(x, "(") && expression(x) && take(x, ",") && str_is_digit(peek(x)) &&
	       take_number(x, &n) && take(x, ")");
}

static bool call(struct parser *x, struct str name)
{
	static const struct {
		const char *name;
		bool (*parse)(struct parser *x);
	} calls[] = {
		{ "__get_str", parse_bracketed_field },
		{ "__get_rel_str", parse_bracketed_field },
		{ "__get_dynamic_array", parse_bracketed_field },
		{ "__get_dynamic_array_len", parse_bracketed_field },
		{ "__get_bitmask", parse_bracketed_field },
		{ "__get_cpumask", parse_bracketed_field },
		{ "__builtin_expect", expect },
		{ "__print_flags", print_flags },
		{ "__print_symbolic", print_symbolic },
		{ "__print_hex", print_hex },
		{ "__print_hex_str", print_hex },
		{ "__print_array", print_array },
	};

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (str_eq(name, str_of(calls[i].name)))
			return calls[i].parse(x);
	return false;
}

static bool record_field(struct parser *x)
{
	uint64_t n;

	if (!take(x, "->") || !is_field(x, take_word(x)))
		return false;
	return !take(x, "[") || (take_number(x, &n) && n < FORMAT_LENGTH && take(x, "]"));
}

static bool primary(struct parser *x)
{
	char c = peek(x);
	struct str name;
	uint64_t n;

	if (c == '"')
		return string(x);
	if (c == '\'' && x->end - x->p >= 3 && x->p[1] != '\\' && x->p[2] == '\'') {
		x->p += 3;
		return true;
	}
	if (str_is_digit(c))
		return take_number(x, &n);
	if (take(x, "(REC)"))
		return record_field(x);
	if (take(x, "("))
		return expression(x) && take(x, ")");
	if (c == 's' && size_of(x))
		return true;
	name = take_word(x);
	if (str_eq(name, STR("REC")))
		return record_field(x);
	if (peek(x) == '(')
		return call(x, name);
	return is_name(name);
}

/* Reads a cast, such as "(unsigned long)".  An operand must follow. */
static bool cast(struct parser *x)
{
	struct parser at = *x;

	if (take(x, "(") && peek(x) != 'R' && type_name(x) && take(x, ")") &&
	    (is_word(peek(x)) || peek(x) == '(' || peek(x) == '-'))
		return true;
	*x = at;
	return false;
}

static bool unary(struct parser *x)
{
	bool sign = true;

	for (unsigned i = 0; i < 4 && sign; i++) {
		sign = cast(x) || take(x, "!") || take(x, "~") || take(x, "-");
		x->operators += sign;
	}
	return primary(x);
}

/* Reads a divisor.  It must be a constant other than 0. */
static bool divisor(struct parser *x)
{
	bool open = take(x, "(");
	uint64_t n;

	if (str_is_digit(peek(x)) ? !take_number(x, &n) || !n || n > INT32_MAX
	                          : !size_of(x))
		return false;
	return !open || take(x, ")");
}

static bool binary(struct parser *x)
{
	static const char *const operators[] = { "<<", ">>", "<=", ">=", "==", "!=",
		                                 "&&", "||", "+",  "-",  "*",  "&",
		                                 "|",  "^",  "<",  ">" };

	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++)
		if (take(x, operators[i]))
			return true;
	return false;
}

static bool operands(struct parser *x)
{
	if (!unary(x))
		return false;
	for (;;) {
		if (take(x, "/") || take(x, "%")) {
			if (!divisor(x))
				return false;
		} else if (!binary(x)) {
			return true;
		} else if (!unary(x)) {
			return false;
		}
		if (++x->operators > OPERATORS)
			return false;
	}
}

/* Reads an expression.  Recurses for brackets and conditional expressions, up to DEPTH. */
static bool expression(struct parser *x)
{
	bool fine = false;

	if (++x->depth <= DEPTH && operands(x))
		fine = !take(x, "?") || (++x->operators <= OPERATORS && expression(x) &&
		                         take(x, ":") && expression(x));
	x->depth--;
	return fine;
}

static bool print_format(struct parser *x)
{
	if (!string(x))
		return false;
	while (take(x, ","))
		if (!expression(x))
			return false;
	return !peek(x);
}

/* Reads "KEY:DIGITS;". */
static bool number_of(struct parser *x, const char *key)
{
	struct str s;

	if (!take(x, key))
		return false;
	s = take_word(x);
	for (size_t i = 0; i < s.n; i++)
		if (!str_is_digit(s.p[i]))
			return false;
	return s.n && s.n <= DIGITS && take(x, ";");
}

/* Reads a declaration: words, stars, and "[]" or "[16]".  The last word is the name. */
static bool declaration(struct parser *x)
{
	bool named = false;

	while (peek(x) && !take(x, ";")) {
		if (is_word(*x->p)) {
			if (!is_name(take_word(x)))
				return false;
			named = true;
		} else if (take(x, "[")) {
			struct str n = take_word(x);

			if (n.n > DIGITS || (n.n && !named) || !take(x, "]"))
				return false;
		} else if (!take(x, "*")) {
			return false;
		}
	}
	return named;
}

static bool fields(struct parser *x)
{
	while (take(x, "field:"))
		if (!declaration(x) || !number_of(x, "offset:") ||
		    !number_of(x, "size:") || !number_of(x, "signed:"))
			return false;
	return !peek(x);
}

static bool is_printable(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((s.p[i] < ' ' && s.p[i] != '\n' && s.p[i] != '\t') || s.p[i] == 127)
			return false;
	return s.n <= FORMAT_SIZE;
}

bool format_check_fields(struct str text)
{
	struct parser x = { .head = text, .p = text.p, .end = text.p + text.n };

	return is_printable(text) && fields(&x);
}

/* Reads the part before the print format, and moves x to the print format. */
static bool head_of(struct parser *x, struct str text, size_t print)
{
	const struct str begin = STR("format:\n");
	size_t head = str_search(text, begin);

	if (!is_printable(text) || print == text.n || head > print)
		return false;
	x->p = text.p;
	x->end = text.p + head;
	if (!take(x, "name: ") || !is_name(take_word(x)) || !take(x, "ID: ") ||
	    !str_is_digit(peek(x)) || take_word(x).n > DIGITS || peek(x))
		return false;
	x->head = str_span(text.p + head + begin.n, text.p + print);
	x->p = x->head.p;
	x->end = x->head.p + x->head.n;
	return fields(x);
}

struct str format_check_head(struct str text)
{
	struct parser x = { .lengths = NULL };
	size_t print = str_search(text, STR(PRINT));

	return head_of(&x, text, print) ? str_head(text, print) : (struct str){ 0 };
}

bool format_check(struct str text, struct format_lengths *out)
{
	struct parser x = { .lengths = out };
	size_t print = str_search(text, STR(PRINT));

	*out = (struct format_lengths){ 0 };
	if (!head_of(&x, text, print))
		return false;
	x.p = text.p + print + sizeof(PRINT) - 1;
	x.end = text.p + text.n;
	return print_format(&x);
}

/*
 * A format as the kernel writes it, include/trace/trace_events.h:
 *
 *	name: sched_process_exit
 *	ID: 316
 *	format:
 *		field:unsigned short common_type;  offset:0;  size:2;  signed:0;
 *		field:char comm[16];  offset:8;  size:16;  signed:0;
 *
 *	print fmt: "comm=%s pid=%d", REC->comm, REC->pid
 */
#include "reader/tame.h"

enum {
	DEPTH = 64,      /* of brackets */
	OPERATORS = 512, /* outside strings: the library recurses over them */
	WIDTH = 4,       /* digits of a number in a format string */
	DIGITS = 18,
};

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Behind the string literal whose opening quote is at i; n when it does not end. */
static size_t string_end(struct str s, size_t i)
{
	for (i++; i < s.n; i++) {
		if (s.p[i] == '\\')
			i++;
		else if (s.p[i] == '"')
			return i + 1;
	}
	return s.n + 1;
}

/* No width from an argument, none that writes megabytes; a precision only cuts. */
static bool is_tame_string(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		size_t digits = 0;

		if (s.p[i] != '%')
			continue;
		for (i++; i < s.n && strchr("-+ #0", s.p[i]) && s.p[i]; i++)
			;
		for (; i < s.n && is_digit(s.p[i]); i++)
			digits++;
		if (digits > WIDTH || (i < s.n && s.p[i] == '*'))
			return false;
		if (i < s.n && s.p[i] == '.') {
			for (digits = 0, i++; i < s.n && is_digit(s.p[i]); i++)
				digits++;
			if (digits > WIDTH)
				return false;
		}
	}
	return true;
}

/* Behind the argument that begins at i: its comma or closing bracket. */
static size_t argument_end(struct str s, size_t i)
{
	size_t depth = 0;

	for (; i < s.n; i++) {
		if (s.p[i] == '"')
			i = string_end(s, i) - 1;
		else if (s.p[i] == '(')
			depth++;
		else if (!depth && (s.p[i] == ',' || s.p[i] == ')'))
			return i;
		else if (s.p[i] == ')')
			depth--;
	}
	return s.n;
}

/*
 * How many elements to print: a small number, the length of a dynamic array (16
 * bits), or a field.
 */
static bool is_tame_length(struct str arg, struct tame *out)
{
	uint64_t n;

	arg = str_trim(arg);
	if (str_is_dec(arg, &n))
		return n <= TAME_LENGTH;
	if (str_starts(arg, STR("__get_dynamic_array_len(")))
		return str_search(arg, STR("*")) == arg.n && str_search(arg, STR("+")) == arg.n;
	if (!str_starts(arg, STR("REC->")))
		return false;
	arg = str_from(arg, 5);
	for (size_t i = 0; i < arg.n; i++)
		if (!is_word(arg.p[i]))
			return false;
	if (!arg.n || arg.n >= TAME_NAME || out->nlengths == TAME_LENGTHS)
		return false;
	memcpy(out->lengths[out->nlengths], arg.p, arg.n);
	out->lengths[out->nlengths++][arg.n] = 0;
	return true;
}

/* At a word: __print_hex and __print_array take a length as second argument. */
static bool is_tame_call(struct str s, size_t i, struct tame *out)
{
	struct str rest = str_from(s, i);
	size_t open, comma;

	if (!str_starts(rest, STR("__print_hex")) && !str_starts(rest, STR("__print_array")))
		return true;
	open = str_find(rest, '(');
	comma = argument_end(rest, open + 1);
	if (comma >= rest.n || rest.p[comma] != ',')
		return false;
	return is_tame_length(str_span(rest.p + comma + 1,
	                               rest.p + argument_end(rest, comma + 1)),
	                      out);
}

/* An index must be a number, a divisor a number that is not 0 or a size. */
static bool is_tame_operand(struct str s, size_t i)
{
	struct str rest = str_trim(str_from(s, i + 1));
	uint64_t n;

	if (s.p[i] == '[')
		return str_take_dec(&rest, &n) && n < TAME_LENGTH && str_starts(rest, STR("]"));
	while (rest.n && rest.p[0] == '(')
		rest = str_from(rest, 1);
	if (str_starts(rest, STR("sizeof(")))
		return true;
	return str_take_dec(&rest, &n) && n && n < UINT32_MAX &&
	       (!rest.n || !is_word(rest.p[0]));
}

/* The expressions behind "print fmt:", strings included. */
static bool is_tame_print(struct str s, struct tame *out)
{
	size_t depth = 0, operators = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '"') {
			size_t end = string_end(s, i);

			if (end > s.n || !is_tame_string(str_span(s.p + i, s.p + end)))
				return false;
			i = end - 1;
		} else if (is_word(s.p[i])) {
			if (!is_tame_call(s, i, out))
				return false;
			while (i + 1 < s.n && is_word(s.p[i + 1]))
				i++;
		} else if (strchr("({[", s.p[i])) {
			if (++depth > DEPTH || (s.p[i] == '[' && !is_tame_operand(s, i)))
				return false;
		} else if (strchr(")}]", s.p[i])) {
			depth -= depth > 0;
		} else if (strchr("/%", s.p[i])) {
			if (!is_tame_operand(s, i) || ++operators > OPERATORS)
				return false;
		} else if (strchr("+-*&|^~!<>=?:", s.p[i])) {
			if (++operators > OPERATORS)
				return false;
		}
	}
	return true;
}

static bool is_printable(struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if ((c < ' ' && c != '\n' && c != '\t') || c > 126)
			return false;
	}
	return true;
}

/* Fields: what stands in brackets and behind colons must be no huge number. */
static bool is_tame_head(struct str s)
{
	size_t digits = 0;

	for (size_t i = 0; i < s.n; i++) {
		digits = is_digit(s.p[i]) ? digits + 1 : 0;
		if (digits > DIGITS || s.p[i] == '"' || s.p[i] == '(')
			return false;
	}
	return true;
}

bool tame_is_plain(struct str text)
{
	return text.n <= TAME_SIZE && is_printable(text) && is_tame_head(text);
}

bool tame_check(struct str text, struct tame *out)
{
	size_t print = str_search(text, STR("\nprint fmt:"));

	*out = (struct tame){ 0 };
	return text.n <= TAME_SIZE && is_printable(text) &&
	       is_tame_head(str_head(text, print)) && is_tame_print(str_from(text, print + 11), out);
}

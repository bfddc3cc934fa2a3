/*
 * If an array length is an enumeration or an expression, Linux 5.17 to 6.2 print its source code
 * instead of its value:
 *
 * 	char prev_comm[TASK_COMM_LEN]
 * 	__u8 saddr[sizeof(struct sockaddr_in6)]
 *
 * The size and the type of the field determine the array length.
 */
#include "reader/tracepoint/array_length.h"

#include "base/out.h"

enum { DIGITS = 20 }; /* maximum number of digits of a number */

/* The parts of a line that describes a field, if the array length is not a number. */
struct array_field {
	struct str type;         /* type and name, up to the bracket */
	struct str length, rest; /* text between the brackets, and text after them */
	uint64_t size;           /* size of the field in bytes */
};

/* Returns the index of the bracket that the last byte of s closes, or 0. */
static size_t find_open(struct str s)
{
	unsigned depth = 0;

	for (size_t i = s.n; i-- > 0;) {
		depth += s.p[i] == ']';
		depth -= s.p[i] == '[';
		if (!depth)
			return i;
	}
	return 0;
}

/*
 * Splits the line of a field.  Returns false for other lines, and if the array length is already
 * a number.
 */
static bool split(struct str line, struct array_field *out)
{
	const struct str key = STR("\tfield:");
	struct str declaration = str_head(line, str_find(line, ';')), size;
	size_t open, close = declaration.n - 1;
	uint64_t number;

	if (!str_starts(declaration, key) || declaration.p[close] != ']')
		return false;
	open = find_open(declaration);
	if (open < key.n || open + 1 == close)
		return false;
	*out = (struct array_field){
		.type = str_head(str_from(declaration, key.n), open - key.n),
		.length = str_span(declaration.p + open + 1, declaration.p + close),
		.rest = str_from(line, close),
	};
	size = str_from(out->rest, str_search(out->rest, STR("size:")));
	size = str_from(size, STR("size:").n);
	return !str_is_dec(out->length, &number) && str_take_dec(&size, &out->size);
}

/* Returns the number of bits of a type such as "u32", "__le64" or "int8_t", or 0. */
static uint64_t bits_of(struct str word)
{
	uint64_t bits = 0;

	if (str_ends(word, STR("_t")))
		word = str_head(word, word.n - 2);
	while (word.n && !str_is_digit(*word.p))
		word = str_from(word, 1);
	return str_is_dec(word, &bits) && bits <= 64 ? bits : 0;
}

/* Returns the size in bytes of an element of that type, or 0 if the type is unknown. */
static uint64_t element_size(struct str type, unsigned long_size)
{
	unsigned longs = 0;
	uint64_t size = 0;

	if (str_find(type, '*') < type.n)
		return long_size;
	while (type.n) {
		struct str word = str_cut(&type, ' ');

		if (!type.n)
			break; /* this is the name */
		longs += str_eq(word, STR("long"));
		if (bits_of(word))
			size = bits_of(word) / 8;
		else if (str_eq(word, STR("char")) || str_eq(word, STR("bool")))
			size = 1;
		else if (str_eq(word, STR("short")))
			size = 2;
		else if (!size &&
		         (str_eq(word, STR("int")) || str_eq(word, STR("unsigned"))))
			size = 4;
	}
	return longs > 1 ? 8 : longs ? long_size : size;
}

/* Returns the number of elements.  If the size of an element is unknown, returns 1. */
static uint64_t elements(const struct array_field *f, unsigned long_size)
{
	uint64_t size = element_size(f->type, long_size);

	return size && f->size % size == 0 ? f->size / size : 1;
}

static size_t count_symbolic(struct str format)
{
	struct array_field f;
	size_t n = 0;

	while (format.n)
		n += split(str_cut(&format, '\n'), &f);
	return n;
}

struct str array_length_numbers(struct str format, unsigned long_size, struct arena *a)
{
	size_t symbolic = count_symbolic(format), n = 0;
	char *to;

	if (!symbolic)
		return format;
	to = arena_new(a, char, format.n + symbolic * DIGITS + 1);
	while (format.n) {
		struct str line = str_cut(&format, '\n');
		struct array_field f;

		if (split(line, &f)) {
			memcpy(to + n, line.p, (size_t)(f.length.p - line.p));
			n += (size_t)(f.length.p - line.p);
			n += out_dec_at(to + n, elements(&f, long_size), 1);
			line = f.rest;
		}
		memcpy(to + n, line.p, line.n);
		n += line.n;
		to[n++] = '\n';
	}
	return (struct str){ to, n };
}

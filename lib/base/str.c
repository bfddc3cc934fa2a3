#include "base/str.h"

int str_cmp(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n ? memcmp(a.p, b.p, n) : 0;

	return c ? c : (a.n > b.n) - (a.n < b.n);
}

size_t str_find(struct str s, char c)
{
	const char *at = s.n ? memchr(s.p, c, s.n) : NULL;

	return at ? (size_t)(at - s.p) : s.n;
}

size_t str_rfind(struct str s, char c)
{
	const char *at = s.n ? memrchr(s.p, c, s.n) : NULL;

	return at ? (size_t)(at - s.p) : s.n;
}

size_t str_search(struct str s, struct str what)
{
	const char *at = s.n ? memmem(s.p, s.n, what.p, what.n) : NULL;

	return at ? (size_t)(at - s.p) : s.n;
}

bool str_any(struct str s, bool (*test)(struct str s, struct str word),
             const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (test(s, str_of(words[i])))
			return true;
	return false;
}

struct str str_cut(struct str *s, char c)
{
	size_t at = str_find(*s, c);
	struct str head = str_head(*s, at);

	*s = str_from(*s, at + 1);
	return head;
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

bool str_skip(struct str *s, struct str head)
{
	if (!str_starts(*s, head))
		return false;
	*s = str_from(*s, head.n);
	return true;
}

struct str str_without_mark(struct str s)
{
	str_skip(&s, STR("\xef\xbb\xbf"));
	return s;
}

struct str str_trim(struct str s)
{
	while (s.n && is_space(s.p[s.n - 1]))
		s.n--;
	while (s.n && is_space(*s.p))
		s.p++, s.n--;
	return s;
}

struct str str_base(struct str path)
{
	size_t at = str_rfind(path, '/');

	return at == path.n ? path : str_from(path, at + 1);
}

struct str str_dir(struct str path)
{
	return str_head(path, path.n - str_base(path).n);
}

const char *str_take(struct str *s, uint64_t n, size_t size)
{
	const char *p = s->p;

	if (n > s->n / size)
		return NULL;
	*s = str_from(*s, n * size);
	return p;
}

bool str_take_dec(struct str *s, uint64_t *out)
{
	/* a number with `fit` digits cannot overflow v */
	size_t i = 0, fit = s->n < 19 ? s->n : 19;
	uint64_t v = 0;

	for (; i < fit && str_is_digit(s->p[i]); i++)
		v = v * 10 + (uint64_t)(s->p[i] - '0');
	for (; i < s->n && str_is_digit(s->p[i]); i++)
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(s->p[i] - '0'), &v))
			return false;
	if (!i)
		return false;
	*s = str_from(*s, i);
	*out = v;
	return true;
}

/*
 * 1 + the value of a digit, or 0 for other characters.  A table is faster than branches, which
 * the processor cannot predict here.
 */
static const unsigned char hex_digit[256] = {
	['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
	['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

bool str_take_hex(struct str *s, uint64_t *out)
{
	/* a number with `fit` digits cannot overflow v */
	size_t i = 0, fit = s->n < 16 ? s->n : 16;
	uint64_t v = 0;
	unsigned d;

	for (; i < fit && (d = hex_digit[(unsigned char)s->p[i]]) != 0; i++)
		v = v << 4 | (d - 1);
	for (; i >= 16 && i < s->n && (d = hex_digit[(unsigned char)s->p[i]]) != 0; i++) {
		if (v >> 60)
			return false;
		v = v << 4 | (d - 1);
	}
	if (!i)
		return false;
	*s = str_from(*s, i);
	*out = v;
	return true;
}

bool str_hex_bytes(struct str hex, void *out)
{
	unsigned char *to = out;

	for (size_t i = 0; i + 1 < hex.n; i += 2) {
		unsigned high = hex_digit[(unsigned char)hex.p[i]];
		unsigned low = hex_digit[(unsigned char)hex.p[i + 1]];

		if (!high || !low)
			return false;
		*to++ = (unsigned char)((high - 1) << 4 | (low - 1));
	}
	return hex.n % 2 == 0;
}

bool str_is_dec(struct str s, uint64_t *out)
{
	return str_take_dec(&s, out) && !s.n;
}

int32_t str_pid(struct str name, struct str before, struct str after)
{
	uint64_t pid;

	if (!str_starts(name, before) || !str_ends(name, after))
		return -1;
	name.n -= after.n;
	return str_is_dec(str_from(name, before.n), &pid) && pid <= INT32_MAX
	               ? (int32_t)pid
	               : -1;
}

bool str_is_hex(struct str s, uint64_t *out)
{
	str_skip(&s, STR("0x"));
	return str_take_hex(&s, out) && !s.n;
}

uint32_t str_split_line(struct str place, struct str *path)
{
	size_t colon = str_rfind(place, ':');
	uint64_t line;

	*path = str_head(place, colon);
	return str_is_dec(str_from(place, colon + 1), &line) && line <= INT32_MAX
	               ? (uint32_t)line
	               : 0;
}

static bool between(char c, unsigned char low, unsigned char high)
{
	return (unsigned char)c >= low && (unsigned char)c <= high;
}

size_t str_control(struct str s)
{
	if (s.n && (between(*s.p, 0, 0x1f) || *s.p == 0x7f))
		return 1;
	if (str_starts(s, STR("\xc2")))
		return s.n > 1 && between(s.p[1], 0x80, 0x9f) ? 2 : 0;
	if (str_starts(s, STR("\xd8\x9c")))
		return 2;
	/*
	 * marks of text direction and ends of lines: U+200E and U+200F, U+2028 to U+202E,
	 * U+2066 to U+2069
	 */
	if (str_starts(s, STR("\xe2\x80")))
		return s.n > 2 && (between(s.p[2], 0x8e, 0x8f) ||
		                   between(s.p[2], 0xa8, 0xae))
		               ? 3
		               : 0;
	return s.n > 2 && str_starts(s, STR("\xe2\x81")) && between(s.p[2], 0xa6, 0xa9)
	               ? 3
	               : 0;
}

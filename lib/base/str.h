/*
 * str - a slice of bytes.  It does not own the bytes.
 *
 * A slice is passed by value, and has no final NUL.  It is valid as long as its bytes.  In an
 * empty slice, p may be NULL.  The functions do not allocate memory.
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/order.h"

struct str {
	const char *p;
	size_t n;
};

#define STR(lit)  ((struct str){ (lit), sizeof(lit) - 1 })
#define PRSTR     "%.*s"
#define STRARG(s) (int)((s).n > 4096 ? 4096 : (s).n), (s).n ? (s).p : ""

static inline struct str str_of(const char *z)
{
	return (struct str){ z, z ? strlen(z) : 0 };
}

static inline struct str str_span(const char *begin, const char *end)
{
	return (struct str){ begin, (size_t)(end - begin) };
}

static inline struct str str_from(struct str s, size_t at)
{
	if (at >= s.n)
		at = s.n;
	return at ? (struct str){ s.p + at, s.n - at } : s;
}

static inline struct str str_head(struct str s, size_t n)
{
	return (struct str){ s.p, n < s.n ? n : s.n };
}

static inline bool str_eq(struct str a, struct str b)
{
	return a.n == b.n && (!a.n || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool str_starts(struct str s, struct str head)
{
	return s.n >= head.n && (!head.n || memcmp(s.p, head.p, head.n) == 0);
}

static inline bool str_ends(struct str s, struct str tail)
{
	return s.n >= tail.n &&
	       (!tail.n || memcmp(s.p + s.n - tail.n, tail.p, tail.n) == 0);
}

/* These functions handle only ASCII, in all locales. */
static inline bool str_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool str_is_letter(char c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static inline bool str_is_alnum(char c)
{
	return str_is_digit(c) || str_is_letter(c);
}

/* Compares bytes.  A prefix of a string is less than the string. */
int str_cmp(struct str a, struct str b);

/* Return the index of the first c (str_find) or of the last c (str_rfind), or s.n. */
size_t str_find(struct str s, char c);
size_t str_rfind(struct str s, char c);

/* Returns the index of the first occurrence of `what`, or s.n. */
size_t str_search(struct str s, struct str what);

static inline bool str_has(struct str s, struct str what)
{
	return str_search(s, what) < s.n;
}

/* Returns true if `test`, such as str_starts, is true for s and one of the words. */
bool str_any(struct str s, bool (*test)(struct str s, struct str word),
             const char *const *words, size_t n);
#define STR_ANY(s, test, words) str_any(s, test, words, sizeof(words) / sizeof(*(words)))

/* Returns the part before the first c, and sets *s to the part after it. */
struct str str_cut(struct str *s, char c);

/* Removes `head` from the start of *s.  Returns false if *s does not begin with it. */
bool str_skip(struct str *s, struct str head);

/* Removes a UTF-8 byte order mark, which some editors write at the start of a text. */
struct str str_without_mark(struct str s);

/* Removes blanks, tabs and line ends from both sides. */
struct str str_trim(struct str s);

/* Return the part after the last '/', and the part up to and including it. */
struct str str_base(struct str path);
struct str str_dir(struct str path);

/*
 * Removes n elements of `size` bytes from the start of *s, and returns them.  Returns NULL if *s
 * is shorter.
 */
const char *str_take(struct str *s, uint64_t n, size_t size);

/*
 * Read the number at the start of *s, and remove it.  Return false, without a change of *s, if
 * there is no digit or if the number is too large.  A hexadecimal number has digits of either
 * case, and must not begin with 0x.
 */
bool str_take_dec(struct str *s, uint64_t *out);
bool str_take_hex(struct str *s, uint64_t *out);

/* Converts pairs of hexadecimal digits to bytes.  Returns false for any other text. */
bool str_hex_bytes(struct str hex, void *out);

/* Returns the pid between `before` and `after`, the start and the end of a file name, or -1. */
int32_t str_pid(struct str name, struct str before, struct str after);

/* Return false unless all of s is a number.  A hexadecimal number may begin with 0x. */
bool str_is_dec(struct str s, uint64_t *out);
bool str_is_hex(struct str s, uint64_t *out);

/* Splits "PATH:LINE".  Returns the line, or 0 if there is no number. */
uint32_t str_split_line(struct str place, struct str *path);

/*
 * If s begins with a character that controls a terminal or reorders a line, returns its length.
 * These are control characters, including C1, and marks of text direction, in UTF-8.  Otherwise
 * returns 0.
 */
size_t str_control(struct str s);

#endif

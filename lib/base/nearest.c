#include "base/nearest.h"

enum {
	LETTERS = 64,
	/*
	 * one third of the wanted letters may differ, so a wanted text needs at least
	 * three letters
	 */
	THIRD = 3,
	/*
	 * maximum number of compared bytes.  Comparing them takes a few tenths of a
	 * second
	 */
	LOOKED_MOST = 1 << 26,
};

static unsigned char lower(char c)
{
	return (unsigned char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

void nearest_init(struct nearest *n, struct str want, enum nearest_of of, struct arena *a)
{
	*n = (struct nearest){ .arena = a, .of = of };
	if (want.n < THIRD || want.n > LETTERS)
		return;
	n->letters = (unsigned)want.n;
	n->distance = n->letters / THIRD + 1;
	for (size_t i = 0; i < want.n; i++)
		n->at[lower(want.p[i])] |= (uint64_t)1 << i;
}

/*
 * Returns the smallest distance between the wanted text and any part of `text`.  Sets *end to the
 * end of that part.  For NEAREST_WHOLE, returns the distance to the whole text.
 */
static unsigned least(const struct nearest *n, struct str text, size_t *end)
{
	bool whole = n->of == NEAREST_WHOLE;
	uint64_t last = (uint64_t)1 << (n->letters - 1), more = ~(uint64_t)0, fewer = 0;
	unsigned score = n->letters, best = n->letters;

	*end = 0;
	for (size_t i = 0; i < text.n; i++) {
		uint64_t same = n->at[lower(text.p[i])], across = same | fewer;
		uint64_t down = (((same & more) + more) ^ more) | same;
		uint64_t up = fewer | ~(down | more);

		down &= more;
		score += (up & last) != 0;
		score -= (down & last) != 0;
		up = up << 1 | whole;
		down <<= 1;
		more = down | ~(across | up);
		fewer = up & across;
		if (score < best) {
			best = score;
			*end = i + 1;
		}
	}
	return whole ? score : best;
}

static bool is_word(char c)
{
	return str_is_alnum(c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Returns the words of `text` that overlap the `letters` bytes before `end`. */
static struct str words_at(struct str text, size_t end, size_t letters)
{
	size_t begin = end > letters ? end - letters : 0;

	while (begin < end && !is_word(text.p[begin]))
		begin++;
	while (begin && is_word(text.p[begin - 1]))
		begin--;
	while (end < text.n && is_word(text.p[end]))
		end++;
	for (size_t i = begin; i < end; i++)
		if (strchr("\\^$|()[]{}*+?", text.p[i]) || !text.p[i])
			end = i;
	return str_span(text.p + begin, text.p + end);
}

/*
 * Returns true if a text is better than the best so far.  If distances are equal, the shortest
 * text wins, then the alphabetically first, so that the order of texts does not matter.
 */
static bool is_better(const struct nearest *n, unsigned distance, struct str found)
{
	if (distance != n->distance)
		return distance < n->distance;
	if (!n->best.n || found.n != n->best.n)
		return found.n < n->best.n;
	return str_cmp(found, n->best) < 0;
}

void nearest_take(struct nearest *n, struct str text)
{
	unsigned distance;
	size_t end;

	if (!n->letters || n->looked > LOOKED_MOST)
		return;
	n->looked += text.n;
	distance = least(n, text, &end);
	if (distance > n->distance)
		return;
	if (n->of == NEAREST_WORD)
		text = words_at(text, end, n->letters);
	if (!text.n || !is_better(n, distance, text))
		return;
	n->distance = distance;
	n->best = arena_str(n->arena, text);
}

struct str nearest_question(const struct nearest *n)
{
	if (!n->best.n)
		return STR("");
	return arena_fmt(n->arena, "; is " PRSTR " meant?", STRARG(n->best));
}

/* Reads a literal character.  Returns false if the next character has a special meaning. */
static bool take_letter(struct str *s, char *c)
{
	if (s->p[0] == '\\' && s->n > 1 && !str_is_alnum(s->p[1])) {
		*c = s->p[1];
		*s = str_from(*s, 2);
		return true;
	}
	*c = s->p[0];
	*s = str_from(*s, 1);
	if (*c == '.') /* a dot is taken literally, unless a quantifier follows it */
		return !s->n || !strchr("*+?{", s->p[0]);
	return !strchr("\\^$|()[]{}*+?", *c);
}

struct str nearest_literal(struct str pattern, struct arena *a)
{
	char *text = arena_alloc(a, pattern.n + 1, 1);
	size_t begin = 0, n = 0, best = 0, best_n = 0;

	while (pattern.n) {
		bool escape = pattern.p[0] == '\\' && pattern.n > 1;
		char c;

		if (take_letter(&pattern, &c)) {
			text[n++] = c;
			/*
			 * A matching text may lack the character before *, ? or {, so
			 * this character is removed from the literal.
			 */
			if (pattern.n && strchr("*?{", pattern.p[0]))
				n--;
		} else {
			if (escape) /* an escape such as \b or \d */
				pattern = str_from(pattern, 1);
			begin = n;
		}
		if (n - begin > best_n) {
			best = begin;
			best_n = n - begin;
		}
	}
	return (struct str){ text + best, best_n };
}

#include "label/mark.h"

struct str mark_cut(struct str label, char *letter)
{
	*letter = '\0';
	if (label.n > 4 && label.p[label.n - 1] == ']' && label.p[label.n - 3] == '[' &&
	    label.p[label.n - 4] == '_') {
		*letter = label.p[label.n - 2];
		label.n -= 4;
	}
	return label;
}

struct str mark_cut_all(struct str label, unsigned *marks)
{
	static const char letters[] = "kijwr"; /* in the order of the bits */

	for (*marks = 0;;) {
		char letter;
		struct str rest = mark_cut(label, &letter);
		size_t bit = str_find(STR(letters), letter);

		if (!letter || bit == sizeof(letters) - 1)
			return label;
		*marks |= 1u << bit;
		label = rest;
	}
}

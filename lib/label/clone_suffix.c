#include "label/clone_suffix.h"

static const struct str words[] = {
	STR("cold"), STR("constprop"), STR("isra"),
	STR("llvm"), STR("lto_priv"),  STR("part"),
};

/* Returns the length of the word with which s begins, or 0. */
static size_t word_at(struct str s)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (str_starts(s, words[i]) &&
		    (s.n == words[i].n || !str_is_alnum(s.p[words[i].n])))
			return words[i].n;
	return 0;
}

bool clone_suffix_begins(struct str s)
{
	return word_at(s) || (s.n && str_is_digit(s.p[0]));
}

struct str clone_suffix_removed(struct str name)
{
	for (;;) {
		struct str base = name, word;
		size_t dot;

		while (base.n && str_is_digit(base.p[base.n - 1]))
			base.n--;
		/* only ".cold" has no number */
		if (base.n < name.n && str_ends(base, STR(".")))
			base.n--;
		else if (!str_ends(name, STR(".cold")))
			return name;
		dot = str_rfind(base, '.');
		word = str_from(base, dot < base.n ? dot + 1 : base.n);
		/* `words` lacks "clone", because maps.clone is a function of Go. */
		if (!dot || !word.n ||
		    (word_at(word) != word.n && !str_eq(word, STR("clone"))))
			return name;
		name.n = dot;
	}
}

#include "label/clone_suffix.h"

static const struct str words[] = {
	STR("cold"), STR("constprop"), STR("isra"),
	STR("llvm"), STR("lto_priv"),  STR("part"),
};

bool clone_suffix_begins(struct str s)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (str_starts(s, words[i]) &&
		    (s.n == words[i].n || !str_is_alnum(s.p[words[i].n])))
			return true;
	return s.n && str_is_digit(s.p[0]);
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
		if (!dot || !(clone_suffix_begins(word) || str_eq(word, STR("clone"))))
			return name;
		name.n = dot;
	}
}

#include "writer/flame/verdicts.h"

/* Removes the last field from *line and returns it. */
static struct str last_field(struct str *line)
{
	size_t at = line->n;
	struct str field;

	while (at && line->p[at - 1] != '\t')
		at--;
	field = str_from(*line, at);
	*line = str_head(*line, at - (at > 0));
	return field;
}

bool verdicts_read(struct verdicts *v, struct str line, struct interner *names,
                   struct arena *a)
{
	static const struct str begin = { "# pdiff verdict\t", 16 };
	enum verdict verdict;
	str_id name;

	if (!str_starts(line, begin))
		return false;
	line = str_from(line, begin.n);
	if (!str_eq(last_field(&line), STR("end")) ||
	    !contrast_verdict(last_field(&line), &verdict) || !line.n)
		return true;
	name = intern(names, line);
	arena_fit(a, v->of, (size_t)name + 1, v->n);
	v->of[name] = (uint8_t)(verdict + 1);
	return true;
}

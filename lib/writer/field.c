#include "writer/field.h"

#include "writer/caption.h"

void field_put(struct out *o, struct str s, bool csv)
{
	bool quoted = csv && (str_find(s, ',') < s.n || str_find(s, '"') < s.n);
	arena_scope(scratch);

	s = caption_clean(&scratch, s);
	if (quoted)
		out_char(o, '"');
	for (size_t i = 0; i < s.n; i++) {
		if (quoted && s.p[i] == '"')
			out_char(o, '"');
		out_char(o, s.p[i]);
	}
	if (quoted)
		out_char(o, '"');
}
